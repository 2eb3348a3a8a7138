#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "tamp/io/snapshot_index.hpp"
#include "tamp/io/snapshot_layout.hpp"

namespace tamp {

namespace {

/// Writes the XML. All XDMF readers of ParaView must understand it (one sees no cells without their points,
/// another one complains of grids that are empty), so it uses little of the language.
class Xdmf {
public:
    explicit Xdmf(const OlderSnapshots& older) : older_(older) {}

    std::string text;

    template <class... Arguments>
    void line(int depth, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        text.append(static_cast<std::size_t>(depth), ' ');
        fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
        text += '\n';
    }

    void item(const SnapshotColumn& column, const SnapshotEntry& entry, const char* group,
              std::uint64_t count) {
        // HDF5 converts on reading; one of the readers knows no unsigned integers of 64 bits.
        const char* type = column.number == SnapshotNumber::real ? "Float" : "Int";
        const auto rows = count * column.points;
        const auto shape =
            column.width == 1 ? fmt::format("{}", rows) : fmt::format("{} {}", rows, column.width);
        line(5,
             R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}">{}:/{}/{}</DataItem>)",
             type, column.number_bytes(), shape, snapshot_path(entry.step), group, column.name);
    }

    /// One kind of grid over all times. (Were both kinds listed time by time, XDMFReader would give them
    /// another name at every time, and no filter could choose one of them.)
    void series(const char* name, const SnapshotGroup& group, std::span<const SnapshotEntry> entries,
                std::uint64_t SnapshotEntry::*count, const char* cells, const char* centre) {
        if (std::ranges::all_of(entries, [&](const SnapshotEntry& entry) { return entry.*count == 0; }))
            return;
        line(2, R"(<Grid Name="{}" GridType="Collection" CollectionType="Temporal">)", name);
        for (const auto& entry : entries)
            if (entry.*count > 0)
                grid(name, group, entry, entry.*count, cells, centre);
        line(2, "</Grid>");
    }

private:
    void grid(const char* name, const SnapshotGroup& group, const SnapshotEntry& entry, std::uint64_t count,
              const char* cells, const char* centre) {
        line(3, R"(<Grid Name="{}" GridType="Uniform">)", name);
        line(4, R"(<Time Value="{}"/>)", entry.time);
        for (const auto& column : group.columns) {
            const bool there =
                entry.step > older_.until || older_.columns.contains(group.name + ("/" + column.name));
            if (column.shown == Shown::no || !there)
                continue;
            const char* element = "Attribute";
            if (column.shown == Shown::points) {
                element = "Geometry";
                line(4, R"(<Geometry GeometryType="XYZ">)");
            } else if (column.shown == Shown::cells) {
                element = "Topology";
                line(4, R"(<Topology TopologyType="{}" NodesPerElement="{}" NumberOfElements="{}">)", cells,
                     column.width, count);
            } else {
                line(4, R"(<Attribute Name="{}" AttributeType="{}" Center="{}">)", column.name,
                     type_of(column.shown), centre);
            }
            item(column, entry, group.name, count);
            line(4, "</{}>", element);
        }
        line(3, "</Grid>");
    }

    const OlderSnapshots& older_;

    static const char* type_of(Shown shown) {
        switch (shown) {
        case Shown::vector:
            return "Vector";
        case Shown::tensor:
            return "Matrix"; // Tensor6 has another order of its components
        default:
            return "Scalar";
        }
    }
};

} // namespace

std::string xdmf_text(const SnapshotGroups& groups, std::span<const SnapshotEntry> entries,
                      const OlderSnapshots& older) {
    Xdmf file(older);
    file.line(0, R"(<?xml version="1.0" encoding="UTF-8"?>)");
    file.line(0, R"(<Xdmf Version="2.0">)");
    file.line(1, "<Domain>");
    file.series("particles", groups.particles, entries, &SnapshotEntry::particles, "Polyvertex", "Node");
    file.series("force_network", groups.contacts, entries, &SnapshotEntry::contacts, "Polyline", "Cell");
    file.line(1, "</Domain>");
    file.line(0, "</Xdmf>");
    return std::move(file.text);
}

} // namespace tamp
