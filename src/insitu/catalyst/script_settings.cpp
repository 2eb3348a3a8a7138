#include "script_settings.hpp"

#include <nlohmann/json.hpp>

namespace tamp {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) { return {v.x, v.y, v.z}; }

Json list(const std::array<Vec3, 2>& corners) { return {list(corners[0]), list(corners[1])}; }

Json table(const std::vector<ShownQuantity>& quantities) {
    Json rows = Json::object();
    for (const auto& [range, unit] : quantities)
        rows[range.name] = {{"lowest", range.lowest}, {"highest", range.highest}, {"low", range.low},
                            {"high", range.high},     {"mean", range.mean},       {"unit", unit}};
    return rows;
}

} // namespace

std::string script_settings(const PictureSettings& picture, const std::string& file, const View& view,
                            const Shown& shown) {
    const Json settings = {{"name", picture.name},
                           {"file", file},
                           {"colour", picture.colour},
                           {"range", picture.range ? Json(*picture.range) : Json()},
                           {"camera", picture.camera ? list(*picture.camera) : Json()},
                           {"frame", picture.frame == PictureFrame::grains ? "grains" : "box"},
                           {"zoom", picture.zoom},
                           {"size", {picture.width, picture.height}},
                           {"time", view.time},
                           {"step", view.step},
                           {"dimension", view.box.dimension},
                           {"lower", list(view.box.lower)},
                           {"upper", list(view.box.upper)},
                           {"grains", shown.grains ? list(*shown.grains) : Json()},
                           {"particles", table(shown.particles)},
                           {"contacts", table(shown.contacts)},
                           {"fields", table(shown.fields)}};
    return settings.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tamp
