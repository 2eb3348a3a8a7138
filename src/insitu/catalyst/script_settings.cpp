#include "script_settings.hpp"

#include <fmt/format.h>

namespace tamp {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20)
            result += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
            result += c;
    return result + "\"";
}

std::string list(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }

std::string table(const std::vector<ShownQuantity>& quantities) {
    std::string rows;
    for (const auto& [range, unit] : quantities)
        rows += fmt::format(
            R"({}{}: {{"lowest": {}, "highest": {}, "low": {}, "high": {}, "mean": {}, "unit": {}}})",
            rows.empty() ? "" : ", ", quoted(range.name), range.lowest, range.highest, range.low, range.high,
            range.mean, quoted(unit));
    return "{" + rows + "}";
}

} // namespace

std::string script_settings(const PictureSettings& picture, const std::string& file, const View& view,
                            const ShownQuantities& shown) {
    const std::string range = picture.range
                                  ? fmt::format("[{}, {}]", (*picture.range)[0], (*picture.range)[1])
                                  : std::string("null");
    return fmt::format(
        R"({{"name": {}, "file": {}, "colour": {}, "range": {}, "camera": {}, "size": [{}, {}],)"
        R"( "time": {}, "step": {}, "dimension": {}, "lower": {}, "upper": {},)"
        R"( "particles": {}, "contacts": {}, "fields": {}}})",
        quoted(picture.name), quoted(file), quoted(picture.colour), range,
        picture.camera ? list(*picture.camera) : "null", picture.width, picture.height, view.time, view.step,
        view.box.dimension, list(view.box.lower), list(view.box.upper), table(shown.particles),
        table(shown.contacts), table(shown.fields));
}

} // namespace tamp
