#pragma once

#include <vtkSmartPointer.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/boundaries/outline.hpp"
#include "tamp/insitu/colour_ranges.hpp"
#include "tamp/insitu/pictures.hpp"
#include "tamp/measure/fields.hpp"
#include "tamp/measure/view.hpp"

class vtkImageData;
class vtkPolyData;

namespace tamp {

/// A range with the unit of its values.
struct ShownQuantity {
    ColourRange range;
    std::string unit;
};

/// The state as ParaView's data sets. Columns of the view are lent to ParaView without a copy: the view must
/// outlive every use of a data set. Calls that give ranges are collective.
class DataSets {
public:
    /// Collective.
    DataSets(const Communicator& communicator, const View& view, const Fields& fields,
             std::span<const Wall> walls);

    /// Corners of the box around the grains of all ranks; none without grains.
    const std::optional<std::array<Vec3, 2>>& grains() const { return grains_; }

    /// A vertex each, with point data.
    vtkSmartPointer<vtkPolyData> particles();
    /// A line each, from centre to centre, with cell data; normal_force is point data too.
    vtkSmartPointer<vtkPolyData> contacts();
    /// Cell data on a regular grid. All of it on rank 0, as every rank has the same.
    vtkSmartPointer<vtkImageData> fields();
    /// Edges of the box and of the walls inside, on rank 0, with cell data "wall": -1 for the box. Every rank
    /// has two lines without length (-2) around all that may be seen: ParaView cuts off what a rank draws
    /// beyond the points that it has, and spheres are larger than their centres.
    vtkSmartPointer<vtkPolyData> box();

    std::vector<ShownQuantity> particle_ranges();
    std::vector<ShownQuantity> contact_ranges();
    std::vector<ShownQuantity> field_ranges();

private:
    void derive();
    std::array<Vec3, 2> all_that_is_seen() const;
    std::string stress_unit() const { return view_.box.dimension == 3 ? "Pa" : "N/m"; }

    const Communicator& communicator_;
    const View& view_;
    const Fields& fields_;
    std::span<const Wall> walls_;
    std::optional<std::array<Vec3, 2>> grains_;
    double largest_radius_ = 0;
    bool derived_ = false;
    std::vector<double> speed_, pressure_, diameter_;
};

/// How ParaView calls a field: without its group.
std::string array_name(const Quantity& quantity);

} // namespace tamp
