# What `cmake --install` puts down: headers, both libraries, how CMake and pkg-config find them, and what
# debuggers know of them.

include(CMakePackageConfigHelpers)

set(kith_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kith)

install(DIRECTORY debug/ DESTINATION ${kith_debug_dir} FILES_MATCHING PATTERN "*.py" PATTERN "*.natvis")
install(DIRECTORY include/kith TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
set(kith_targets kith_static kith_shared)
foreach(kit ${kith_kits})
    list(APPEND kith_targets kith_${kit}_static kith_${kit}_shared)
endforeach()
install(TARGETS ${kith_targets} EXPORT kith
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT kith NAMESPACE kith:: FILE kith-targets.cmake DESTINATION ${kith_package_dir})

configure_package_config_file(cmake/kith-config.cmake.in
    ${PROJECT_BINARY_DIR}/kith-config.cmake INSTALL_DESTINATION ${kith_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kith-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kith-config.cmake
              ${PROJECT_BINARY_DIR}/kith-config-version.cmake
    DESTINATION ${kith_package_dir})

# ---- for pkg-config ------------------------------------------------------------------------------

# The packages find their prefix from their own place, so that an installed tree can be moved.
file(RELATIVE_PATH kith_pc_prefix
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" kith_pc_prefix "${kith_pc_prefix}")
if(NOT KITH_MISUSE_CHECKS)
    set(kith_pc_cflags -DKITH_NO_MISUSE_CHECKS)
endif()
# How a linker is told to leave out a shared library of which nothing is used.
set(kith_pc_as_needed -Wl,--as-needed)
if(APPLE)
    set(kith_pc_as_needed -Wl,-dead_strip_dylibs)
endif()

# kith_install_package(NAME LIBRARY DESCRIPTION REQUIRES LIBRARIES): NAME.pc, which takes what it REQUIRES (each
# with a comma after it) and, when it is linked statically, LIBRARIES; and NAME-shared.pc.
function(kith_install_package kith_pc_name kith_pc_library kith_pc_description kith_pc_requires
        kith_pc_libraries)
    configure_file(cmake/kith.pc.in ${PROJECT_BINARY_DIR}/${kith_pc_name}.pc @ONLY)
    configure_file(cmake/kith-shared.pc.in ${PROJECT_BINARY_DIR}/${kith_pc_name}-shared.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${kith_pc_name}.pc ${PROJECT_BINARY_DIR}/${kith_pc_name}-shared.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

kith_install_package(kith kith "${PROJECT_DESCRIPTION}" "" -pthread)
foreach(kit ${kith_kits})
    kith_install_package(kith-${kit} kith_${kit} "${PROJECT_DESCRIPTION}: the kit \"${kit}\""
        "kith = ${PROJECT_VERSION}, " "-pthread -lm")
endforeach()

# ---- and away again ------------------------------------------------------------------------------

# A project that embeds Kith and installs it has a target of that name for all that it installs.
if(kith_is_top_level)
    add_custom_target(uninstall
        COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
            "-DOWN=${CMAKE_INSTALL_INCLUDEDIR}/kith;${kith_package_dir};${CMAKE_INSTALL_DATADIR}/kith"
            -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
        COMMENT "Removing what was installed" VERBATIM)
endif()
