# reprise_stage(NAME [SOURCES f.cpp...] [TESTS f_test.cpp...] [LINKS target...] [APART f.cpp...])
#
# A stage is a folder of src/, a namespace and a target of one name. Its library is static; its
# tests stand beside their sources and become one test program. The sources of either are compiled
# several at a time (a "unity build"), but those APART, whose names mean other things elsewhere.
function(reprise_stage name)
  cmake_parse_arguments(stage "" "" "SOURCES;TESTS;LINKS;APART" ${ARGN})
  set_source_files_properties(${stage_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(stage_SOURCES)
    add_library(reprise_${name} STATIC ${stage_SOURCES})
    set_target_properties(reprise_${name} PROPERTIES UNITY_BUILD ${REPRISE_UNITY})
    target_link_libraries(reprise_${name} PUBLIC ${stage_LINKS} PRIVATE reprise_options)
    target_include_directories(reprise_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src
                                                      ${PROJECT_SOURCE_DIR}/include
                                                      ${PROJECT_BINARY_DIR}/generated)
  else()
    add_library(reprise_${name} INTERFACE)
    target_link_libraries(reprise_${name} INTERFACE ${stage_LINKS})
    target_include_directories(reprise_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src
                                                         ${PROJECT_SOURCE_DIR}/include)
  endif()
  if(REPRISE_TESTS AND stage_TESTS)
    add_executable(${name}_test ${stage_TESTS})
    set_target_properties(${name}_test PROPERTIES UNITY_BUILD ${REPRISE_UNITY})
    target_link_libraries(${name}_test PRIVATE reprise_${name} reprise_options rapidcheck
                                               GTest::gtest GTest::gtest_main)
    add_test(NAME ${name} COMMAND ${name}_test)
    # Properties are tried on a thousand random cases.
    set_tests_properties(${name} PROPERTIES ENVIRONMENT RC_PARAMS=max_success=1000)
  endif()
endfunction()
