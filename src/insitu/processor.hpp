#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tamp/insitu/pictures.hpp"

namespace tamp {

/// ParaView's co-processor with a pipeline for each picture. It lives in a library of its own, which is
/// loaded when the first picture is due: ParaView is two hundred libraries, which take a second and 200 MB to
/// load.
class Processor {
public:
    virtual ~Processor() = default;

    struct Request {
        std::size_t picture = 0; ///< index in the settings
        std::string file;        ///< to write to
    };
    struct Outcome {
        bool failed = false;
        std::string messages; ///< of Python and VTK on this rank
        double seconds = 0;
    };
    struct Report {
        std::vector<Outcome> outcomes; ///< as requested
        double adaptor_seconds = 0;
    };
    /// What users should know about this ParaView; empty: nothing.
    virtual std::string warning() const = 0;

    /// Collective.
    virtual Report draw(const View& view, const Fields& fields, std::span<const Wall> walls,
                        std::span<const Request> requests) = 0;
};

/// What the library exports under the name below: makes the processor, which starts ParaView and Python.
/// Collective.
using MakeProcessor = Processor*(const Communicator&, const std::vector<PictureSettings>&);
constexpr const char* make_processor_name = "tamp_make_processor";

/// Loads the library, once; it stays. Returns what went wrong.
std::string load_processor(MakeProcessor*& make);

} // namespace tamp
