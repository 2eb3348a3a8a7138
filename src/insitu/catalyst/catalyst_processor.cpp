#include <vtkCPDataDescription.h>
#include <vtkCPInputDataDescription.h>
#include <vtkCPProcessor.h>
#include <vtkCPPythonScriptV2Pipeline.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkLogger.h>
#include <vtkMPI.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "../processor.hpp"
#include "data_sets.hpp"
#include "drawing_threads.hpp"
#include "messages.hpp"
#include "paraview_version.hpp"
#include "python.hpp"
#include "script_settings.hpp"

namespace tamp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A script that is asked only when its picture is due, and whose messages and time are kept apart. What goes
/// wrong on one rank goes wrong on all: a rank that would not draw must not leave the others waiting for it.
class PicturePipeline : public vtkCPPipeline {
public:
    static PicturePipeline* New();
    vtkTypeMacro(PicturePipeline, vtkCPPipeline)

        /// Collective.
        void initialise(const Communicator& communicator, const std::string& script, Messages* messages) {
        messages_ = messages;
        messages_->take();
        std::error_code error;
        const bool there = std::filesystem::is_regular_file(script, error);
        broken_because_ = communicator.first_problem(there ? "" : "there is no such file");
        broken_ = !broken_because_.empty();
        if (broken_)
            return;
        const bool done = script_->Initialize(script.c_str()) != 0;
        const std::string said = messages_->take();
        broken_ = communicator.any(!done);
        broken_because_ = communicator.first_problem(done ? "" : said);
    }

    /// The settings for the script, as a JSON text; none: the picture is not due.
    void ask(const std::string* settings) {
        settings_ = settings;
        outcome_ = {broken_, broken_because_, 0};
    }

    int RequestDataDescription(vtkCPDataDescription* description) override {
        if (!settings_ || outcome_.failed ||
            !timed([&] { return script_->RequestDataDescription(description); }))
            return 0;
        // Cheap, and part of every picture: no script need ask for it.
        description->GetInputDescriptionByName("box")->AllFieldsOn();
        description->GetInputDescriptionByName("box")->GenerateMeshOn();
        return 1;
    }

    /// Collective: fails where another rank has failed.
    void agree(const Communicator& communicator) {
        const std::string said = communicator.first_problem(outcome_.failed ? outcome_.messages : "");
        outcome_.failed = communicator.any(outcome_.failed);
        if (outcome_.failed)
            outcome_.messages = said;
    }

    int CoProcess(vtkCPDataDescription* description) override {
        if (!settings_ || outcome_.failed)
            return 1;
        const vtkNew<vtkStringArray> text;
        text->SetName("tamp");
        text->InsertNextValue(*settings_);
        const vtkNew<vtkFieldData> data;
        data->AddArray(text);
        description->SetUserData(data);
        return timed([&] { return script_->CoProcess(description); });
    }

    int Finalize() override { return script_->Finalize(); }

    const Processor::Outcome& outcome() const { return outcome_; }

protected:
    PicturePipeline() = default;
    ~PicturePipeline() override = default;

private:
    template <class Call>
    int timed(Call&& call) {
        const auto begin = Clock::now();
        messages_->take();
        const int done = call();
        outcome_.messages += messages_->take();
        outcome_.failed = outcome_.failed || !done;
        outcome_.seconds += seconds_since(begin);
        return done;
    }

    const vtkNew<vtkCPPythonScriptV2Pipeline> script_;
    Messages* messages_ = nullptr;
    const std::string* settings_ = nullptr;
    Processor::Outcome outcome_;
    bool broken_ = false;
    std::string broken_because_;
};

vtkStandardNewMacro(PicturePipeline);

class CatalystProcessor : public Processor {
public:
    CatalystProcessor(const Communicator& communicator, const std::vector<PictureSettings>& settings);
    ~CatalystProcessor() override;
    CatalystProcessor(const CatalystProcessor&) = delete;
    CatalystProcessor& operator=(const CatalystProcessor&) = delete;

    std::string warning() const override { return version_warning(); }
    Report draw(const View& view, const Fields& fields, std::span<const Wall> walls,
                std::span<const Request> requests) override;

private:
    const Communicator& communicator_;
    std::vector<PictureSettings> settings_;
    MPI_Comm own_ = MPI_COMM_NULL;
    vtkNew<Messages> messages_;
    vtkNew<vtkCPProcessor> processor_;
    std::vector<vtkSmartPointer<PicturePipeline>> pipelines_;
};

CatalystProcessor::CatalystProcessor(const Communicator& communicator,
                                     const std::vector<PictureSettings>& settings)
    : communicator_(communicator), settings_(settings) {
    share_cores_for_drawing(communicator);
    vtkLogger::EnableUnsafeSignalHandler = false;            // signals are the run's
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF); // all comes through the output window as well
    vtkOutputWindow::SetInstance(messages_);
    std::vector<std::string> scripts;
    for (const PictureSettings& picture : settings)
        scripts.push_back(picture.script);
    start_python(scripts);
    // Messages of ParaView must not meet ours.
    MPI_Comm_dup(communicator.raw(), &own_);
    vtkMPICommunicatorOpaqueComm opaque(&own_);
    processor_->Initialize(opaque);
    vtkOutputWindow::SetInstance(messages_); // again: ParaView has put one of its own there
    for (const PictureSettings& picture : settings) {
        const auto pipeline = vtkSmartPointer<PicturePipeline>::New();
        pipeline->initialise(communicator, picture.script, messages_);
        processor_->AddPipeline(pipeline);
        pipelines_.push_back(pipeline);
    }
}

CatalystProcessor::~CatalystProcessor() {
    processor_->Finalize();
    pipelines_.clear();
    vtkOutputWindow::SetInstance(nullptr);
}

Processor::Report CatalystProcessor::draw(const View& view, const Fields& fields, std::span<const Wall> walls,
                                          std::span<const Request> requests) {
    std::vector<std::string> texts(requests.size());
    for (const auto& pipeline : pipelines_)
        pipeline->ask(nullptr);
    for (std::size_t r = 0; r < requests.size(); ++r)
        pipelines_[requests[r].picture]->ask(&texts[r]);

    const vtkNew<vtkCPDataDescription> description;
    description->SetTimeData(view.time, view.step);
    for (const char* input : {"particles", "contacts", "fields", "box"})
        description->AddInput(input);

    Report report;
    const bool due = processor_->RequestDataDescription(description) != 0;
    for (const Request& request : requests)
        pipelines_[request.picture]->agree(communicator_);
    if (communicator_.any(due)) {
        const auto begin = Clock::now();
        DataSets data(communicator_, view, fields, walls);
        const auto wanted = [&](const char* input) {
            return communicator_.any(description->GetIfGridIsNecessary(input));
        };
        Shown shown;
        shown.grains = data.grains();
        const auto give = [&](const char* input, vtkDataObject* grid) {
            description->GetInputDescriptionByName(input)->SetGrid(grid);
        };
        if (wanted("particles")) {
            give("particles", data.particles());
            shown.particles = data.particle_ranges();
        }
        if (wanted("contacts")) {
            give("contacts", data.contacts());
            shown.contacts = data.contact_ranges();
        }
        if (wanted("fields")) {
            const auto image = data.fields();
            give("fields", image);
            const Int3& cells = fields.grid.cells;
            description->GetInputDescriptionByName("fields")->SetWholeExtent(
                0, cells[0], 0, cells[1], 0, view.box.dimension == 3 ? cells[2] : 0);
            shown.fields = data.field_ranges();
        }
        give("box", data.box());
        for (std::size_t r = 0; r < requests.size(); ++r)
            texts[r] = script_settings(settings_[requests[r].picture], requests[r].file, view, shown);
        report.adaptor_seconds = seconds_since(begin);
        processor_->CoProcess(description);
    }
    for (const Request& request : requests)
        report.outcomes.push_back(pipelines_[request.picture]->outcome());
    return report;
}

} // namespace
} // namespace tamp

extern "C" __attribute__((visibility("default"))) tamp::Processor*
tamp_make_processor(const tamp::Communicator& communicator,
                    const std::vector<tamp::PictureSettings>& settings) {
    return new tamp::CatalystProcessor(communicator, settings);
}
