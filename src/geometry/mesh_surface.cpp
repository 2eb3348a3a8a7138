#include "tamp/geometry/mesh_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "tamp/geometry/bounds.hpp"
#include "tamp/geometry/weld.hpp"

namespace tamp {
namespace {

constexpr double weld_tolerance = 1e-9; // of the extent

/// Normals that differ by less belong to one plane.
constexpr double flat_angle = 1e-6;
/// The coordinates of most files are single precision. This part of the largest coordinate is their rounding,
/// which tilts small triangles by more than `flat_angle`.
constexpr double coordinate_rounding = 2.5e-7;
/// A triangle that is so thin that its normal is arbitrary does not join a patch.
constexpr double largest_flat_angle = 0.05;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Fills the members of a surface one after the other.
class SurfaceBuilder {
public:
    SurfaceBuilder(MeshSurface& surface, std::span<const Triangle> list) : surface_(surface), list_(list) {}

    void build() {
        surface_.report.triangles_read = static_cast<int>(list_.size());
        weld_vertices();
        collect_triangles();
        connect_edges();
        list_triangles_of_features();
        find_patches();
        fit_planes();
        describe_features();
    }

private:
    void weld_vertices() {
        std::vector<Vec3> corners;
        corners.reserve(3 * list_.size());
        Bounds bounds;
        double largest = 0;
        for (const Triangle& triangle : list_)
            for (const Vec3& corner : triangle) {
                corners.push_back(corner);
                bounds.include(corner);
                largest = std::max({largest, std::fabs(corner.x), std::fabs(corner.y), std::fabs(corner.z)});
            }
        tolerance_ = list_.empty() ? 0 : weld_tolerance * norm(bounds.upper - bounds.lower);
        rounding_ = coordinate_rounding * largest;
        WeldedPoints points = welded(corners, tolerance_);
        surface_.vertices = std::move(points.points);
        vertex_of_corner_ = std::move(points.index_of);
    }

    /// Twice the area over the longest side.
    double height_of(const std::array<int, 3>& v) const {
        const Vec3 &a = surface_.vertices[at(v[0])], &b = surface_.vertices[at(v[1])],
                   &c = surface_.vertices[at(v[2])];
        const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
        return longest > 0 ? norm(cross(b - a, c - a)) / longest : 0;
    }

    void collect_triangles() {
        std::vector<std::pair<std::array<int, 3>, int>> kept; // sorted vertices, number in the list
        for (std::size_t number = 0; number < list_.size(); ++number) {
            std::array<int, 3> v{vertex_of_corner_[3 * number], vertex_of_corner_[3 * number + 1],
                                 vertex_of_corner_[3 * number + 2]};
            std::ranges::sort(v);
            if (height_of(v) > tolerance_)
                kept.emplace_back(v, static_cast<int>(number));
            else
                ++surface_.report.degenerate;
        }
        std::ranges::sort(kept);
        for (const auto& [v, number] : kept) {
            if (!surface_.triangles.empty() && surface_.triangles.back().vertices == v) {
                ++surface_.report.duplicate;
                continue;
            }
            const Vec3& a = surface_.vertices[at(v[0])];
            const Vec3 twice_area = cross(surface_.vertices[at(v[1])] - a, surface_.vertices[at(v[2])] - a);
            const double size = norm(twice_area);
            surface_.triangles.push_back({v, {}, twice_area * (1 / size), -1});
            areas_.push_back(size / 2);
            numbers_.push_back(number);
        }
    }

    void connect_edges() {
        using Side = std::tuple<std::array<int, 2>, int, int>; // vertices, triangle, place in the triangle
        std::vector<Side> sides;
        for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
            const auto& v = surface_.triangles[t].vertices;
            sides.push_back({{v[1], v[2]}, static_cast<int>(t), 0});
            sides.push_back({{v[0], v[2]}, static_cast<int>(t), 1});
            sides.push_back({{v[0], v[1]}, static_cast<int>(t), 2});
        }
        std::ranges::sort(sides);
        for (const auto& [ends, triangle, place] : sides) {
            if (surface_.edges.empty() || surface_.edges.back() != ends)
                surface_.edges.push_back(ends);
            surface_.triangles[at(triangle)].edges[at(place)] = static_cast<int>(surface_.edges.size()) - 1;
        }
    }

    void list_triangles_of_features() {
        const std::size_t count = surface_.vertices.size() + surface_.edges.size();
        const auto each = [&](auto&& add) {
            for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
                for (std::size_t k = 0; k < 3; ++k) {
                    add(surface_.triangles[t].vertices[k], static_cast<int>(t));
                    add(surface_.feature_of_edge(surface_.triangles[t].edges[k]), static_cast<int>(t));
                }
        };
        surface_.feature_starts.assign(count + 1, 0);
        each([&](int feature, int) { ++surface_.feature_starts[at(feature) + 1]; });
        std::partial_sum(surface_.feature_starts.begin(), surface_.feature_starts.end(),
                         surface_.feature_starts.begin());
        surface_.feature_triangles.resize(at(surface_.feature_starts.back()));
        std::vector<int> next(surface_.feature_starts.begin(), surface_.feature_starts.end() - 1);
        each([&](int feature, int triangle) {
            surface_.feature_triangles[at(next[at(feature)]++)] = triangle;
        });
        for (std::size_t edge = 0; edge < surface_.edges.size(); ++edge) {
            const auto triangles = surface_.triangles_of(surface_.feature_of_edge(static_cast<int>(edge)));
            surface_.report.open_edges += triangles.size() == 1;
            surface_.report.crowded_edges += triangles.size() > 2;
        }
    }

    /// The triangle on the other side of an edge where the surface goes on without folding back; -1: none.
    int across(int triangle, int edge) const {
        const auto both = surface_.triangles_of(surface_.feature_of_edge(edge));
        if (both.size() != 2)
            return -1;
        const int other = both[0] == triangle ? both[1] : both[0];
        return dot(inward(triangle, edge), inward(other, edge)) < 0 ? other : -1;
    }

    /// Perpendicular to the edge, into the triangle.
    Vec3 inward(int triangle, int edge) const {
        const auto& [a, b] = surface_.edges[at(edge)];
        const Vec3 along = surface_.vertices[at(b)] - surface_.vertices[at(a)];
        const MeshTriangle& t = surface_.triangles[at(triangle)];
        const std::size_t place = t.edges[0] == edge ? 0 : t.edges[1] == edge ? 1 : 2;
        const Vec3 to_third = surface_.vertices[at(t.vertices[place])] - surface_.vertices[at(a)];
        return to_third - along * (dot(to_third, along) / dot(along, along));
    }

    bool same_plane(int first, int other) const {
        const MeshTriangle &a = surface_.triangles[at(first)], &b = surface_.triangles[at(other)];
        const double tilt = rounding_ * (1 / height_of(a.vertices) + 1 / height_of(b.vertices));
        return norm(cross(a.normal, b.normal)) <= std::min(flat_angle + tilt, largest_flat_angle);
    }

    /// Grows patches from the largest triangles, whose normals are the most certain.
    void find_patches() {
        std::vector<int> by_size(surface_.triangles.size());
        std::iota(by_size.begin(), by_size.end(), 0);
        std::ranges::stable_sort(by_size, std::greater{}, [&](int t) { return areas_[at(t)]; });
        std::vector<int> waiting;
        for (const int first : by_size) {
            if (surface_.triangles[at(first)].patch >= 0)
                continue;
            const int patch = static_cast<int>(surface_.patches.size());
            surface_.patches.push_back({numbers_[at(first)], {0, 0, 0}, {0, 0, 0}});
            surface_.triangles[at(first)].patch = patch;
            waiting.assign(1, first);
            while (!waiting.empty()) {
                const int here = waiting.back();
                waiting.pop_back();
                int& id = surface_.patches.back().id;
                id = std::min(id, numbers_[at(here)]);
                for (const int edge : surface_.triangles[at(here)].edges) {
                    const int next = across(here, edge);
                    if (next >= 0 && surface_.triangles[at(next)].patch < 0 && same_plane(first, next)) {
                        surface_.triangles[at(next)].patch = patch;
                        waiting.push_back(next);
                    }
                }
            }
        }
        surface_.report.flat_patches = static_cast<int>(surface_.patches.size());
    }

    /// The mean plane of each patch: a single one lets a ball roll over it as over a plane, and rounding of
    /// the vertices matters less than in the planes of small triangles.
    void fit_planes() {
        std::vector<double> area(surface_.patches.size(), 0);
        for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
            const MeshTriangle& triangle = surface_.triangles[t];
            FlatPatch& patch = surface_.patches[at(triangle.patch)];
            const double side = dot(patch.normal, triangle.normal) < 0 ? -1 : 1;
            patch.normal += triangle.normal * (side * areas_[t]);
            for (const int v : triangle.vertices)
                patch.point += surface_.vertices[at(v)] * (areas_[t] / 3);
            area[at(triangle.patch)] += areas_[t];
        }
        for (std::size_t k = 0; k < area.size(); ++k) {
            surface_.patches[k].normal *= 1 / norm(surface_.patches[k].normal);
            surface_.patches[k].point *= 1 / area[k];
        }
        surface_.flatness = rounding_;
        for (const MeshTriangle& triangle : surface_.triangles) {
            const FlatPatch& patch = surface_.patches[at(triangle.patch)];
            for (const int v : triangle.vertices)
                surface_.flatness = std::max(
                    surface_.flatness, std::fabs(dot(patch.normal, surface_.vertices[at(v)] - patch.point)));
        }
    }

    void describe_features() {
        const auto vertices = static_cast<int>(surface_.vertices.size());
        const auto count = static_cast<int>(surface_.feature_starts.size()) - 1;
        surface_.features.assign(at(count), {-1, true});
        for (int feature = count; feature-- > 0;) { // edges first
            MeshFeature& here = surface_.features[at(feature)];
            const auto triangles = surface_.triangles_of(feature);
            for (const int t : triangles) {
                const int patch = surface_.triangles[at(t)].patch, id = surface_.patches[at(patch)].id;
                here.patch_id = here.patch_id < 0 ? id : std::min(here.patch_id, id);
                here.inner = here.inner && patch == surface_.triangles[at(triangles[0])].patch;
            }
            if (triangles.empty()) {
                here.inner = false;
            } else if (feature >= vertices) {
                here.inner = here.inner && across(triangles[0], feature - vertices) >= 0;
            }
        }
        // A vertex is inside a patch only if all of its edges are.
        for (std::size_t edge = 0; edge < surface_.edges.size(); ++edge)
            if (!surface_.features[at(vertices) + edge].inner)
                for (const int v : surface_.edges[edge])
                    surface_.features[at(v)].inner = false;
    }

    MeshSurface& surface_;
    std::span<const Triangle> list_;
    double tolerance_ = 0, rounding_ = 0; ///< m
    std::vector<int> vertex_of_corner_;
    std::vector<double> areas_; ///< of `surface_.triangles`
    std::vector<int> numbers_;  ///< of `surface_.triangles` in the list
};

} // namespace

MeshSurface::MeshSurface(std::span<const Triangle> list) { SurfaceBuilder(*this, list).build(); }

} // namespace tamp
