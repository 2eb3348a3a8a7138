#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tamp/insitu/pictures.hpp"

namespace tamp {

/// ParaView's co-processor with a pipeline for each picture. No VTK in this header: what includes it compiles
/// as quickly as the rest.
class Processor {
public:
    /// Collective. Starts ParaView and Python.
    Processor(const Communicator& communicator, std::span<const PictureSettings> settings);
    ~Processor();
    Processor(const Processor&) = delete;
    Processor& operator=(const Processor&) = delete;

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
    /// Collective.
    Report draw(const View& view, const Fields& fields, std::span<const Wall> walls,
                std::span<const Request> requests);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tamp
