#include "tamp/io/state_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "tamp/io/sorted_over_ranks.hpp"
#include "tamp/io/state_layout.hpp"
#include "tamp/io/table_file.hpp"

namespace tamp {

void write_state(const Communicator& communicator, const std::string& path, const StateHeader& header,
                 std::span<const Grain> owned, std::span<const ContactRecord> contacts,
                 std::span<const Wall> walls) {
    const auto grains = sorted_over_ranks(
        communicator, owned, [](const Grain& grain) { return grain.id; }, &Grain::id);
    const auto links = sorted_over_ranks(
        communicator, contacts, [](const ContactRecord& contact) { return contact.first; },
        [](const ContactRecord& contact) { return std::tuple(contact.first, contact.second); });
    const auto twin = std::ranges::adjacent_find(grains, {}, &Grain::id);
    if (communicator.any(twin != grains.end()))
        throw std::logic_error("write_state: two particles have the same id");

    const auto hash = state_hash(communicator, grains, links);
    const auto own_walls = communicator.rank() == 0 ? walls : std::span<const Wall>{};
    const auto data = merge_over_ranks(communicator, data_hash(grains, links, own_walls));
    const Table tables[] = {table_of<Grain>("particles", grain_columns(), grains),
                            table_of<ContactRecord>("contacts", contact_columns(), links)};
    write_tables(communicator, path, tables, [&](hid_t file) {
        make_state_attributes(file, header, hash, data);
        make_walls(file, "walls", walls);
    });
}

StateHash state_hash(std::span<const Grain> grains, std::span<const ContactRecord> contacts) {
    const auto bits = [](double x) { return StateHash::bits(x); };
    StateHash hash;
    for (const auto& [id, position, radius, velocity, spin, material] : grains)
        hash.add(std::array{id, bits(position.x), bits(position.y), bits(position.z), bits(velocity.x),
                            bits(velocity.y), bits(velocity.z), bits(spin.x), bits(spin.y), bits(spin.z)});
    for (const auto& [first, second, normal, gap, impulse, torque, bond] : contacts) {
        if (impulse != Vec3{0, 0, 0})
            hash.add(std::array{first, second, bits(impulse.x), bits(impulse.y), bits(impulse.z)});
        if (bond != 0 || torque != Vec3{0, 0, 0})
            hash.add(std::array{first, second, static_cast<std::uint64_t>(bond), bits(torque.x),
                                bits(torque.y), bits(torque.z)});
    }
    return hash;
}

StateHash merge_over_ranks(const Communicator& communicator, const StateHash& part) {
    auto words = part.words();
    communicator.sum(std::span(words));
    return StateHash(words);
}

StateHash state_hash(const Communicator& communicator, std::span<const Grain> owned,
                     std::span<const ContactRecord> contacts) {
    return merge_over_ranks(communicator, state_hash(owned, contacts));
}

} // namespace tamp
