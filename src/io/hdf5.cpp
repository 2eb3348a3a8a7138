#include "tamp/io/hdf5.hpp"

#include <cstdlib>

namespace tamp {

QuietHdf5::QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

std::string hdf5_reason() {
    std::string reason;
    const auto keep_first = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        auto& text = *static_cast<std::string*>(data);
        if (text.empty() && error->desc)
            text = error->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
    return reason.empty() ? "HDF5 gives no reason" : reason;
}

hid_t memory_type(WordKind kind) {
    switch (kind) {
    case WordKind::real:
        return H5T_NATIVE_DOUBLE;
    case WordKind::signed_integer:
        return H5T_NATIVE_INT64;
    default:
        return H5T_NATIVE_UINT64;
    }
}

hid_t file_type(WordKind kind) {
    switch (kind) {
    case WordKind::real:
        return H5T_IEEE_F64LE;
    case WordKind::signed_integer:
        return H5T_STD_I64LE;
    default:
        return H5T_STD_U64LE;
    }
}

Hdf5Handle text_type() {
    Hdf5Handle type(hdf5_check(H5Tcopy(H5T_C_S1)), H5Tclose);
    hdf5_check(H5Tset_size(type, H5T_VARIABLE));
    hdf5_check(H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
}

namespace {

Hdf5Handle make_attribute(hid_t object, const char* name, hid_t type, hid_t space) {
    return {hdf5_check(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)), H5Aclose};
}

} // namespace

void write_attribute(hid_t object, const char* name, const std::string& text) {
    const auto type = text_type();
    const Hdf5Handle space(hdf5_check(H5Screate(H5S_SCALAR)), H5Sclose);
    const auto attribute = make_attribute(object, name, type, space);
    const char* pointer = text.c_str();
    hdf5_check(H5Awrite(attribute, type, &pointer));
}

void write_attribute(hid_t object, const char* name, std::span<const std::string> texts) {
    const auto type = text_type();
    const hsize_t count = texts.size();
    const Hdf5Handle space(hdf5_check(H5Screate_simple(1, &count, nullptr)), H5Sclose);
    const auto attribute = make_attribute(object, name, type, space);
    std::vector<const char*> pointers;
    for (const auto& text : texts)
        pointers.push_back(text.c_str());
    hdf5_check(H5Awrite(attribute, type, pointers.data()));
}

void write_attribute(hid_t object, const char* name, WordKind kind, std::span<const std::byte> words) {
    const hsize_t count = words.size() / 8;
    const Hdf5Handle space(
        hdf5_check(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr)), H5Sclose);
    const auto attribute = make_attribute(object, name, file_type(kind), space);
    hdf5_check(H5Awrite(attribute, memory_type(kind), words.data()));
}

namespace {

/// Invalid when there is none; asked first, because a failing open would leave a misleading error stack.
Hdf5Handle open_attribute(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0)
        return {};
    return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
}

} // namespace

bool read_attribute(hid_t object, const char* name, std::string& text) {
    const auto attribute = open_attribute(object, name);
    if (!attribute.valid())
        return false;
    const Hdf5Handle stored(H5Aget_type(attribute), H5Tclose);
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
    if (H5Tis_variable_str(stored) <= 0 || H5Sget_simple_extent_npoints(space) != 1)
        return false;
    char* pointer = nullptr;
    const auto type = text_type();
    if (H5Aread(attribute, type, &pointer) < 0 || !pointer)
        return false;
    text = pointer;
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &pointer);
    return true;
}

bool read_attribute(hid_t object, const char* name, WordKind kind, std::span<std::byte> words) {
    const auto attribute = open_attribute(object, name);
    if (!attribute.valid())
        return false;
    const Hdf5Handle stored(H5Aget_type(attribute), H5Tclose);
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
    return H5Tequal(stored, file_type(kind)) > 0 &&
           H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(words.size() / 8) &&
           H5Aread(attribute, memory_type(kind), words.data()) >= 0;
}

} // namespace tamp
