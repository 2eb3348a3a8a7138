#include "tamp/io/state_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "tamp/io/collective_file.hpp"
#include "tamp/io/hdf5.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/seal.hpp"
#include "tamp/io/sorted_over_ranks.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

namespace {

/// Every rank writes its slab for itself. Collective transfers gain nothing for whole slabs, took twice as
/// long, and Open MPI's hang when one rank meets a full disk.
void write_slab(hid_t dataset, const Column& column, const Slab& slab, std::span<const std::byte> words) {
    const Hdf5Handle in_file(hdf5_check(H5Dget_space(dataset)), H5Sclose);
    const hsize_t word_count = slab.count * column.width;
    const Hdf5Handle in_memory(hdf5_check(H5Screate_simple(1, &word_count, nullptr)), H5Sclose);
    const hsize_t begin[] = {slab.begin, 0}, count[] = {slab.count, column.width};
    hdf5_check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin, nullptr, count, nullptr));
    const Hdf5Handle transfer(hdf5_check(H5Pcreate(H5P_DATASET_XFER)), H5Pclose);
    hdf5_check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT));
    hdf5_check(H5Dwrite(dataset, memory_type(column.kind), in_memory, in_file, transfer, words.data()));
}

/// Fills the datasets of one group. Opening one is collective, because it allots its space in the file: every
/// rank opens all, also without records and after a failure.
template <class Record>
void fill_group(const std::string& path, hid_t file, const std::string& group,
                std::span<const Column> columns, const Slab& slab, std::span<const Record> records,
                std::string& problem) {
    if (slab.total == 0)
        return;
    for (const auto& column : columns) {
        const auto trouble = problem_of(path, [&] {
            const auto name = group + "/" + column.name;
            const Hdf5Handle dataset(hdf5_check(H5Dopen2(file, name.c_str(), H5P_DEFAULT)), H5Dclose);
            if (slab.count > 0 && problem.empty())
                write_slab(dataset, column, slab, gather(column, std::as_bytes(records), sizeof(Record)));
        });
        if (problem.empty())
            problem = trouble;
    }
}

/// All ranks fill the file that rank 0 prepared. Collective, also when it fails.
std::string fill_state(const Communicator& communicator, const std::string& path,
                       std::span<const Grain> grains, const Slab& grain_slab,
                       std::span<const ContactRecord> contacts, const Slab& contact_slab) {
    const auto access = parallel_access(communicator);
    Hdf5Handle file;
    auto problem = problem_of(path, [&] {
        file = Hdf5Handle(hdf5_check(H5Fopen(partial_path(path).c_str(), H5F_ACC_RDWR, access)), H5Fclose);
    });
    agree(communicator, path, problem);
    fill_group(path, file, "particles", grain_columns(), grain_slab, grains, problem);
    fill_group(path, file, "contacts", contact_columns(), contact_slab, contacts, problem);
    for (const auto& trouble : {problem_of(path, [&] { hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL)); }),
                                problem_of(path, [&] { hdf5_check(file.close()); })})
        if (problem.empty())
            problem = trouble;
    return problem;
}

} // namespace

void write_state(const Communicator& communicator, const std::string& path, const StateHeader& header,
                 std::span<const Grain> owned, std::span<const ContactRecord> contacts,
                 std::span<const Wall> walls) {
    const QuietHdf5 quiet;
    const auto grains = sorted_over_ranks(
        communicator, owned, [](const Grain& grain) { return grain.id; }, &Grain::id);
    const auto links = sorted_over_ranks(
        communicator, contacts, [](const ContactRecord& contact) { return contact.first; },
        [](const ContactRecord& contact) { return std::tuple(contact.first, contact.second); });
    const auto twin = std::ranges::adjacent_find(grains, {}, &Grain::id);
    if (communicator.any(twin != grains.end()))
        throw std::logic_error("write_state: two particles have the same id");

    const auto grain_slab = slab_of(communicator, grains.size());
    const auto contact_slab = slab_of(communicator, links.size());
    const auto hash = state_hash(communicator, grains, links);
    const auto own_walls = communicator.rank() == 0 ? walls : std::span<const Wall>{};
    const auto data = merge_over_ranks(communicator, data_hash(grains, links, own_walls));

    // Rank 0 makes the structure in memory and reserves the space for all. What is left to the collective
    // part is to overwrite blocks that exist: HDF5 does not survive a file whose last metadata find no room
    // on the disk.
    std::string problem;
    std::vector<std::byte> image;
    if (communicator.rank() == 0) {
        problem = problem_of(path, [&] {
            image = state_image(header, grain_slab.total, contact_slab.total, walls, hash, data);
        });
        constexpr std::size_t slack = 1 << 16; // gaps that HDF5 leaves between datasets
        const auto total = image.size() + grain_slab.total * sizeof(Grain) +
                           contact_slab.total * sizeof(ContactRecord) + slack;
        if (problem.empty())
            problem = reserve_partial(path, image, total);
    }
    agree(communicator, path, problem);
    agree(communicator, path,
          probe_partial(path)); // a collective open that fails on one rank only would hang

    agree(communicator, path, fill_state(communicator, path, grains, grain_slab, links, contact_slab));
    if (communicator.rank() == 0) {
        problem = append_seal(partial_path(path), image.size()); // the data have their hash
        if (problem.empty())
            problem = publish_partial(path);
    }
    agree(communicator, path, problem);
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
