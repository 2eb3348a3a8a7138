#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tamp/base/column_table.hpp"

namespace tamp {

/// An HDF5 identifier that is closed when it goes. HDF5 refuses to close a file with open objects, so every
/// identifier lives in one of these.
class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);
    Hdf5Handle() = default;
    Hdf5Handle(hid_t id, Close close_function) : id_(id), close_(close_function) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept
        : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Hdf5Handle() { close(); }

    operator hid_t() const { return id_; }
    bool valid() const { return id_ >= 0; }
    /// Negative if HDF5 failed, for a file: could not write what it still held.
    herr_t close() { return valid() ? close_(std::exchange(id_, H5I_INVALID_HID)) : 0; }
    /// Leaves it to the end of the process.
    void forget() { id_ = H5I_INVALID_HID; }

private:
    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

/// Keeps HDF5 from printing its error stack while it lives: our errors say what a user needs.
class QuietHdf5 {
public:
    QuietHdf5();
    ~QuietHdf5();
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

/// What HDF5 says about its last failure: the innermost message, which names the cause. To be asked at once:
/// the next call, also one that closes a handle, forgets it.
std::string hdf5_reason();

/// Never leaves the module: becomes a FileError that names the file and the remedy.
struct Hdf5Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Passes on what an HDF5 call returned, or throws its reason.
template <class Result>
Result hdf5_check(Result result) {
    if (result < 0)
        throw Hdf5Failure(hdf5_reason());
    return result;
}

/// 64-bit numbers as they are in memory; files always hold them little-endian.
hid_t memory_type(WordKind kind);
hid_t file_type(WordKind kind);

void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, std::span<const std::string> texts);
void write_attribute(hid_t object, const char* name, WordKind kind, std::span<const std::byte> words);
/// A number, or several of one kind, that are 64 bits each.
template <class T>
void write_number(hid_t object, const char* name, WordKind kind, const T& value) {
    static_assert(sizeof value % 8 == 0);
    write_attribute(object, name, kind, std::as_bytes(std::span(&value, 1)));
}
/// False if it is not there, or has another kind or length.
bool read_attribute(hid_t object, const char* name, std::string& text);
bool read_attribute(hid_t object, const char* name, WordKind kind, std::span<std::byte> words);

/// Text of variable length: attributes of fixed length end at 64 kB, and a long case file does not.
Hdf5Handle text_type();

} // namespace tamp
