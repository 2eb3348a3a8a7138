#pragma once

#include <bit>
#include <span>
#include <vector>

#include "tamp/io/state_file.hpp"
#include "tamp/solver/rigid_history.hpp"

namespace tamp {

/// A contact of a rigid run with all laws, as tests write it down.
struct ContactRecord {
    std::uint64_t first = 0, second = 0; ///< ids; `second` may be a wall
    Vec3 normal{0, 0, 0};
    double gap = 0;
    Vec3 impulse{0, 0, 0}, torque{0, 0, 0};
    std::int64_t bond = 0;

    friend bool operator==(const ContactRecord&, const ContactRecord&) = default;
};

inline StateTables tables_of(std::span<const Grain> grains, std::span<const ContactRecord> contacts) {
    StateTables tables{particle_table(grains),
                       {state_contact_columns(RigidHistory::columns({.cohesion = true, .torques = true}))}};
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    for (const auto& [first, second, normal, gap, impulse, torque, bond] : contacts)
        tables.contacts.words.insert(tables.contacts.words.end(),
                                     {first, second, bits(normal.x), bits(normal.y), bits(normal.z),
                                      bits(gap), bits(impulse.x), bits(impulse.y), bits(impulse.z),
                                      static_cast<std::uint64_t>(bond), bits(torque.x), bits(torque.y),
                                      bits(torque.z)});
    return tables;
}

inline StateHash table_hash(std::span<const Grain> grains, std::span<const ContactRecord> contacts) {
    return table_hash(tables_of(grains, contacts));
}

inline StateHash state_hash(const StateHeader& header, std::span<const Grain> grains,
                            std::span<const ContactRecord> contacts, std::span<const Wall> walls) {
    StateHash hash = table_hash(grains, contacts);
    hash.merge(shared_hash(header, walls));
    return hash;
}

inline std::vector<ContactRecord> contacts_of(const WordTable& table) {
    std::vector<ContactRecord> contacts;
    for (std::size_t r = 0; r < table.rows(); ++r) {
        const auto row = table.row(r);
        const auto number = [&](std::size_t k) { return std::bit_cast<double>(row[k]); };
        const auto vector = [&](std::size_t k) { return Vec3{number(k), number(k + 1), number(k + 2)}; };
        contacts.push_back(
            {row[0], row[1], vector(2), number(5), vector(6), vector(10), static_cast<std::int64_t>(row[9])});
    }
    return contacts;
}

} // namespace tamp
