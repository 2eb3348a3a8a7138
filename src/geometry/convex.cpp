#include "tamp/geometry/convex.hpp"

#include <algorithm>
#include <cmath>

namespace tamp {
namespace {

/// Two unit vectors in the plane: u x v = normal.
struct Basis {
    Vec3 u, v;

    explicit Basis(const Vec3& normal) {
        const Vec3 other = std::fabs(normal.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
        u = cross(normal, other);
        u *= 1 / norm(u);
        v = cross(normal, u);
    }
};

/// On the plane, for planes along an axis to the last bit.
Vec3 cut_between(const Vec3& a, const Vec3& b, const Plane& plane) {
    const double from = plane.distance(a), to = plane.distance(b);
    Vec3 cut = a + (b - a) * (from / (from - to));
    for (int axis = 0; axis < 3; ++axis)
        if (std::fabs(plane.normal[axis]) == 1)
            cut[axis] = plane.point[axis];
    return cut;
}

/// The points, which all lie in a plane with this normal, in the order of a polygon.
Polygon in_order(Polygon points, const Vec3& normal) {
    Vec3 middle{0, 0, 0};
    for (const Vec3& point : points)
        middle += point * (1.0 / static_cast<double>(points.size()));
    const Basis basis(normal);
    const auto angle = [&](const Vec3& point) {
        return std::atan2(dot(basis.v, point - middle), dot(basis.u, point - middle));
    };
    std::ranges::sort(points, {}, angle);
    return points;
}

/// Each corner of the rim is one of two faces. Kept twice, it would be four times in the next rim.
Polygon without_repetitions(const Polygon& polygon, double tolerance) {
    Polygon kept;
    for (const Vec3& corner : polygon)
        if (kept.empty() || norm(corner - kept.back()) > tolerance)
            kept.push_back(corner);
    while (kept.size() > 1 && norm(kept.front() - kept.back()) <= tolerance)
        kept.pop_back();
    return kept;
}

} // namespace

Polygon clipped(const Polygon& polygon, const Plane& plane, double tolerance) {
    Polygon kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double from = plane.distance(a), to = plane.distance(b);
        if (from >= -tolerance)
            kept.push_back(a);
        const bool closing = polygon.size() == 2 && i == 1; // a line has no edge back to its beginning
        if (!closing && ((from > tolerance && to < -tolerance) || (from < -tolerance && to > tolerance)))
            kept.push_back(cut_between(a, b, plane));
    }
    return kept;
}

Polygon square_in(const Plane& plane, const Vec3& centre, double reach) {
    const Vec3 foot = centre - plane.normal * plane.distance(centre);
    const Basis basis(plane.normal);
    const Vec3 u = basis.u * reach, v = basis.v * reach;
    return {foot - u - v, foot + u - v, foot + u + v, foot - u + v};
}

double area(const Polygon& polygon) {
    Vec3 sum{0, 0, 0};
    for (std::size_t i = 2; i < polygon.size(); ++i)
        sum += cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
    return 0.5 * norm(sum);
}

ConvexBody::ConvexBody(const Vec3& lower, const Vec3& upper) : tolerance_(1e-13 * norm(upper - lower)) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(lower[axis] < upper[axis]))
            return;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool high : {false, true}) {
            Polygon face;
            for (const auto& [along_next, along_last] : {std::pair(false, false), std::pair(true, false),
                                                         std::pair(true, true), std::pair(false, true)}) {
                Vec3 corner = lower;
                corner[axis] = (high ? upper : lower)[axis];
                const int next = (axis + 1) % 3, last = (axis + 2) % 3;
                corner[next] = (along_next ? upper : lower)[next];
                corner[last] = (along_last ? upper : lower)[last];
                face.push_back(corner);
            }
            if (!high)
                std::ranges::reverse(face);
            faces_.push_back(std::move(face));
        }
}

void ConvexBody::clip(const Plane& plane) {
    if (least_distance(plane) >= -tolerance_)
        return;
    std::vector<Polygon> kept;
    Polygon rim;
    for (const Polygon& face : faces_) {
        Polygon part = clipped(face, plane, tolerance_);
        for (const Vec3& corner : part)
            if (std::fabs(plane.distance(corner)) <= tolerance_)
                rim.push_back(corner);
        if (part.size() > 2)
            kept.push_back(std::move(part));
    }
    faces_ = std::move(kept);
    if (faces_.empty() || rim.size() <= 2)
        return;
    Polygon face = without_repetitions(in_order(std::move(rim), -plane.normal), tolerance_);
    if (face.size() > 2)
        faces_.push_back(std::move(face));
}

double ConvexBody::volume() const {
    double sum = 0;
    for (const Polygon& face : faces_)
        for (std::size_t i = 2; i < face.size(); ++i) {
            const Vec3& apex = faces_[0][0];
            sum += dot(face[0] - apex, cross(face[i - 1] - apex, face[i] - apex));
        }
    return std::max(0.0, sum / 6);
}

double ConvexBody::least_distance(const Plane& plane) const {
    double least = HUGE_VAL;
    for (const Polygon& face : faces_)
        for (const Vec3& corner : face)
            least = std::min(least, plane.distance(corner));
    return least;
}

} // namespace tamp
