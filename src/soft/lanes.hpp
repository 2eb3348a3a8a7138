#pragma once

#include <bit>
#include <cstdint>

#include "tamp/base/pack.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/particles/body.hpp"
#include "tamp/particles/store.hpp"
#include "tamp/soft/batch.hpp"
#include "tamp/soft/force_sums.hpp"

// Eight lanes at a time: what the force kernel does besides laws.
namespace tamp::soft {

using Integers = Pack::Mask;

/// Rounded to the nearest integers, ties to even.
inline Integers to_integers(Pack a) {
#if defined(__AVX512DQ__)
    return Integers(_mm512_maskz_cvtpd_epi64(0xff, __m512d(a.raw)));
#else
    Integers result;
    for (int lane = 0; lane < lanes; ++lane)
        result[lane] = std::llrint(a.raw[lane]);
    return result;
#endif
}

/// Four numbers in a row: a sphere, or half of a body or of its sums.
typedef double HalfRow __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

/// Half rows of eight lanes, two side by side: lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7. From there two
/// rounds of shuffles lead to columns, which is a third of what whole rows of eight numbers take.
struct RowPairs {
    Pack::Raw pair[4];

    /// `row(lane)` points to four numbers.
    template <class Row>
    static RowPairs load(Row&& row) {
        const auto both = [&](int low, int high) -> Pack::Raw {
#if defined(__AVX512F__)
            const __m512d first = _mm512_castpd256_pd512(_mm256_loadu_pd(row(low)));
            return Pack::Raw(_mm512_maskz_insertf64x4(0xff, first, _mm256_loadu_pd(row(high)), 1));
#else
            const auto half = [&](int lane) { return *reinterpret_cast<const HalfRow*>(row(lane)); };
            return __builtin_shufflevector(half(low), half(high), 0, 1, 2, 3, 4, 5, 6, 7);
#endif
        };
        return {{both(0, 2), both(1, 3), both(4, 6), both(5, 7)}};
    }
};

struct Columns {
    Pack x, y, z, w;

    PackVec3 vector() const { return {x, y, z}; }
};

inline Columns columns_of(const RowPairs& rows) {
    using Pick = Integers;
    const Pick even{0, 8, 2, 10, 4, 12, 6, 14}, odd{1, 9, 3, 11, 5, 13, 7, 15};
    const Pick first{0, 1, 4, 5, 8, 9, 12, 13}, second{2, 3, 6, 7, 10, 11, 14, 15};
    const Pack::Raw xz_low = __builtin_shuffle(rows.pair[0], rows.pair[1], even),
                    yw_low = __builtin_shuffle(rows.pair[0], rows.pair[1], odd),
                    xz_high = __builtin_shuffle(rows.pair[2], rows.pair[3], even),
                    yw_high = __builtin_shuffle(rows.pair[2], rows.pair[3], odd);
    return {__builtin_shuffle(xz_low, xz_high, first), __builtin_shuffle(yw_low, yw_high, first),
            __builtin_shuffle(xz_low, xz_high, second), __builtin_shuffle(yw_low, yw_high, second)};
}

/// The way back, for sums: lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7 side by side; the fourth number is 0.
struct SumPairs {
    Integers pair[4];

    SumPairs(const Integers& x, const Integers& y, const Integers& z) {
        using Pick = Integers;
        const Pick low{0, 1, 8, 9, 2, 3, 10, 11}, high{4, 5, 12, 13, 6, 7, 14, 15};
        const Pick even{0, 8, 2, 10, 4, 12, 6, 14}, odd{1, 9, 3, 11, 5, 13, 7, 15};
        const Integers zero{};
        const Integers xz_low = __builtin_shuffle(x, z, low), xz_high = __builtin_shuffle(x, z, high);
        const Integers yw_low = __builtin_shuffle(y, zero, low), yw_high = __builtin_shuffle(y, zero, high);
        pair[0] = __builtin_shuffle(xz_low, yw_low, even);
        pair[1] = __builtin_shuffle(xz_low, yw_low, odd);
        pair[2] = __builtin_shuffle(xz_high, yw_high, even);
        pair[3] = __builtin_shuffle(xz_high, yw_high, odd);
    }
};

/// The row of a particle in a table of spheres, bodies or sums.
template <class Row>
const Row& row_of(const Row* table, Place place) {
    constexpr std::size_t step = sizeof(Row) / 8;
    static_assert(step == 4 || step == 8);
    return *reinterpret_cast<const Row*>(reinterpret_cast<const char*>(table) + step * place);
}

/// Of each lane: velocity and inverse mass, surface velocity and inverse radius, centre and radius.
inline RowPairs velocities(const Body* bodies, const Place* places) {
    return RowPairs::load([&](int lane) { return &row_of(bodies, places[lane]).velocity.x; });
}
inline RowPairs surfaces(const Body* bodies, const Place* places) {
    return RowPairs::load([&](int lane) { return &row_of(bodies, places[lane]).surface.x; });
}
inline RowPairs centres(const Sphere* spheres, const Place* places) {
    static_assert(sizeof(Sphere) == sizeof(HalfRow));
    return RowPairs::load([&](int lane) { return &row_of(spheres, places[lane]).centre.x; });
}

/// Adds rows of forces and of torques to the sums of bodies, one lane after the other: some may be equal.
template <class Change>
inline void change_rows(const SumPairs& force, const SumPairs& turn, ForceSum* sums, const Place* places,
                        Change&& change) {
    using Pick = Integers;
    const auto row = [&](int lane) -> Integers& {
        return *reinterpret_cast<Integers*>(const_cast<ForceSum*>(&row_of(sums, places[lane])));
    };
    constexpr int first_lane[4] = {0, 1, 4, 5};
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const Integers &f = force.pair[i], &t = turn.pair[i];
        change(row(first_lane[i]), __builtin_shuffle(f, t, Pick{0, 1, 2, 3, 8, 9, 10, 11}));
        change(row(first_lane[i] + 2), __builtin_shuffle(f, t, Pick{4, 5, 6, 7, 12, 13, 14, 15}));
    }
}
inline void add_rows(const SumPairs& force, const SumPairs& turn, ForceSum* sums, const Place* places) {
    change_rows(force, turn, sums, places, [](Integers& sum, const Integers& row) { sum += row; });
}
inline void subtract_rows(const SumPairs& force, const SumPairs& turn, ForceSum* sums, const Place* places) {
    change_rows(force, turn, sums, places, [](Integers& sum, const Integers& row) { sum -= row; });
}

/// Rows 2 less rows 1, but the sum of the fourth numbers: branch and sum of radii, or relative velocity and
/// sum of inverse masses. Combined before they become columns, at half the shuffles.
inline Columns differences(const RowPairs& one, const RowPairs& two) {
    const Pack::Raw signs{1, 1, 1, -1, 1, 1, 1, -1};
    RowPairs both;
    for (int i = 0; i < 4; ++i)
        both.pair[i] = two.pair[i] - signs * one.pair[i];
    return columns_of(both);
}

/// `NearestImage` for packs.
class PackNearestImage {
public:
    explicit PackNearestImage(const Box& box) {
        for (int axis = 0; axis < box.dimension; ++axis)
            if (box.periodic(axis)) {
                length_[axis] = box.length(axis);
                inverse_[axis] = 1.0 / box.length(axis);
            }
    }

    PackVec3 operator()(const PackVec3& d) const {
        return {d.x - Pack(length_.x) * nearest(d.x * Pack(inverse_.x)),
                d.y - Pack(length_.y) * nearest(d.y * Pack(inverse_.y)),
                d.z - Pack(length_.z) * nearest(d.z * Pack(inverse_.z))};
    }

private:
    /// Numbers of this size have no bits behind the point.
    static Pack nearest(Pack a) {
        constexpr double large = 1.5 * 4503599627370496.0; // 2^52
        return (a + Pack(large)) - Pack(large);
    }

    Vec3 length_{0, 0, 0}, inverse_{0, 0, 0};
};

} // namespace tamp::soft
