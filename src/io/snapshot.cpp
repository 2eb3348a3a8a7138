#include "tamp/io/snapshot.hpp"

namespace tamp {

namespace {

/// Contacts without cohesion keep notes too where others have it; they mean nothing.
std::int64_t bond_word(const ContactLaws& laws, rigid::Bond bond) {
    return laws.cohesion.value > 0 ? static_cast<std::int64_t>(bond) : 0;
}

} // namespace

std::vector<Grain> owned_grains(const RigidEngine& engine) {
    std::vector<Grain> grains;
    grains.reserve(engine.store().owned);
    for (std::size_t i = 0; i < engine.store().owned; ++i)
        grains.push_back(engine.store().grain(i));
    return grains;
}

std::vector<ContactRecord> contact_records(const RigidEngine& engine) {
    const ParticleStore& store = engine.store();
    std::vector<ContactRecord> records;
    const PairCandidates& pairs = engine.pairs();
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        if (pairs.is_blank(c))
            continue;
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const Vec3 branch = engine.setup().box.nearest(store.sphere[j].centre - store.sphere[i].centre);
        const double distance = norm(branch);
        records.push_back({store.id[i], store.id[j], branch * (1.0 / distance),
                           distance - store.sphere[i].radius - store.sphere[j].radius, pairs.impulse[c],
                           pairs.last_torque(c),
                           bond_word(engine.setup().materials.laws(store.material[i], store.material[j]),
                                     pairs.last_bond(c))});
    }
    const WallCandidates& walls = engine.wall_candidates();
    for (std::size_t c = 0; c < walls.size(); ++c) {
        if (walls.is_blank(c))
            continue;
        const auto i = static_cast<std::size_t>(walls.body[c]);
        const auto w = static_cast<std::size_t>(walls.wall[c]);
        const Wall& wall = engine.walls()[w];
        // From the particle to the wall, as in every record; hence the signs.
        records.push_back(
            {store.id[i], wall_contact_bit | w, -wall.normal,
             wall.gap(store.sphere[i].centre, store.sphere[i].radius), -walls.impulse[c],
             -walls.last_torque(c),
             bond_word(engine.setup().materials.laws(store.material[i], wall.material), walls.last_bond(c))});
    }
    return records;
}

} // namespace tamp
