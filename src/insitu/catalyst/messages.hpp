#pragma once

#include <vtkOutputWindow.h>

#include <string>

namespace tamp {

/// Collects what VTK and Python would print. Their errors belong to the picture that caused them, and the
/// terminal belongs to the run's progress line.
class Messages : public vtkOutputWindow {
public:
    static Messages* New();
    vtkTypeMacro(Messages, vtkOutputWindow)

        void DisplayText(const char* text) override;
    void DisplayErrorText(const char* text) override { add(text); }
    void DisplayWarningText(const char*) override {}
    void DisplayGenericWarningText(const char*) override {}
    void DisplayDebugText(const char*) override {}

    /// All since the last call.
    std::string take();

protected:
    Messages() = default;
    ~Messages() override = default;

private:
    void add(const char* text);
    std::string collected_;
};

} // namespace tamp
