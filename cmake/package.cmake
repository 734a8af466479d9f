# The C++ reading API as one static library and a CMake package: find_package(Reprise) gives
# Reprise::reprise.
include(CMakePackageConfigHelpers)

include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)

# The stages that the API stands on are inside, so that nothing of theirs need be installed.
add_library(reprise_library STATIC
  $<TARGET_OBJECTS:reprise_api> $<TARGET_OBJECTS:reprise_mpi> $<TARGET_OBJECTS:reprise_trace> $<TARGET_OBJECTS:reprise_base>)
set_target_properties(reprise_library PROPERTIES OUTPUT_NAME reprise EXPORT_NAME reprise
                                                 LINKER_LANGUAGE CXX)
target_compile_features(reprise_library INTERFACE cxx_std_20)
target_include_directories(reprise_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(reprise_library INTERFACE $<BUILD_INTERFACE:${REPRISE_ZSTD}>
                                                $<INSTALL_INTERFACE:Reprise::zstd>)
add_library(Reprise::reprise ALIAS reprise_library)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Reprise)
configure_package_config_file(cmake/RepriseConfig.cmake.in ${PROJECT_BINARY_DIR}/RepriseConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RepriseConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(TARGETS reprise_library EXPORT RepriseTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT RepriseTargets NAMESPACE Reprise:: DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/RepriseConfig.cmake
              ${PROJECT_BINARY_DIR}/RepriseConfigVersion.cmake DESTINATION ${package})
install(DIRECTORY include/reprise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Pages refer to each other by where they stand.
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/*.schema.json)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
