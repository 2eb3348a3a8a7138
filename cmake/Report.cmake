# The Python program behind `tamp report`. The executable looks for it in share/tamp/report beside itself (build tree)
# or one folder up (installed). Include this after the executable.
file(GLOB report_sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.py"
    "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.css"
    "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.js")

set(report_copies "")
foreach(source IN LISTS report_sources)
    get_filename_component(name "${source}" NAME)
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/share/tamp/report/${name}")
    add_custom_command(OUTPUT "${copy}" DEPENDS "${source}"
        COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${copy}" COMMENT "Copying src/report/${name}")
    list(APPEND report_copies "${copy}")
endforeach()
add_custom_target(tamp_report ALL DEPENDS ${report_copies})
if(TARGET tamp)
    add_dependencies(tamp tamp_report) # whoever builds the executable alone has the report too
endif()

install(FILES ${report_sources} DESTINATION share/tamp/report)
