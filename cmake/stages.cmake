# reprise_stage(NAME [SOURCES f.cpp...] [TESTS f_test.cpp...] [FUZZERS f_fuzz.cpp...] [LINKS target...])
#
# A stage is a folder of src/, a namespace and a target of one name. Its library is static; its
# tests stand beside their sources and become one test program, each of its fuzzers a program.
function(reprise_stage name)
  cmake_parse_arguments(stage "" "" "SOURCES;TESTS;FUZZERS;LINKS" ${ARGN})
  if(stage_SOURCES)
    add_library(reprise_${name} STATIC ${stage_SOURCES})
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
    target_link_libraries(${name}_test PRIVATE reprise_${name} reprise_options rapidcheck
                                               GTest::gtest GTest::gtest_main)
    add_test(NAME ${name} COMMAND ${name}_test)
  endif()
  if(REPRISE_FUZZERS)
    foreach(source ${stage_FUZZERS})
      cmake_path(GET source STEM fuzzer)
      add_executable(${name}_${fuzzer} ${source})
      target_link_libraries(${name}_${fuzzer} PRIVATE reprise_${name} reprise_options)
      target_link_options(${name}_${fuzzer} PRIVATE -fsanitize=fuzzer)
      set_target_properties(${name}_${fuzzer} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
    endforeach()
  endif()
endfunction()
