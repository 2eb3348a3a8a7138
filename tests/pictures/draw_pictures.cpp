// Draws pictures of a small packing, for the scripts beside this file.
//
//   draw_pictures FOLDER [spheres|discs|lattice|corner|pair|dense:COUNT] [frames:N] [grid:SHARE]
//                 {[frame:box] [zoom:Z] [camera:X,Y,Z] NAME=SCRIPT[:COLOUR]}...
//
// The grid of the fields ends at this share of the box's height, as under a piston. Frame, zoom and camera
// are those of all pictures named after them. Prints the warnings, and what the pictures cost. Ends with 0
// whatever becomes of the pictures, as a run would.

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "../bench/packing.hpp"
#include "../parallel/cases.hpp"
#include "tamp/insitu/pictures.hpp"
#include "tamp/mpi/session.hpp"

namespace tamp {
namespace {

/// Spheres that a piston presses together.
test::RankCase pressed() {
    test::RankCase result =
        test::start_case(test::make_box(8, 8, 14, {test::periodic, test::periodic, test::walled}), 100);
    test::fill(result, test::spheres(result.setup.box, 500, 0.1, 0, 0.9));
    result.setup.walls.push_back(test::piston(13, 0.5));
    result.steps = 500;
    return result;
}

/// Discs that do not touch, in eight columns and five rows; those of even columns are half as large.
test::RankCase lattice() {
    test::RankCase result =
        test::start_case(test::make_box(16, 10, 0, {test::periodic, test::periodic, test::open}));
    for (std::uint64_t i = 0; i < 40; ++i) {
        const auto column = static_cast<double>(i % 8), row = static_cast<double>(i / 8);
        result.grains.push_back({.id = i,
                                 .position = Vec3{2 * column + 1, 2 * row + 1, 0} * test::diameter,
                                 .radius = (i % 2 == 0 ? 0.4 : 0.8) * test::diameter,
                                 .velocity = {0.1 + 0.01 * column, 0, 0}});
    }
    result.setup.gravity = {0, 0, 0};
    result.steps = 0;
    return result;
}

/// Discs in three rows of four, in a corner of a box that is ten times as high as they are.
test::RankCase corner() {
    test::RankCase result =
        test::start_case(test::make_box(40, 40, 0, {test::walled, test::walled, test::open}));
    for (std::uint64_t i = 0; i < 12; ++i) {
        const auto column = static_cast<double>(i % 4), row = static_cast<double>(i / 4);
        result.grains.push_back({.id = i,
                                 .position = Vec3{2 * column + 1, 2 * row + 1, 0} * test::diameter,
                                 .radius = 0.4 * test::diameter,
                                 .velocity = {0.1 + 0.1 * column, 0, 0}});
    }
    result.steps = 0;
    return result;
}

/// Two spheres in a box that is much larger.
test::RankCase pair_of_spheres() {
    test::RankCase result =
        test::start_case(test::make_box(40, 40, 40, {test::walled, test::walled, test::walled}));
    for (std::uint64_t i = 0; i < 2; ++i)
        result.grains.push_back(
            {.id = i,
             .position = Vec3{i ? 3.0 : 1.0, i ? 5.0 : 1.0, i ? 13.0 : 1.0} * test::diameter,
             .radius = 0.5 * test::diameter,
             .velocity = {i ? 0.3 : 0.1, 0, 0}});
    result.steps = 0;
    return result;
}

test::RankCase make_case(const std::string& name) {
    if (name == "lattice")
        return lattice();
    if (name == "corner")
        return corner();
    if (name == "pair")
        return pair_of_spheres();
    if (name == "discs")
        return test::discs();
    if (name.starts_with("dense:")) {
        const DensePacking packing = dense_packing(std::stoll(name.substr(6)));
        test::RankCase result{.setup = packing.setup, .grains = packing.grains, .steps = 3};
        result.setup.solver.max_sweeps = 20;
        return result;
    }
    return pressed();
}

/// Volume fraction and vertical stress in cells, by the cell of the centre: enough for a picture.
Fields simple_fields(const Communicator& communicator, const View& view, double covered) {
    const Int3 cells{4, view.box.dimension == 3 ? 4 : 12, view.box.dimension == 3 ? 12 : 1};
    const auto count = static_cast<std::size_t>(cells[0] * cells[1] * cells[2]);
    std::vector<ExactSum> volume(count), stress(count);
    const int up = view.box.dimension - 1;
    Vec3 top = view.box.upper;
    top[up] = view.box.lower[up] + covered * view.box.length(up);
    for (std::size_t i = 0; i < view.particles.size(); ++i) {
        std::size_t cell = 0;
        for (int axis = up; axis >= 0; --axis) {
            const double share = (view.particles.position[i][axis] - view.box.lower[axis]) /
                                 (top[axis] - view.box.lower[axis]);
            const auto n = static_cast<std::size_t>(cells[static_cast<std::size_t>(axis)]);
            const auto at = static_cast<std::size_t>(std::max(0.0, share * static_cast<double>(n)));
            cell = cell * n + std::min(n - 1, at);
        }
        const double v = grain_volume(view.particles.radius[i], view.box.dimension);
        volume[cell].add(v);
        stress[cell].add(v * view.particles.stress[i][static_cast<std::size_t>(up)]);
    }
    communicator.sum(volume);
    communicator.sum(stress);
    const auto layers = static_cast<std::size_t>(cells[2]), rows = static_cast<std::size_t>(cells[1]),
               columns = static_cast<std::size_t>(cells[0]);
    Quantity fraction{"volume_fraction", "1", "", {}, {layers, rows, columns}};
    Quantity contact_stress{
        "fields/contact_stress", view.box.dimension == 3 ? "Pa" : "N/m", "", {}, {layers, rows, columns, 6}};
    for (std::size_t cell = 0; cell < count; ++cell) {
        const double per_volume = static_cast<double>(count) / (covered * view.box.volume());
        fraction.values.push_back(volume[cell].value() * per_volume);
        for (int k = 0; k < 6; ++k)
            contact_stress.values.push_back(k == up ? stress[cell].value() * per_volume : 0.0);
    }
    return {{view.box.lower, top, cells}, {fraction, contact_stress}};
}

PictureSettings picture(PictureSettings settings, const std::string& argument) {
    const auto equals = argument.find('='), colon = argument.find(':', equals);
    settings.name = argument.substr(0, equals);
    const std::string named = argument.substr(equals + 1, colon - equals - 1);
    const std::string found = find_picture_script(named, ".");
    settings.script = found.empty() ? named : found;
    if (colon != std::string::npos)
        settings.colour = argument.substr(colon + 1);
    return settings;
}

/// Stands for the handler that lets a run end in peace.
void ours(int) {}

int run(const Session& session) {
    const Communicator world = session.world();
    std::string what = "spheres";
    int frames = 1;
    double covered = 1;
    PictureSettings next;
    std::vector<PictureSettings> settings;
    for (std::size_t a = 2; a < session.arguments().size(); ++a) {
        const std::string& argument = session.arguments()[a];
        if (argument.starts_with("frames:"))
            frames = std::stoi(argument.substr(7));
        else if (argument.starts_with("grid:"))
            covered = std::stod(argument.substr(5));
        else if (argument.starts_with("frame:"))
            next.frame = argument == "frame:box" ? PictureFrame::box : PictureFrame::grains;
        else if (argument.starts_with("zoom:"))
            next.zoom = std::stod(argument.substr(5));
        else if (Vec3 v; std::sscanf(argument.c_str(), "camera:%lf,%lf,%lf", &v.x, &v.y, &v.z) == 3)
            next.camera = v;
        else if (argument.find('=') != std::string::npos)
            settings.push_back(picture(next, argument));
        else
            what = argument;
    }
    const test::RankCase setting = make_case(what);
    RigidRun engine(world, setting.setup, setting.grains);
    for (int step = 0; step < setting.steps; ++step) {
        if (setting.before_step)
            setting.before_step(step, engine.walls());
        engine.step(1e9);
    }
    std::vector<std::size_t> due;
    for (std::size_t p = 0; p < settings.size(); ++p)
        due.push_back(p);
    std::signal(SIGINT, ours);
    std::signal(SIGUSR1, ours);
    Pictures pictures(world, session.arguments().at(1), settings,
                      [](const std::string& text) { std::printf("warning: %s\n", text.c_str()); });
    for (int frame = 0; frame < frames; ++frame) {
        if (frame > 0)
            engine.step(1e9);
        const View state = view(engine);
        pictures.draw(state, simple_fields(world, state, covered), engine.walls(), due);
        if (world.rank() == 0) {
            const PictureCost& cost = pictures.cost();
            std::printf("%lld pictures, %.3f s, start %.3f s, adaptor %.4f s, %.0f MB", //
                        static_cast<long long>(cost.pictures), cost.seconds, cost.start_seconds,
                        cost.adaptor_seconds, cost.memory_bytes * 1e-6);
            for (const PictureCost::Each& each : cost.each)
                std::printf("; %s %.3f s", each.name.c_str(), each.seconds);
            std::printf("\n");
        }
    }
    if (std::signal(SIGINT, SIG_DFL) != ours || std::signal(SIGUSR1, SIG_DFL) != ours)
        std::printf("warning: a signal has another handler now\n");
    return 0;
}

} // namespace
} // namespace tamp

int main(int argc, char** argv) {
    const tamp::Session session(argc, argv);
    return tamp::run(session);
}
