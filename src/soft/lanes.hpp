#pragma once

#include <bit>
#include <cstdint>

#include "tamp/base/pack.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/particles/bodies.hpp"
#include "tamp/particles/store.hpp"

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

inline void transpose(Integers (&m)[8]) {
    Pack::Raw rows[8];
    for (int i = 0; i < 8; ++i)
        rows[i] = std::bit_cast<Pack::Raw>(m[i]);
    tamp::transpose(rows);
    for (int i = 0; i < 8; ++i)
        m[i] = std::bit_cast<Integers>(rows[i]);
}

/// Centre 2 less centre 1, and the sum of radii. A sphere is a row of four numbers: the two rows are combined
/// before they are transposed.
struct Differences {
    PackVec3 centres;
    Pack radii;
};

inline Differences differences(const Sphere* spheres, const std::int32_t* first, const std::int32_t* second) {
    typedef double Half __attribute__((vector_size(4 * sizeof(double)), aligned(8)));
    static_assert(sizeof(Sphere) == sizeof(Half));
    const Half signs{1, 1, 1, -1};
    Pack::Raw rows[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const auto difference = [&](int lane) -> Half {
            const Half one = *reinterpret_cast<const Half*>(spheres + first[lane]);
            const Half two = *reinterpret_cast<const Half*>(spheres + second[lane]);
            return two - signs * one;
        };
        const Half low = difference(i), high = difference(i + 4);
        rows[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    using Pick = Integers;
    const Pick even{0, 8, 2, 10, 4, 12, 6, 14}, odd{1, 9, 3, 11, 5, 13, 7, 15};
    const Pack::Raw a = __builtin_shuffle(rows[0], rows[1], even),
                    b = __builtin_shuffle(rows[0], rows[1], odd);
    const Pack::Raw c = __builtin_shuffle(rows[2], rows[3], even),
                    d = __builtin_shuffle(rows[2], rows[3], odd);
    const Pick low{0, 1, 8, 9, 4, 5, 12, 13}, high{2, 3, 10, 11, 6, 7, 14, 15};
    return {{__builtin_shuffle(a, c, low), __builtin_shuffle(b, d, low), __builtin_shuffle(a, c, high)},
            __builtin_shuffle(b, d, high)};
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
