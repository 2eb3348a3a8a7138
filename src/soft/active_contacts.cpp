#include "tamp/soft/active_contacts.hpp"

#include <algorithm>

namespace tamp::soft {
/// Where the words of a row of a history lie: columns are apart from each other there.
class ActiveContacts::WordPlaces {
public:
    explicit WordPlaces(ColumnTable& table) {
        for (std::size_t k = 0; k < table.columns().size(); ++k) {
            const std::size_t width = table.columns()[k].width;
            for (std::size_t i = 0; i < width; ++i)
                places_.push_back({table.reals(k).data() + i, width});
        }
    }

    double& operator()(std::size_t word, std::int32_t row) const {
        return places_[word].first[static_cast<std::size_t>(row) * places_[word].stride];
    }

private:
    struct Place {
        double* first;
        std::size_t stride;
    };
    std::vector<Place> places_;
};

ActiveContacts::ActiveContacts(const MaterialTable& materials, const SoftSettings& settings,
                               bool follow_energy)
    : layout_(materials, follow_energy), laws_(materials, settings.dashpot_after_slip) {}

void ActiveContacts::take(const Box& box, const ParticleStore& store, std::span<const Wall> walls,
                          ContactLists& lists, double margin, std::span<const int> tile_order,
                          std::size_t boundary) {
    batches_.clear(), rows_.clear(), ranges_.clear();
    count_ = 0;
    batches_of_tile_.assign(lists.pairs.tile_begin.empty() ? 0 : lists.pairs.tile_begin.size() - 1, 0);
    const NearestImage nearest(box);
    std::vector<Candidate> contacts;
    const PairList& pairs = lists.pairs;
    const WallList& list = lists.walls;
    const WordPlaces of_pairs(lists.pair_history), of_walls(lists.wall_history);
    // If all candidates were near; the last batch of a range may have a single contact.
    const std::size_t most = (pairs.size() + list.size()) / lanes +
                             tile_order.size() * static_cast<std::size_t>(laws_.kinds()) * (1 + walls.size());
    batches_.reserve(most), rows_.reserve(lanes * most);
    // And what a search carries through the lent memory: an eighth more rows, their keys, and an index.
    constexpr std::size_t keys_and_index = 5;
    const auto words = static_cast<std::size_t>(layout_.words);
    memory_.make_room((words + (words + 7) / 8 + keys_and_index) * most);
    boundary_end_ = 0;
    for (std::size_t t = 0; t < tile_order.size(); ++t) {
        const auto slot = static_cast<std::size_t>(tile_order[t]);
        contacts.clear();
        for (std::int32_t row = pairs.tile_begin[slot]; row < pairs.tile_begin[slot + 1]; ++row) {
            const auto c = static_cast<std::size_t>(row);
            const auto i = static_cast<std::size_t>(pairs.first[c]),
                       j = static_cast<std::size_t>(pairs.second[c]);
            const Sphere &a = store.sphere[i], &b = store.sphere[j];
            const Vec3 apart = b.centre - a.centre, branch = nearest(apart);
            const int kind = laws_.kind(store.material[i], store.material[j]);
            const double reach = laws_[kind].reach() * (a.radius + b.radius) + margin;
            if (dot(branch, branch) < reach * reach)
                contacts.push_back({kind, row, pairs.first[c], pairs.second[c], branch != apart});
        }
        add_tile(contacts, -1, of_pairs, slot);
        // A tile's wall contacts lie wall by wall.
        for (std::int32_t row = list.tile_begin[slot]; row < list.tile_begin[slot + 1];) {
            const std::int32_t w = list.wall[static_cast<std::size_t>(row)];
            const Wall& wall = walls[static_cast<std::size_t>(w)];
            contacts.clear();
            for (; row < list.tile_begin[slot + 1] && list.wall[static_cast<std::size_t>(row)] == w; ++row) {
                const auto c = static_cast<std::size_t>(row), i = static_cast<std::size_t>(list.body[c]);
                const int kind = laws_.kind(wall.material, store.material[i]);
                const double radius = store.sphere[i].radius;
                if (wall.gap(store.sphere[i].centre, radius) < (laws_[kind].reach() - 1) * radius + margin)
                    contacts.push_back({kind, row, w, list.body[c], false});
            }
            add_tile(contacts, w, of_walls, slot);
        }
        if (t + 1 == boundary)
            boundary_end_ = ranges_.size();
    }
}

/// By kind, each of which has batches of its own.
void ActiveContacts::add_tile(std::vector<Candidate>& contacts, int wall, const WordPlaces& place,
                              std::size_t slot) {
    const std::size_t before = batches_.size();
    if (laws_.kinds() > 1)
        std::ranges::stable_sort(contacts, {}, &Candidate::kind);
    for (auto begin = contacts.begin(); begin != contacts.end();) {
        const auto end =
            std::find_if(begin, contacts.end(), [&](const Candidate& c) { return c.kind != begin->kind; });
        add_range({begin, end}, wall, place);
        begin = end;
    }
    batches_of_tile_[slot] += static_cast<std::int64_t>(batches_.size() - before);
}

void ActiveContacts::add_range(std::span<const Candidate> contacts, int wall, const WordPlaces& place) {
    const std::size_t words = static_cast<std::size_t>(layout_.words), begin = batches_.size();
    const std::size_t count = (contacts.size() + lanes - 1) / lanes;
    batches_.resize(begin + count);
    rows_.resize(lanes * (begin + count), -1);
    for (std::size_t k = 0; k < lanes * count; ++k) {
        const bool used = k < contacts.size();
        const std::size_t batch = begin + k % count, lane = k / count;
        const Candidate& contact = contacts[used ? k : k % count];
        batches_[batch].first[lane] =
            place_of(wall < 0 ? contact.first : contact.second); // a wall is no body
        batches_[batch].second[lane] = place_of(contact.second);
        rows_[lanes * batch + lane] = used ? contact.row : -1;
        for (std::size_t word = 0; word < words; ++word)
            memory_.row(words * batch + word)[lane] = used ? place(word, contact.row) : 0.0;
    }
    ranges_.push_back({.begin = static_cast<std::int32_t>(begin),
                       .end = static_cast<std::int32_t>(begin + count),
                       .count = static_cast<std::int32_t>(contacts.size()),
                       .kind = contacts.front().kind,
                       .wall = wall,
                       .across = std::ranges::any_of(contacts, &Candidate::across)});
    count_ += static_cast<std::int64_t>(contacts.size());
}

void ActiveContacts::give_back(ContactLists& lists) const {
    const auto words = static_cast<std::size_t>(layout_.words);
    const WordPlaces of_pairs(lists.pair_history), of_walls(lists.wall_history);
    for (const BatchRange& range : ranges_) {
        const WordPlaces& place = range.wall < 0 ? of_pairs : of_walls;
        for (auto b = static_cast<std::size_t>(range.begin); b < static_cast<std::size_t>(range.end); ++b)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::int32_t to = rows_[lanes * b + lane];
                if (to < 0)
                    continue;
                for (std::size_t word = 0; word < words; ++word)
                    place(word, to) = memory_.row(words * b + word)[lane];
            }
    }
}

void ActiveContacts::release() {
    std::vector<Batch>().swap(batches_);
    std::vector<std::int32_t>().swap(rows_);
    ranges_.clear();
    boundary_end_ = 0;
    memory_.release();
}

std::span<std::byte> ActiveContacts::lend() {
    ranges_.clear(); // nobody is to find its memory here any more
    boundary_end_ = 0;
    return memory_.bytes();
}

void ActiveContacts::note(const KernelReport& report) {
    report_.overlap = std::max(report_.overlap, report.overlap);
    report_.touching += report.touching;
    report_.too_strong |= report.too_strong;
}

void ActiveContacts::add_forces(const KernelTask& task, std::span<const Wall> walls,
                                std::span<ForceSum> on_walls, std::span<const BatchRange> ranges) {
    for (const BatchRange& range : ranges) {
        const PairLaws& laws = laws_[range.kind];
        const auto w = static_cast<std::size_t>(range.wall);
        const Batch* batches = batches_.data() + range.begin;
        double* memory = memory_.row(static_cast<std::size_t>(range.begin * layout_.words));
        note(range.wall < 0 ? add_pair_forces(task, laws, range, batches, memory)
                            : add_wall_forces(task, laws, walls[w], range, batches, memory, on_walls[w]));
    }
}

} // namespace tamp::soft
