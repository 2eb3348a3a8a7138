#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/measure/fields.hpp"
#include "tamp/measure/view.hpp"

namespace tamp {

/// What fills a picture.
enum class PictureFrame {
    grains, ///< wherever they are
    box     ///< also where it is empty: the same in every picture of a series
};

/// A series of pictures, drawn by one pipeline.
struct PictureSettings {
    std::string name;   ///< of the files: NAME-00001200.png at step 1200
    std::string script; ///< path of a Catalyst script, see `find_picture_script`
    std::string colour =
        "speed"; ///< quantity shown: of particles, of contacts or of fields, as the script wants
    std::optional<std::array<double, 2>> range{}; ///< of the colours; else from the state that is drawn
    std::optional<Vec3> camera{};                 ///< direction in which it looks; else the script's choice
    PictureFrame frame = PictureFrame::grains;
    double zoom = 1;                ///< 2: twice as large, from the middle of the frame
    int width = 1280, height = 720; ///< pixels
};

/// What pictures cost so far. Seconds are those of this rank, in step with the others.
struct PictureCost {
    std::int64_t pictures = 0;
    double start_seconds = 0;   ///< of ParaView and Python, once
    double adaptor_seconds = 0; ///< to hand the state over: columns, ranges, data sets
    double seconds = 0;         ///< of it all, start and adaptor included
    double memory_bytes = 0;    ///< by which the largest memory grew while drawing, on all ranks together
    struct Each {
        std::string name;
        std::int64_t pictures = 0, failures = 0;
        double seconds = 0; ///< of its script
    };
    std::vector<Each> each; ///< as in the settings
};

/// Whether this is a build with ParaView.
bool pictures_available();

/// Why this process cannot draw, and what to do about it; empty if it can. ParaView ends the process where
/// there is no X display, so this must be asked first.
std::string display_problem();

/// The path of a script: as named from the folder of the case, else one of those that come with tamp
/// ("particles" and "particles.py" are the same). Empty if there is none.
std::string find_picture_script(const std::string& named, const std::string& case_folder);
/// Names of the scripts that come with tamp.
std::vector<std::string> picture_scripts();

/// Quantities that colour particles and contacts. Fields have the names of `field_names`.
inline constexpr std::array particle_colours{"radius",   "diameter", "speed",
                                             "pressure", "material", "coordination"};
inline constexpr std::array contact_colours{"normal_force", "tangential_force", "mobilisation", "gap"};

/// What one of the scripts that come with tamp shows, by its path; empty for scripts of others, which may
/// show anything.
std::vector<std::string> colours_of(const std::string& script);

/// Draws pictures of a run with ParaView Catalyst. ParaView and Python start with the first picture.
///
/// Nothing here stops a run: what goes wrong is told through `warn`, on rank 0, once for each picture, and a
/// picture that failed three times in a row is not tried again. Must be gone before MPI ends.
class Pictures {
public:
    using Warn = std::function<void(const std::string&)>;

    /// Collective. Makes the folder of the images. Where no picture can be drawn at all, says so at once.
    Pictures(const Communicator& communicator, std::string image_folder,
             std::vector<PictureSettings> settings, Warn warn);
    ~Pictures();
    Pictures(const Pictures&) = delete;
    Pictures& operator=(const Pictures&) = delete;

    /// Collective. Draws the pictures of these indices; the columns of `view` are handed over as they are.
    void draw(const View& view, const Fields& fields, std::span<const Wall> walls,
              std::span<const std::size_t> due);

    /// Whether it may still be drawn; the same on every rank.
    bool active(std::size_t picture) const;
    const PictureCost& cost() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tamp
