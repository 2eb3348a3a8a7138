#include "data_sets.hpp"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace tamp {
namespace {

template <class T>
using Array = vtkAOSDataArrayTemplate<T>;

/// A view of numbers that somebody else owns; VTK takes pointers to what it may change, but changes no input.
template <class T>
vtkSmartPointer<Array<T>> lent(const char* name, const T* values, std::size_t tuples, int components = 1) {
    const auto array = vtkSmartPointer<Array<T>>::New();
    array->SetName(name);
    array->SetNumberOfComponents(components);
    constexpr int keep = 1;
    array->SetArray(const_cast<T*>(values), static_cast<vtkIdType>(tuples) * components, keep);
    return array;
}

template <class T>
vtkSmartPointer<Array<T>> lent(const char* name, const std::vector<T>& column) {
    return lent(name, column.data(), column.size());
}

vtkSmartPointer<Array<double>> lent(const char* name, const std::vector<Vec3>& column) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    return lent(name, column.empty() ? nullptr : &column.front().x, column.size(), 3);
}

vtkSmartPointer<Array<double>> lent(const char* name, const std::vector<SymmetricTensor>& column) {
    static_assert(sizeof(SymmetricTensor) == 6 * sizeof(double));
    return lent(name, column.empty() ? nullptr : column.front().data(), column.size(), 6);
}

/// The columns that an engine or a protocol declared.
void add_declared(const ColumnTable& table, vtkDataSetAttributes* to) {
    for (std::size_t k = 0; k < table.columns().size(); ++k) {
        const ColumnInfo& column = table.columns()[k];
        const auto width = static_cast<int>(column.width);
        if (column.kind == WordKind::real)
            to->AddArray(lent(column.name.c_str(), table.reals(k).data(), table.rows(), width));
        else
            to->AddArray(lent(column.name.c_str(), table.integers(k).data(), table.rows(), width));
    }
}

/// Cells of `points` points each, numbered one after the other; 32 bits a number while they suffice.
vtkSmartPointer<vtkCellArray> consecutive_cells(std::size_t cells, int points) {
    const auto result = vtkSmartPointer<vtkCellArray>::New();
    const auto fill = [&]<class Storage>(Storage* offsets, Storage* connectivity) {
        offsets->SetNumberOfValues(static_cast<vtkIdType>(cells) + 1);
        connectivity->SetNumberOfValues(static_cast<vtkIdType>(cells) * points);
        for (vtkIdType c = 0; c < offsets->GetNumberOfValues(); ++c)
            offsets->SetValue(c, static_cast<typename Storage::ValueType>(c * points));
        std::iota(connectivity->Begin(), connectivity->End(), 0);
        result->SetData(offsets, connectivity);
    };
    if (cells * static_cast<std::size_t>(points) < 0x7fffffff) {
        const vtkNew<vtkTypeInt32Array> offsets, connectivity;
        fill(offsets.Get(), connectivity.Get());
    } else {
        const vtkNew<vtkTypeInt64Array> offsets, connectivity;
        fill(offsets.Get(), connectivity.Get());
    }
    return result;
}

std::vector<ShownQuantity> with_units(std::vector<ColourRange> ranges, std::span<const std::string> units) {
    std::vector<ShownQuantity> shown;
    for (std::size_t c = 0; c < ranges.size(); ++c)
        shown.push_back({std::move(ranges[c]), units[c]});
    return shown;
}

/// Of vectors and tensors; scalars keep their sign.
std::vector<double> magnitudes(const Quantity& quantity, std::size_t components) {
    if (components == 1)
        return quantity.values;
    std::vector<double> result(quantity.values.size() / components);
    for (std::size_t i = 0; i < result.size(); ++i) {
        double square = 0;
        for (std::size_t k = 0; k < components; ++k)
            square += quantity.values[i * components + k] * quantity.values[i * components + k];
        result[i] = std::sqrt(square);
    }
    return result;
}

std::size_t components_of(const Quantity& quantity) {
    return quantity.shape.size() == 4 ? quantity.shape.back() : 1;
}

} // namespace

std::string array_name(const Quantity& quantity) {
    return quantity.name.substr(quantity.name.rfind('/') + 1); // npos + 1 is 0
}

DataSets::DataSets(const Communicator& communicator, const View& view, const Fields& fields,
                   std::span<const Wall> walls)
    : communicator_(communicator), view_(view), fields_(fields), walls_(walls) {
    constexpr double nowhere = -std::numeric_limits<double>::infinity();
    std::array<double, 7> far; // minus the lower corner, the upper corner, the largest radius
    far.fill(nowhere);
    const ParticleView& particles = view.particles;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const double radius = particles.radius[i];
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const double reach = axis < view.box.dimension ? radius : 0;
            far[a] = std::max(far[a], reach - particles.position[i][axis]);
            far[3 + a] = std::max(far[3 + a], reach + particles.position[i][axis]);
        }
        far[6] = std::max(far[6], radius);
    }
    communicator.max(far);
    if (far[6] == nowhere)
        return;
    grains_ = {Vec3{-far[0], -far[1], -far[2]}, Vec3{far[3], far[4], far[5]}};
    largest_radius_ = far[6];
}

void DataSets::derive() {
    if (derived_)
        return;
    derived_ = true;
    const ParticleView& particles = view_.particles;
    speed_.resize(particles.size()), pressure_.resize(particles.size()), diameter_.resize(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        speed_[i] = norm(particles.velocity[i]);
        pressure_[i] = particles.pressure(i, view_.box.dimension);
        diameter_[i] = 2 * particles.radius[i];
    }
}

vtkSmartPointer<vtkPolyData> DataSets::particles() {
    derive();
    const ParticleView& from = view_.particles;
    const auto result = vtkSmartPointer<vtkPolyData>::New();
    const vtkNew<vtkPoints> points;
    points->SetData(lent("position", from.position));
    result->SetPoints(points);
    result->SetVerts(consecutive_cells(from.size(), 1));
    vtkPointData* to = result->GetPointData();
    to->AddArray(lent("id", from.id));
    to->AddArray(lent("radius", from.radius));
    to->AddArray(lent("diameter", diameter_));
    to->AddArray(lent("mass", from.mass));
    to->AddArray(lent("velocity", from.velocity));
    to->AddArray(lent("speed", speed_));
    to->AddArray(lent("angular_velocity", from.angular_velocity));
    to->AddArray(lent("material", from.material));
    to->AddArray(lent("coordination", from.coordination));
    add_declared(from.attributes, to);
    to->AddArray(lent("stress", from.stress));
    to->AddArray(lent("pressure", pressure_));
    return result;
}

vtkSmartPointer<vtkPolyData> DataSets::contacts() {
    const ContactView& from = view_.contacts;
    const auto result = vtkSmartPointer<vtkPolyData>::New();
    const vtkNew<vtkPoints> points;
    points->SetDataTypeToFloat(); // a copy, as the ends are columns of their own; only to be looked at
    points->SetNumberOfPoints(2 * static_cast<vtkIdType>(from.size()));
    const vtkNew<Array<double>> force;
    force->SetName("normal_force");
    force->SetNumberOfValues(2 * static_cast<vtkIdType>(from.size()));
    for (std::size_t c = 0; c < from.size(); ++c) {
        const auto p = 2 * static_cast<vtkIdType>(c);
        points->SetPoint(p, &from.from[c].x);
        points->SetPoint(p + 1, &from.to[c].x);
        force->SetValue(p, from.normal_force[c]);
        force->SetValue(p + 1, from.normal_force[c]);
    }
    result->SetPoints(points);
    result->SetLines(consecutive_cells(from.size(), 2));
    result->GetPointData()->AddArray(force);
    vtkCellData* to = result->GetCellData();
    to->AddArray(lent("first", from.first));
    to->AddArray(lent("second", from.second));
    to->AddArray(lent("normal", from.normal));
    to->AddArray(lent("gap", from.gap));
    to->AddArray(lent("force", from.force));
    to->AddArray(lent("normal_force", from.normal_force));
    to->AddArray(lent("tangential_force", from.tangential_force));
    to->AddArray(lent("mobilisation", from.mobilisation));
    add_declared(from.history, to);
    return result;
}

vtkSmartPointer<vtkImageData> DataSets::fields() {
    const auto result = vtkSmartPointer<vtkImageData>::New();
    const FieldGrid& grid = fields_.grid;
    double spacing[3];
    for (int axis = 0; axis < 3; ++axis)
        spacing[axis] = (grid.upper[axis] - grid.lower[axis]) / grid.cells[static_cast<std::size_t>(axis)];
    for (double& width : spacing)
        if (width == 0) // two dimensions
            width = 1;
    result->SetOrigin(grid.lower.x, grid.lower.y, grid.lower.z);
    result->SetSpacing(spacing);
    const bool mine = communicator_.rank() == 0 && !fields_.values.empty();
    if (mine)
        result->SetExtent(0, grid.cells[0], 0, grid.cells[1], 0,
                          view_.box.dimension == 3 ? grid.cells[2] : 0);
    for (const Quantity& quantity : fields_.values) {
        const std::size_t components = components_of(quantity);
        const std::size_t cells = mine ? quantity.values.size() / components : 0;
        result->GetCellData()->AddArray(
            lent(array_name(quantity).c_str(), quantity.values.data(), cells, static_cast<int>(components)));
    }
    return result;
}

std::array<Vec3, 2> DataSets::all_that_is_seen() const {
    const double margin = 2 * largest_radius_; // contacts reach that far across periodic boundaries
    const auto [lower, upper] = grains_.value_or(std::array{view_.box.lower, view_.box.upper});
    std::array<Vec3, 2> corners;
    for (int axis = 0; axis < 3; ++axis) {
        corners[0][axis] = std::min(lower[axis], view_.box.lower[axis]) - margin;
        corners[1][axis] = std::max(upper[axis], view_.box.upper[axis]) + margin;
    }
    return corners;
}

vtkSmartPointer<vtkPolyData> DataSets::box() {
    const auto result = vtkSmartPointer<vtkPolyData>::New();
    const vtkNew<vtkPoints> points;
    const vtkNew<vtkCellArray> lines;
    const vtkNew<vtkTypeInt32Array> wall;
    wall->SetName("wall");
    const auto add = [&](const OutlineLine& line) {
        lines->InsertNextCell(static_cast<int>(line.points.size()));
        for (const Vec3& point : line.points)
            lines->InsertCellPoint(points->InsertNextPoint(point.x, point.y, point.z));
        wall->InsertNextValue(line.wall);
    };
    for (const Vec3& corner : all_that_is_seen())
        add({{corner, corner}, -2});
    if (communicator_.rank() == 0)
        for (const OutlineLine& line : outline(view_.box, walls_))
            add(line);
    result->SetPoints(points);
    result->SetLines(lines);
    result->GetCellData()->AddArray(wall);
    return result;
}

std::vector<ShownQuantity> DataSets::particle_ranges() {
    derive();
    const ParticleView& from = view_.particles;
    const std::vector<double> coordination(from.coordination.begin(), from.coordination.end());
    const std::vector<double> material(from.material.begin(), from.material.end());
    const ColourColumn columns[] = {{"radius", from.radius}, {"diameter", diameter_},
                                    {"speed", speed_},       {"pressure", pressure_},
                                    {"material", material},  {"coordination", coordination}};
    static_assert(std::size(columns) == particle_colours.size());
    const std::string units[] = {"m", "m", "m/s", stress_unit(), "", ""};
    return with_units(colour_ranges(communicator_, columns), units);
}

std::vector<ShownQuantity> DataSets::contact_ranges() {
    const ContactView& from = view_.contacts;
    const ColourColumn columns[] = {{"normal_force", from.normal_force},
                                    {"tangential_force", from.tangential_force},
                                    {"mobilisation", from.mobilisation},
                                    {"gap", from.gap}};
    static_assert(std::size(columns) == contact_colours.size());
    const std::string units[] = {"N", "N", "", "m"};
    return with_units(colour_ranges(communicator_, columns), units);
}

std::vector<ShownQuantity> DataSets::field_ranges() {
    std::vector<std::vector<double>> values;
    std::vector<std::string> units;
    for (const Quantity& quantity : fields_.values) {
        const bool mine = communicator_.rank() == 0; // the same everywhere, counted once
        values.push_back(mine ? magnitudes(quantity, components_of(quantity)) : std::vector<double>());
        units.push_back(quantity.unit == "1" ? "" : quantity.unit);
    }
    std::vector<ColourColumn> columns;
    for (std::size_t q = 0; q < values.size(); ++q)
        columns.push_back({array_name(fields_.values[q]), values[q]});
    return with_units(colour_ranges(communicator_, columns), units);
}

} // namespace tamp
