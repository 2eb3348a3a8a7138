#include "tamp/geometry/weld.hpp"

#include <algorithm>
#include <numeric>

namespace tamp {
namespace {

bool comes_before(const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// The smallest member of each set stands for the set.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t size) : parents_(size) {
        std::iota(parents_.begin(), parents_.end(), 0);
    }

    std::size_t find(std::size_t member) {
        while (parents_[member] != member)
            member = parents_[member] = parents_[parents_[member]];
        return member;
    }

    void join(std::size_t a, std::size_t b) {
        a = find(a), b = find(b);
        parents_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parents_;
};

/// Joins what is closer than the tolerance. Neighbours are sought along a direction that is oblique to the
/// planes that surfaces are usually made of, so that few others lie at the same height.
void join_near(const std::vector<Vec3>& points, double tolerance, DisjointSets& sets) {
    const Vec3 direction{0.5257311121, 0.3717480345, 0.7651304377}; // nearly a unit vector
    std::vector<std::pair<double, std::size_t>> heights(points.size());
    for (std::size_t k = 0; k < points.size(); ++k)
        heights[k] = {dot(direction, points[k]), k};
    std::ranges::sort(heights);
    const double window = 1.01 * tolerance;
    for (std::size_t i = 0; i < heights.size(); ++i)
        for (std::size_t j = i + 1; j < heights.size() && heights[j].first - heights[i].first <= window; ++j)
            if (norm(points[heights[i].second] - points[heights[j].second]) <= tolerance)
                sets.join(heights[i].second, heights[j].second);
}

} // namespace

WeldedPoints welded(std::span<const Vec3> given, double tolerance) {
    std::vector<Vec3> distinct;
    distinct.reserve(given.size());
    for (const Vec3& point : given)
        distinct.push_back(point + Vec3{0, 0, 0}); // no -0, which equals 0 but is not the same bits
    std::ranges::sort(distinct, comes_before);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

    DisjointSets sets(distinct.size());
    join_near(distinct, tolerance, sets);

    WeldedPoints result;
    std::vector<int> new_index(distinct.size());
    for (std::size_t k = 0; k < distinct.size(); ++k) {
        if (sets.find(k) ==
            k) { // the first of its set, so that its index is known when the others ask for it
            new_index[k] = static_cast<int>(result.points.size());
            result.points.push_back(distinct[k]);
        } else {
            new_index[k] = new_index[sets.find(k)];
        }
    }
    result.index_of.reserve(given.size());
    for (const Vec3& point : given) {
        const auto found = std::ranges::lower_bound(distinct, point, comes_before);
        result.index_of.push_back(new_index[static_cast<std::size_t>(found - distinct.begin())]);
    }
    return result;
}

} // namespace tamp
