# The replay for SMPI, to run under smpirun, with the recorder in it: it records if it is told to.
if(NOT TARGET reprise-smpi)
  return()
endif()
find_program(REPRISE_SMPI_CXX smpicxx)
if(NOT REPRISE_SMPI_CXX)
  return()
endif()
reprise_mpi_flags(${REPRISE_SMPI_CC})

set(generated ${CMAKE_CURRENT_BINARY_DIR}/smpi)
reprise_mpi_generate(${REPRISE_SMPI_CC} ${generated} replay steering wraps predefined_here)

# As with the recorder, every rank has a copy, whose variables must stay apart.
add_library(reprise_smpi_replay OBJECT
  calls/arena.cpp calls/arguments.cpp calls/arguments_memory.cpp calls/arguments_objects.cpp calls/arguments_requests.cpp check.cpp process/clock.cpp
  compute.cpp process/exchange_smpi.cpp files.cpp main.cpp calls/objects.cpp options.cpp process/play.cpp recording.cpp report.cpp calls/room.cpp steering/steering.cpp process/stream.cpp process/threads.cpp
  ${generated}/replay.inc ${generated}/steering.inc ${generated}/wraps.inc ${generated}/predefined_here.inc)
target_include_directories(reprise_smpi_replay PRIVATE ${generated} ${PROJECT_SOURCE_DIR}/src)
target_include_directories(reprise_smpi_replay SYSTEM PRIVATE ${mpi_includes})
target_link_libraries(reprise_smpi_replay PRIVATE reprise_mpi CLI11::CLI11 reprise_options)
target_compile_options(reprise_smpi_replay PRIVATE -fno-gnu-unique)
set_target_properties(reprise_smpi_replay PROPERTIES UNITY_BUILD ${REPRISE_UNITY})

set(program ${PROJECT_BINARY_DIR}/lib/reprise-replay-smpi)
set(recorder ${PROJECT_BINARY_DIR}/lib/reprise-smpi.o)
# SMPI copies the file for every rank: debugging information would be copied as often.
add_custom_command(
  OUTPUT ${program}
  COMMAND ${REPRISE_SMPI_CXX} -Wl,--strip-debug -o ${program} $<TARGET_OBJECTS:reprise_smpi_replay> ${recorder}
          $<TARGET_FILE:reprise_mpi> $<TARGET_FILE:reprise_trace> $<TARGET_FILE:reprise_base> ${REPRISE_ZSTD} -Wl,--exclude-libs,ALL @${generated}/wraps.inc
  DEPENDS reprise_smpi_replay $<TARGET_OBJECTS:reprise_smpi_replay> reprise_mpi reprise_trace reprise_base reprise-smpi ${recorder}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(reprise-replay-smpi ALL DEPENDS ${program})
install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_LIBDIR}/reprise)
