# Files that come with tamp and are read when it runs. The executable looks for share/tamp/... beside itself (build tree)
# or one folder up (installed), see base/beside_executable.hpp.

# tamp_share(NAME FOLDER FILES...): copies to share/tamp/FOLDER of the build tree, by the target tamp_NAME, and installs.
function(tamp_share name folder)
    set(copies "")
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
        get_filename_component(file "${source}" NAME)
        set(copy "${CMAKE_CURRENT_BINARY_DIR}/share/tamp/${folder}/${file}")
        add_custom_command(OUTPUT "${copy}" DEPENDS "${source}"
            COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${copy}" COMMENT "Copying ${path}")
        list(APPEND copies "${copy}")
    endforeach()
    add_custom_target(tamp_${name} ALL DEPENDS ${copies})
    install(FILES ${ARGN} DESTINATION share/tamp/${folder})
endfunction()
