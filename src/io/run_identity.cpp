#include "tamp/io/run_identity.hpp"

#include "tamp/base/version.hpp"
#include "tamp/io/hdf5.hpp"

namespace tamp {

void write_identity(hid_t file, const char* format, std::int64_t format_version,
                    const RunIdentity& identity) {
    using enum WordKind;
    write_attribute(file, "format", format);
    write_number(file, "format_version", signed_integer, format_version);
    write_attribute(file, "version", version());
    write_attribute(file, "revision", revision());
    write_attribute(file, "title", identity.title);
    write_attribute(file, "input", identity.input);
    write_number(file, "seed", unsigned_integer, identity.seed);
    write_number(file, "ranks", signed_integer, std::int64_t{identity.ranks});
}

} // namespace tamp
