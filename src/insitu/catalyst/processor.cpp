#include "processor.hpp"

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

#include "data_sets.hpp"
#include "drawing_threads.hpp"
#include "messages.hpp"
#include "python.hpp"
#include "replaced_functions.hpp"
#include "script_settings.hpp"

namespace tamp {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A script that is asked only when its picture is due, and whose messages and time are kept apart.
class PicturePipeline : public vtkCPPipeline {
public:
    static PicturePipeline* New();
    vtkTypeMacro(PicturePipeline, vtkCPPipeline)

        void initialise(const std::string& script, Messages* messages) {
        messages_ = messages;
        messages_->take();
        broken_ = !script_->Initialize(script.c_str());
        broken_because_ = messages_->take();
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

} // namespace

struct Processor::State {
    const Communicator& communicator;
    std::vector<PictureSettings> settings;
    MPI_Comm own = MPI_COMM_NULL;
    vtkNew<Messages> messages;
    vtkNew<vtkCPProcessor> processor;
    std::vector<vtkSmartPointer<PicturePipeline>> pipelines;
};

Processor::Processor(const Communicator& communicator, std::span<const PictureSettings> settings)
    : state_(new State{communicator, {settings.begin(), settings.end()}, {}, {}, {}, {}}) {
    share_cores_for_drawing(communicator);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF); // all comes through the output window as well
    vtkOutputWindow::SetInstance(state_->messages);
    std::vector<std::string> scripts;
    for (const PictureSettings& picture : settings)
        scripts.push_back(picture.script);
    start_python(scripts);
    (void)functions_are_replaced(); // else the linker leaves them out
    // Messages of ParaView must not meet ours.
    MPI_Comm_dup(communicator.raw(), &state_->own);
    vtkMPICommunicatorOpaqueComm opaque(&state_->own);
    state_->processor->Initialize(opaque);
    vtkOutputWindow::SetInstance(state_->messages); // again: ParaView has put one of its own there
    for (const PictureSettings& picture : settings) {
        const auto pipeline = vtkSmartPointer<PicturePipeline>::New();
        pipeline->initialise(picture.script, state_->messages);
        state_->processor->AddPipeline(pipeline);
        state_->pipelines.push_back(pipeline);
    }
}

Processor::~Processor() {
    state_->processor->Finalize();
    state_->pipelines.clear();
    vtkOutputWindow::SetInstance(nullptr);
}

Processor::Report Processor::draw(const View& view, const Fields& fields, std::span<const Wall> walls,
                                  std::span<const Request> requests) {
    State& state = *state_;
    std::vector<std::string> texts(requests.size());
    for (const auto& pipeline : state.pipelines)
        pipeline->ask(nullptr);
    for (std::size_t r = 0; r < requests.size(); ++r)
        state.pipelines[requests[r].picture]->ask(&texts[r]);

    const vtkNew<vtkCPDataDescription> description;
    description->SetTimeData(view.time, view.step);
    for (const char* input : {"particles", "contacts", "fields", "box"})
        description->AddInput(input);

    Report report;
    if (state.communicator.any(state.processor->RequestDataDescription(description) != 0)) {
        const auto begin = Clock::now();
        DataSets data(state.communicator, view, fields, walls);
        const auto wanted = [&](const char* input) {
            return state.communicator.any(description->GetIfGridIsNecessary(input));
        };
        ShownQuantities shown;
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
            texts[r] = script_settings(state.settings[requests[r].picture], requests[r].file, view, shown);
        report.adaptor_seconds = seconds_since(begin);
        state.processor->CoProcess(description);
    }
    for (const Request& request : requests)
        report.outcomes.push_back(state.pipelines[request.picture]->outcome());
    return report;
}

} // namespace tamp
