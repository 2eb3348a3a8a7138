# Looks for ParaView with Catalyst's classic API, for pictures while a run goes on.
# Sets TAMP_HAVE_CATALYST (ON or OFF) and catalyst_report (a phrase for the summary). Nothing is linked yet.

# In a function, so that the many variables of ParaView's package stay inside.
function(tamp_find_catalyst have report)
    if(NOT TAMP_CATALYST)
        set(${have} OFF PARENT_SCOPE)
        set(${report} "no pictures (TAMP_CATALYST is OFF)" PARENT_SCOPE)
        return()
    endif()
    find_package(ParaView QUIET COMPONENTS Catalyst PythonCatalyst) # without COMPONENTS it wants Qt
    if(ParaView_FOUND)
        set(${have} ON PARENT_SCOPE)
        set(${report} "ParaView ${ParaView_VERSION} for pictures" PARENT_SCOPE)
    else()
        set(${have} OFF PARENT_SCOPE)
        set(${report} "no pictures (ParaView with Catalyst not found)" PARENT_SCOPE)
    endif()
endfunction()

tamp_find_catalyst(TAMP_HAVE_CATALYST catalyst_report)
