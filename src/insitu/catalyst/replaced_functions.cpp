// Two functions of libraries that are replaced here: what is loaded together with this library finds ours
// first. Ours ask the original.

#include <dlfcn.h>

#include <vtkPVRenderView.h>
#include <vtkRenderer.h>

#include "paraview_version.hpp"

#define TAMP_ORDERED_COMPOSITING _ZN15vtkPVRenderView24GetUseOrderedCompositingEv
#define TAMP_TEXT_OF(name) #name
#define TAMP_TEXT(name) TAMP_TEXT_OF(name)

namespace {

template <class Function>
Function* original(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

// VTK's parser hands XML over in pieces and asks after each how far expat came. Since 2.6 (and security
// updates of 2.5) expat may put off looking at a piece until more has come, which VTK takes for the end:
// ParaView's ranks then disagree on who draws which particles, and pictures lose some. So no parser may put
// anything off.
__attribute__((visibility("default"), used)) void* XML_ParserCreate(const char* encoding) {
    static auto* const create = original<void*(const char*)>("XML_ParserCreate");
    // Not there in an expat that is older than the deferral.
    static auto* const defer = original<unsigned char(void*, unsigned char)>("XML_SetReparseDeferralEnabled");
    void* parser = create ? create(encoding) : nullptr;
    if (parser && defer)
        defer(parser, 0);
    return parser;
}

// bool vtkPVRenderView::GetUseOrderedCompositing(). ParaView takes all point sprites for translucent: it
// hands the particles from rank to rank until each has those of a block of space, and blends the images of
// the blocks, which cuts off spheres at the faces of blocks (ParaView 5.11; others are left alone). In a view
// without depth peeling nothing is translucent, and the depth decides what is seen, as for all that is
// opaque: exact, and twice as fast.
__attribute__((visibility("default"), used)) bool TAMP_ORDERED_COMPOSITING(vtkPVRenderView* view) {
    static auto* const ask = original<bool(vtkPVRenderView*)>(TAMP_TEXT(TAMP_ORDERED_COMPOSITING));
    static const bool replace = tamp::may_replace_functions();
    const bool translucent = !replace || view->GetRenderer()->GetUseDepthPeeling();
    return translucent && ask && ask(view);
}
}
