#pragma once

#include <cmath>
#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "tamp/base/vec3.hpp"

// A source that may fuse a multiplication with an addition has packs, and functions of packs, of its own.
// Were the names the same, the linker could give its copy of an inline function to a source that must not
// fuse.
#if defined(TAMP_FUSED)
#define TAMP_PACKS fused
#else
#define TAMP_PACKS exact
#endif

namespace tamp {

/// Contacts are relaxed eight at a time on every machine, whatever its SIMD width, so that results do not
/// depend on it.
inline constexpr int lanes = 8;

inline namespace TAMP_PACKS {

/// Eight doubles: one AVX-512 register, two AVX registers or four SSE registers.
struct Pack {
    typedef double Raw __attribute__((vector_size(lanes * sizeof(double))));
    typedef std::int64_t Mask __attribute__((vector_size(lanes * sizeof(double))));
    Raw raw;

    Pack() = default;
    Pack(Raw r) : raw(r) {}
    Pack(double s) : raw(Raw{} + s) {}

    static Pack load(const double* from) { return *reinterpret_cast<const Raw*>(from); }
    void store(double* to) const { *reinterpret_cast<Raw*>(to) = raw; }
    double operator[](int lane) const { return raw[lane]; }

    Pack& operator+=(Pack b) { return raw += b.raw, *this; }
    Pack& operator-=(Pack b) { return raw -= b.raw, *this; }
    Pack& operator*=(Pack b) { return raw *= b.raw, *this; }
    friend Pack operator+(Pack a, Pack b) { return a.raw + b.raw; }
    friend Pack operator-(Pack a, Pack b) { return a.raw - b.raw; }
    friend Pack operator*(Pack a, Pack b) { return a.raw * b.raw; }
    friend Pack operator/(Pack a, Pack b) { return a.raw / b.raw; }
    friend Pack operator-(Pack a) { return -a.raw; }
    friend Mask operator>(Pack a, Pack b) { return a.raw > b.raw; }
};

using PackVec3 = Vector3<Pack>;

inline Pack select(Pack::Mask mask, Pack yes, Pack no) { return mask ? yes.raw : no.raw; }
inline Pack larger(Pack a, Pack b) { return a.raw > b.raw ? a.raw : b.raw; }
inline Pack smaller(Pack a, Pack b) { return a.raw < b.raw ? a.raw : b.raw; }
inline PackVec3 select(Pack::Mask mask, const PackVec3& yes, const PackVec3& no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
inline bool any(Pack::Mask mask) {
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask(__m512i(mask)) != 0;
#else
    std::int64_t bits = 0;
    for (int lane = 0; lane < lanes; ++lane)
        bits |= mask[lane];
    return bits != 0;
#endif
}
inline Pack cube_root(Pack a) {
    for (int lane = 0; lane < lanes; ++lane)
        a.raw[lane] = std::cbrt(a.raw[lane]);
    return a;
}
inline Pack square_root(Pack a) {
#if defined(__AVX512F__)
    return Pack::Raw(_mm512_maskz_sqrt_pd(0xff, __m512d(a.raw)));
#else
    for (int lane = 0; lane < lanes; ++lane)
        a.raw[lane] = std::sqrt(a.raw[lane]);
    return a;
#endif
}

// The same verbs for plain numbers: a law is written once for both.
inline double select(bool mask, double yes, double no) { return mask ? yes : no; }
inline double larger(double a, double b) { return a > b ? a : b; }
inline double smaller(double a, double b) { return a < b ? a : b; }
inline Vec3 select(bool mask, const Vec3& yes, const Vec3& no) { return mask ? yes : no; }
inline bool any(bool mask) { return mask; }
inline double cube_root(double a) { return std::cbrt(a); }
inline double square_root(double a) { return std::sqrt(a); }

/// Lanes added in a fixed order: the result is the same on every machine.
inline double sum_lanes(Pack a) { return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])); }
inline double max_lanes(Pack a) {
    double result = a[0];
    for (int lane = 1; lane < lanes; ++lane)
        result = larger(a[lane], result);
    return result;
}

#if defined(__AVX512F__)
/// Rows become columns: 24 shuffles.
inline void transpose(Pack::Raw (&m)[8]) {
    using Pick = Pack::Mask;
    Pack::Raw a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shuffle(m[i], m[i + 1], Pick{0, 8, 2, 10, 4, 12, 6, 14});
        a[i + 1] = __builtin_shuffle(m[i], m[i + 1], Pick{1, 9, 3, 11, 5, 13, 7, 15});
    }
    for (int i : {0, 1, 4, 5}) {
        b[i] = __builtin_shuffle(a[i], a[i + 2], Pick{0, 1, 4, 5, 8, 9, 12, 13});
        b[i + 2] = __builtin_shuffle(a[i], a[i + 2], Pick{2, 3, 6, 7, 10, 11, 14, 15});
    }
    for (int i = 0; i < 4; ++i) {
        m[i] = __builtin_shuffle(b[i], b[i + 4], Pick{0, 1, 4, 5, 8, 9, 12, 13});
        m[i + 4] = __builtin_shuffle(b[i], b[i + 4], Pick{2, 3, 6, 7, 10, 11, 14, 15});
    }
}
#else
/// Rows become columns, by quarters of four by four.
inline void transpose(Pack::Raw (&m)[8]) {
    typedef double Half __attribute__((vector_size(4 * sizeof(double))));
    typedef std::int64_t Pick __attribute__((vector_size(4 * sizeof(double))));
    union Row {
        Pack::Raw whole;
        Half half[2];
    };
    Row in[8], out[8];
    for (int i = 0; i < 8; ++i)
        in[i].whole = m[i];
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) {
            const Half a = in[4 * r].half[c], b = in[4 * r + 1].half[c];
            const Half d = in[4 * r + 2].half[c], e = in[4 * r + 3].half[c];
            const Half ab_low = __builtin_shuffle(a, b, Pick{0, 4, 2, 6});
            const Half ab_high = __builtin_shuffle(a, b, Pick{1, 5, 3, 7});
            const Half de_low = __builtin_shuffle(d, e, Pick{0, 4, 2, 6});
            const Half de_high = __builtin_shuffle(d, e, Pick{1, 5, 3, 7});
            out[4 * c].half[r] = __builtin_shuffle(ab_low, de_low, Pick{0, 1, 4, 5});
            out[4 * c + 1].half[r] = __builtin_shuffle(ab_high, de_high, Pick{0, 1, 4, 5});
            out[4 * c + 2].half[r] = __builtin_shuffle(ab_low, de_low, Pick{2, 3, 6, 7});
            out[4 * c + 3].half[r] = __builtin_shuffle(ab_high, de_high, Pick{2, 3, 6, 7});
        }
    for (int i = 0; i < 8; ++i)
        m[i] = out[i].whole;
}
#endif

} // namespace TAMP_PACKS
} // namespace tamp
