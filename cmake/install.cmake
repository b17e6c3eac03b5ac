# What `cmake --install` puts down: headers, both libraries, and how CMake and pkg-config find them.

include(CMakePackageConfigHelpers)

set(kith_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kith)

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

# kith.pc finds its prefix from its own place, so that an installed tree can be moved.
file(RELATIVE_PATH kith_pc_prefix
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(NOT KITH_MISUSE_CHECKS)
    set(kith_pc_cflags -DKITH_NO_MISUSE_CHECKS)
endif()
configure_file(cmake/kith.pc.in ${PROJECT_BINARY_DIR}/kith.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kith.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(kit ${kith_kits})
    configure_file(cmake/kith-kit.pc.in ${PROJECT_BINARY_DIR}/kith-${kit}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/kith-${kit}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
