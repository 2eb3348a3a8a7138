#pragma once

#include <array>
#include <cmath>

namespace tamp {

/// A vector over any number type: `double`, or a SIMD pack in the solver's kernels.
template <class T>
struct Vector3 {
    T x, y, z;

    constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

    constexpr Vector3& operator+=(const Vector3& b) { return x += b.x, y += b.y, z += b.z, *this; }
    constexpr Vector3& operator-=(const Vector3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
    constexpr Vector3& operator*=(const T& s) { return x *= s, y *= s, z *= s, *this; }

    friend constexpr Vector3 operator+(Vector3 a, const Vector3& b) { return a += b; }
    friend constexpr Vector3 operator-(Vector3 a, const Vector3& b) { return a -= b; }
    friend constexpr Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vector3 operator*(Vector3 a, const T& s) { return a *= s; }
    friend constexpr Vector3 operator*(const T& s, Vector3 a) { return a *= s; }
    friend constexpr bool operator==(const Vector3&, const Vector3&) = default;
};

using Vec3 = Vector3<double>;
using Int3 = std::array<int, 3>;

template <class T>
constexpr T dot(const Vector3<T>& a, const Vector3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

} // namespace tamp
