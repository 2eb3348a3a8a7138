#include "tamp/geometry/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tamp {
namespace {

/// Shorter than this, the square of a length has lost its digits and a direction cannot be had from it.
constexpr double shortest = 1e-140;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::vector<Bounds> bounds_of_triangles(const MeshSurface& surface) {
    std::vector<Bounds> boxes(surface.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
        for (const int v : surface.triangles[t].vertices)
            boxes[t].include(surface.vertices[at(v)]);
    return boxes;
}

} // namespace

TriangleMesh::TriangleMesh(std::span<const Triangle> triangles)
    : surface_(triangles), grid_(bounds_of_triangles(surface_)) {}

Bounds TriangleMesh::bounds() const {
    Bounds bounds;
    for (const MeshTriangle& triangle : surface_.triangles)
        for (const int v : triangle.vertices)
            bounds.include(surface_.vertices[at(v)]);
    return bounds;
}

void TriangleMesh::touches(const Vec3& position, double reach, std::vector<MeshTouch>& out) const {
    out.clear();
    grid_.each_near(position, reach, [&](int triangle) {
        const int feature = nearest_of(triangle, position).feature;
        const bool inside = feature < 0;
        // All triangles around a feature find it: only the first of them asks whether it is a contact.
        if (!inside &&
            (surface_.triangles_of(feature)[0] != triangle || !is_nearest_of_all(feature, position)))
            return;
        if (inside || surface_.features[at(feature)].inner)
            add_patch(surface_.triangles[at(triangle)].patch, position, reach, out);
        else
            add_feature(feature, position, reach, out);
    });
    if (out.size() > 1) {
        drop_hidden(out);
        make_keys_differ(out);
    }
}

/// Each vertex and each edge is judged by the same numbers in all of its triangles, and equal distances by
/// the number of the feature. The nearest feature of all is then the nearest one of each of its triangles,
/// whatever the rounding: no contact gets lost between triangles, and none is found twice.
TriangleMesh::Nearest TriangleMesh::nearest_of(int triangle, const Vec3& position) const {
    const MeshTriangle& t = surface_.triangles[at(triangle)];
    bool inside = true;
    for (std::size_t k = 0; k < 3 && inside; ++k) {
        const Vec3& from = surface_.vertices[at(t.vertices[k])];
        const Vec3& to = surface_.vertices[at(t.vertices[(k + 1) % 3])];
        inside = dot(cross(t.normal, to - from), position - from) > 0;
    }
    if (inside) {
        const double height = dot(t.normal, position - surface_.vertices[at(t.vertices[0])]);
        return {height * height, -1};
    }
    Nearest best{HUGE_VAL, -1};
    const auto compare = [&](int feature, const Vec3& foot) {
        const double distance_squared = dot(position - foot, position - foot);
        if (std::tie(distance_squared, feature) < std::tie(best.distance_squared, best.feature))
            best = {distance_squared, feature};
    };
    for (const int vertex : t.vertices)
        compare(vertex, surface_.vertices[at(vertex)]);
    for (const int edge : t.edges)
        if (const double part = part_of_edge(edge, position); part > 0 && part < 1)
            compare(surface_.feature_of_edge(edge), point_of_edge(edge, part));
    return best;
}

double TriangleMesh::part_of_edge(int edge, const Vec3& position) const {
    const auto& [a, b] = surface_.edges[at(edge)];
    const Vec3 along = surface_.vertices[at(b)] - surface_.vertices[at(a)];
    return dot(position - surface_.vertices[at(a)], along) / dot(along, along);
}

Vec3 TriangleMesh::point_of_edge(int edge, double part) const {
    const auto& [a, b] = surface_.edges[at(edge)];
    return surface_.vertices[at(a)] + (surface_.vertices[at(b)] - surface_.vertices[at(a)]) * part;
}

Vec3 TriangleMesh::foot_on(int feature, const Vec3& position) const {
    const int edge = feature - static_cast<int>(surface_.vertices.size());
    return edge < 0 ? surface_.vertices[at(feature)] : point_of_edge(edge, part_of_edge(edge, position));
}

/// Triangles are convex: a feature that is the nearest part of each of its triangles is a local minimum of
/// the distance from the surface, and the surface is convex there as seen from the position.
bool TriangleMesh::is_nearest_of_all(int feature, const Vec3& position) const {
    return std::ranges::all_of(surface_.triangles_of(feature),
                               [&](int t) { return nearest_of(t, position).feature == feature; });
}

void TriangleMesh::add_patch(int patch, const Vec3& position, double reach,
                             std::vector<MeshTouch>& out) const {
    const auto& [id, point, normal] = surface_.patches[at(patch)];
    const double height = dot(normal, position - point);
    const auto is_there = [id = id](const MeshTouch& touch) {
        return touch.feature < 0 && touch.patch == id;
    };
    if (std::fabs(height) > reach || std::ranges::any_of(out, is_there))
        return;
    out.push_back({std::fabs(height), height < 0 ? -normal : normal, position - normal * height, id, -1});
}

void TriangleMesh::add_feature(int feature, const Vec3& position, double reach,
                               std::vector<MeshTouch>& out) const {
    const Vec3 foot = foot_on(feature, position), difference = position - foot;
    const int id = surface_.features[at(feature)].patch_id;
    const double distance = norm(difference);
    if (distance > reach)
        return;
    if (distance < shortest) // on the edge itself every normal is as good as another
        out.push_back(
            {0, surface_.triangles[at(surface_.triangles_of(feature)[0])].normal, foot, id, feature});
    else
        out.push_back({distance, difference * (1 / distance), foot, id, feature});
}

/// Keeps contacts in the order of faces before edges and vertices, near before far, unless one that was kept
/// hides them.
void TriangleMesh::drop_hidden(std::vector<MeshTouch>& out) const {
    std::ranges::sort(out, {}, [](const MeshTouch& touch) {
        return std::tuple(touch.feature >= 0, touch.distance, touch.feature, touch.patch);
    });
    const auto hides = [&](const MeshTouch& kept, const MeshTouch& touch) {
        const Vec3 apart = touch.foot - kept.foot;
        if (kept.feature < 0 && touch.feature >= 0)
            return std::fabs(dot(kept.normal, apart)) <= surface_.flatness;
        return norm(apart) <= surface_.flatness && dot(kept.normal, touch.normal) > 0.5;
    };
    auto end = out.begin();
    for (const MeshTouch& touch : out)
        if (std::none_of(out.begin(), end, [&](const MeshTouch& kept) { return hides(kept, touch); }))
            *end++ = touch;
    out.erase(end, out.end());
}

void TriangleMesh::make_keys_differ(std::vector<MeshTouch>& out) const {
    const auto by_patch = [](const MeshTouch& touch) { return std::pair(touch.patch, touch.feature); };
    std::ranges::sort(out, {}, by_patch);
    int last = -1;
    for (MeshTouch& touch : out) {
        if (touch.patch == last)
            touch.patch = surface_.report.triangles_read + touch.feature;
        else
            last = touch.patch;
    }
    std::ranges::sort(out, {}, by_patch);
}

} // namespace tamp
