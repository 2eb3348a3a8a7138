// How an engine is taken apart for a checkpoint and put together again.

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/contacts/memory.hpp"
#include "tamp/domain/holders.hpp"
#include "tamp/engine/rigid_engine.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

/// Also -0.0 counts: what it is added to may keep the sign.
bool has_bits(const Vec3& v) {
    return (std::bit_cast<std::uint64_t>(v.x) | std::bit_cast<std::uint64_t>(v.y) |
            std::bit_cast<std::uint64_t>(v.z)) != 0;
}

bool is_worth_saving(const ContactMemory& memory, std::size_t c) {
    return has_bits(memory.impulse[c]) || has_bits(memory.last_torque(c)) ||
           memory.last_bond(c) != rigid::Bond::none;
}

template <class Candidates, class Partners>
void save_contacts(const Candidates& candidates, const LocalTiles& tiles, Partners&& partners,
                   SavedEngine& to) {
    const bool with_laws = !candidates.torque.empty() || !candidates.bond.empty();
    for (int slot = 0; slot < tiles.owned(); ++slot) {
        const auto begin = static_cast<std::size_t>(candidates.tile_begin[static_cast<std::size_t>(slot)]),
                   end = static_cast<std::size_t>(candidates.tile_begin[static_cast<std::size_t>(slot) + 1]);
        for (std::size_t c = begin; c < end; ++c)
            if (is_worth_saving(candidates, c)) {
                const auto [first, second] = partners(c);
                to.contacts.push_back({first, second, tiles.tile(slot), candidates.impulse[c]});
                if (with_laws)
                    to.contact_laws.push_back(
                        {candidates.last_torque(c), static_cast<std::int64_t>(candidates.last_bond(c))});
            }
    }
}

/// A contact on its way to the rank that its tile belongs to.
struct MovingContact {
    SavedContact contact;
    SavedContactLaw law;
};

template <class Record>
std::vector<Record> sent(const Communicator& communicator, const std::map<int, std::vector<Record>>& to) {
    std::vector<Record> all;
    for (const auto& [rank, records] : sparse_exchange(communicator, to))
        all.insert(all.end(), records.begin(), records.end());
    return all;
}

/// Of so many tiles over so many ranks.
bool is_partition(const std::vector<std::int64_t>& pieces, int ranks, int tiles) {
    return static_cast<int>(pieces.size()) == ranks + 1 && pieces.front() == 0 && pieces.back() == tiles &&
           std::ranges::is_sorted(pieces);
}

} // namespace

SavedEngine RigidEngine::save() const {
    SavedEngine saved{.time = time_,
                      .last_time_step = last_time_step_,
                      .largest_speed = communicator_.max(local_speed_),
                      .skin = skin_,
                      .displacement = communicator_.max(local_displacement_),
                      .wall_displacement = wall_displacement_,
                      .last_sweeps = relaxation_.last_sweeps(),
                      .sizes = sizes_,
                      .totals = totals_,
                      .walls = walls_,
                      .walls_at_search = walls_at_search_,
                      .partition = partition_.pieces()};
    if (setup_.energy_budget)
        saved.energy_words = energy_.words(communicator_);
    saved.particles.reserve(store_.owned);
    for (std::size_t i = 0; i < store_.owned; ++i)
        saved.particles.push_back({store_.id[i], store_.material[i], store_.sphere[i].centre,
                                   store_.sphere[i].radius, store_.body[i].velocity, store_.body[i].surface,
                                   store_.reference[i]});
    if (!tiles_)
        return saved;
    save_contacts(
        pairs_, *tiles_,
        [&](std::size_t c) {
            return std::pair(store_.id[static_cast<std::size_t>(pairs_.first[c])],
                             store_.id[static_cast<std::size_t>(pairs_.second[c])]);
        },
        saved);
    save_contacts(
        wall_candidates_, *tiles_,
        [&](std::size_t c) {
            return std::pair(store_.id[static_cast<std::size_t>(wall_candidates_.body[c])],
                             wall_memory + static_cast<std::uint64_t>(wall_candidates_.wall[c]));
        },
        saved);
    return saved;
}

RigidEngine::RigidEngine(const Communicator& communicator, const RigidSetup& setup, const SavedEngine& saved)
    : RigidEngine(communicator, setup, saved.sizes) {
    time_ = saved.time;
    last_time_step_ = saved.last_time_step;
    local_speed_ = saved.largest_speed;
    local_displacement_ = saved.displacement;
    wall_displacement_ = saved.wall_displacement;
    relaxation_.set_last_sweeps(static_cast<int>(saved.last_sweeps));
    totals_ = saved.totals;
    walls_ = saved.walls;
    walls_at_search_ = saved.walls_at_search;
    if (setup.energy_budget)
        energy_.restore(communicator, saved.energy_words);

    skin_ = saved.skin;
    grid_.set_cells(sizes_.largest + skin_);
    const auto place = [&](const SavedParticle& particle) {
        return saved.has_neighbours() ? particle.reference : particle.position;
    };
    if (is_partition(saved.partition, communicator_.size(), grid_.count())) {
        partition_ = Partition(saved.partition); // which was balanced, and which block sweeps depend on
    } else {
        std::vector<std::int64_t> costs(static_cast<std::size_t>(grid_.count()), 0);
        for (const SavedParticle& particle : saved.particles)
            ++costs[static_cast<std::size_t>(grid_.number(grid_.tile_of(place(particle))))];
        communicator_.sum(std::span<std::int64_t>(costs));
        partition_ = Partition(costs, communicator_.size());
    }

    std::map<int, std::vector<SavedParticle>> to;
    const Holders holders(grid_, partition_);
    for (const SavedParticle& particle : saved.particles) {
        const Int3 tile = grid_.tile_of(place(particle));
        if (saved.has_neighbours())
            holders.each(tile, grid_.cell_of(place(particle), tile),
                         [&](int rank) { to[rank].push_back(particle); });
        else
            to[partition_.owner(grid_.number(tile))].push_back(particle);
    }
    std::vector<SavedParticle> held = sent(communicator_, to);
    const auto is_owned = [&](const SavedParticle& particle) {
        return partition_.owner(grid_.number(grid_.tile_of(place(particle)))) == communicator_.rank();
    };
    store_.resize(held.size());
    store_.owned = static_cast<std::size_t>(std::ranges::count_if(held, is_owned));
    std::size_t owned = 0, copies = store_.owned;
    for (const SavedParticle& particle : held)
        store_.set(is_owned(particle) ? owned++ : copies++, {particle.id,
                                                             particle.material,
                                                             {place(particle), particle.radius},
                                                             particle.velocity,
                                                             particle.surface});
    if (saved.has_neighbours())
        restore_neighbours(saved, std::move(held));
}

/// The search of the past, repeated: with everything where it was then. Only now particles go to where they
/// are.
void RigidEngine::restore_neighbours(const SavedEngine& saved, std::vector<SavedParticle> held) {
    tiles_.emplace(grid_, partition_, communicator_.rank(), store_);
    pairs_ = find_pairs(grid_, *tiles_, store_, skin_);
    wall_candidates_ = find_wall_contacts(*tiles_, store_, walls_at_search_, skin_);
    pairs_.remember_for(laws_.set);
    wall_candidates_.remember_for(laws_.set);
    plan_exchange();

    std::ranges::sort(held, {}, &SavedParticle::id);
    for (std::size_t i = 0; i < store_.size(); ++i)
        store_.sphere[i].centre =
            std::ranges::lower_bound(held, store_.id[i], {}, &SavedParticle::id)->position;

    std::map<int, std::vector<MovingContact>> to;
    for (std::size_t c = 0; c < saved.contacts.size(); ++c) {
        const SavedContact& contact = saved.contacts[c];
        if (contact.tile >= 0 && contact.tile < grid_.count())
            to[partition_.owner(static_cast<int>(contact.tile))].push_back(
                {contact, saved.contact_laws.empty() ? SavedContactLaw{} : saved.contact_laws[c]});
    }
    std::pmr::vector<LawMemoryRecord> records;
    for (const auto& [contact, law] : sent(communicator_, to))
        records.push_back({{contact.first, contact.second, contact.impulse},
                           law.torque,
                           static_cast<rigid::Bond>(law.bond)});
    const std::size_t found = recall_memory(records, store_, pairs_, wall_candidates_);
    const std::int64_t lost = communicator_.sum(static_cast<std::int64_t>(saved.contacts.size()) -
                                                static_cast<std::int64_t>(found));
    if (lost != 0)
        throw FileError(fmt::format("the state does not fit the case: {} contacts of it would not be found "
                                    "again; resume with the domain and the neighbours of the case that wrote "
                                    "it",
                                    lost));
}

} // namespace tamp
