# Looks for ParaView with Catalyst's classic API, for pictures while a run goes on.
# Sets TAMP_HAVE_CATALYST (ON or OFF), catalyst_report (a phrase for the summary) and makes the target tamp_paraview,
# which the library of src/insitu/catalyst links to and nothing else.

# In a function, so that the many variables of ParaView's package stay inside.
function(tamp_find_catalyst have report)
    if(NOT TAMP_CATALYST)
        set(${have} OFF PARENT_SCOPE)
        set(${report} "no pictures (TAMP_CATALYST is OFF)" PARENT_SCOPE)
        return()
    endif()
    find_package(ParaView QUIET COMPONENTS Catalyst PythonCatalyst) # without COMPONENTS it wants Qt
    if(NOT ParaView_FOUND)
        set(${have} OFF PARENT_SCOPE)
        set(${report} "no pictures (ParaView with Catalyst not found)" PARENT_SCOPE)
        return()
    endif()
    # Debian's package names these targets without looking for them. Nothing of theirs is used here.
    foreach(name IN ITEMS Freetype::Freetype X11::X11 GLEW::GLEW LibXml2::LibXml2 Boost::boost NetCDF::NetCDF)
        if(NOT TARGET ${name})
            add_library(${name} INTERFACE IMPORTED GLOBAL)
        endif()
    endforeach()
    add_library(tamp_paraview INTERFACE)
    target_link_libraries(tamp_paraview INTERFACE
        ParaView::Catalyst ParaView::PythonCatalyst ParaView::RemotingViews VTK::ParallelMPI VTK::RenderingCore
        VTK::CommonDataModel)
    set(${have} ON PARENT_SCOPE)
    set(${report} "ParaView ${ParaView_VERSION} for pictures" PARENT_SCOPE)
endfunction()

tamp_find_catalyst(TAMP_HAVE_CATALYST catalyst_report)
set(TAMP_CONFIGURED_PICTURES ${TAMP_HAVE_CATALYST} CACHE INTERNAL "jobscripts/local.sh provides a display if ON")
