#include "tamp/measure/displacements.hpp"

#include <algorithm>
#include <map>

#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

struct Sight {
    std::uint64_t id;
    Vec3 position;
};

int home_of(std::uint64_t id, const Communicator& communicator) {
    return static_cast<int>(id % static_cast<std::uint64_t>(communicator.size()));
}

} // namespace

std::vector<Vec3> Displacements::update(const Communicator& communicator, const View& view) {
    const ParticleView& particles = view.particles;
    std::map<int, std::vector<Sight>> sights;
    std::map<int, std::vector<std::size_t>> asked; // in the order of the answers
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const int home = home_of(particles.id[i], communicator);
        sights[home].push_back({particles.id[i], particles.position[i]});
        asked[home].push_back(i);
    }

    const NearestImage nearest(view.box);
    std::map<int, std::vector<Vec3>> answers;
    if (home_.empty())
        home_.reserve(2 * particles.size());
    for (const auto& [owner, seen] : sparse_exchange(communicator, sights)) {
        std::vector<Vec3>& answer = answers[owner];
        answer.reserve(seen.size());
        for (const auto& [id, position] : seen) {
            const auto [place, is_new] = home_.try_emplace(id, Track{position, {0, 0, 0}});
            Track& track = place->second;
            track.way += nearest(position - track.last);
            track.last = position;
            answer.push_back(track.way);
        }
    }

    std::vector<Vec3> result(particles.size(), Vec3{0, 0, 0});
    for (const auto& [home, ways] : sparse_exchange(communicator, answers)) {
        const std::vector<std::size_t>& which = asked.at(home);
        for (std::size_t k = 0; k < ways.size(); ++k)
            result[which[k]] = ways[k];
    }
    return result;
}

std::vector<Displacements::Record> Displacements::records() const {
    std::vector<Record> list;
    list.reserve(home_.size());
    for (const auto& [id, track] : home_)
        list.push_back({id, track.last, track.way});
    std::ranges::sort(list, {}, &Record::id);
    return list;
}

void Displacements::restore(const Communicator& communicator, std::span<const Record> records) {
    std::map<int, std::vector<Record>> to;
    for (const Record& record : records)
        to[home_of(record.id, communicator)].push_back(record);
    home_.clear();
    for (const auto& [rank, arrived] : sparse_exchange(communicator, to))
        for (const Record& record : arrived)
            home_[record.id] = {record.last, record.way};
}

} // namespace tamp
