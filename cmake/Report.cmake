# The Python program behind `tamp report`. Include this after the executable.
file(GLOB report_sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.py"
    "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.css"
    "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.js")
tamp_share(report report ${report_sources})
if(TARGET tamp)
    add_dependencies(tamp tamp_report) # whoever builds the executable alone has the report too
endif()
