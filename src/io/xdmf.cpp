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
        line(6,
             R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}">{}:/{}/{}</DataItem>)",
             type, column.number_bytes(), shape, snapshot_path(entry.step), group, column.name);
    }

    void grid(const char* name, const SnapshotGroup& group, const SnapshotEntry& entry, std::uint64_t count,
              const char* cells, const char* centre) {
        if (count == 0)
            return;
        line(4, R"(<Grid Name="{}" GridType="Uniform">)", name);
        for (const auto& column : group.columns) {
            if (column.shown == Shown::no)
                continue;
            const char* element = "Attribute";
            if (column.shown == Shown::points) {
                element = "Geometry";
                line(5, R"(<Geometry GeometryType="XYZ">)");
            } else if (column.shown == Shown::cells) {
                element = "Topology";
                line(5, R"(<Topology TopologyType="{}" NodesPerElement="{}" NumberOfElements="{}">)", cells,
                     column.width, count);
            } else {
                line(5, R"(<Attribute Name="{}" AttributeType="{}" Center="{}">)", column.name,
                     type_of(column.shown), centre);
            }
            item(column, entry, group.name, count);
            line(5, "</{}>", element);
        }
        line(4, "</Grid>");
    }

private:
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

std::string xdmf_text(std::span<const SnapshotEntry> entries) {
    Xdmf file;
    file.line(0, R"(<?xml version="1.0" encoding="UTF-8"?>)");
    file.line(0, R"(<Xdmf Version="2.0">)");
    file.line(1, "<Domain>");
    file.line(2, R"(<Grid Name="snapshots" GridType="Collection" CollectionType="Temporal">)");
    for (const auto& entry : entries) {
        file.line(3, R"(<Grid Name="{}" GridType="Collection" CollectionType="Spatial">)",
                  snapshot_name(entry.step));
        file.line(4, R"(<Time Value="{}"/>)", entry.time);
        file.grid("particles", particle_group(), entry, entry.particles, "Polyvertex", "Node");
        file.grid("force_network", contact_group(), entry, entry.contacts, "Polyline", "Cell");
        file.line(3, "</Grid>");
    }
    file.line(2, "</Grid>");
    file.line(1, "</Domain>");
    file.line(0, "</Xdmf>");
    return std::move(file.text);
}

} // namespace tamp
