# The executor for SMPI, to run under smpirun, with the recorder in it: it records if it is told to.
if(NOT TARGET reprise-smpi)
  return()
endif()
find_program(REPRISE_SMPI_CXX smpicxx)
if(NOT REPRISE_SMPI_CXX)
  return()
endif()
reprise_mpi_flags(${REPRISE_SMPI_CC})

# As with the recorder, every rank has a copy, whose variables must stay apart.
add_library(reprise_smpi_run OBJECT main.cpp execute/mpi_machine.cpp)
target_include_directories(reprise_smpi_run SYSTEM PRIVATE ${mpi_includes})
target_link_libraries(reprise_smpi_run PRIVATE reprise_conceptual reprise_options)
foreach(part reprise_smpi_run reprise_conceptual)
  target_compile_options(${part} PRIVATE -fno-gnu-unique)
endforeach()

set(program ${PROJECT_BINARY_DIR}/lib/reprise-run-smpi)
set(recorder ${PROJECT_BINARY_DIR}/lib/reprise-smpi.o)
# SMPI copies the file for every rank: debugging information would be copied as often.
add_custom_command(
  OUTPUT ${program}
  COMMAND ${REPRISE_SMPI_CXX} -Wl,--strip-debug -o ${program} $<TARGET_OBJECTS:reprise_smpi_run> ${recorder}
          $<TARGET_FILE:reprise_conceptual> $<TARGET_FILE:reprise_base> -Wl,--exclude-libs,ALL
  DEPENDS reprise_smpi_run $<TARGET_OBJECTS:reprise_smpi_run> reprise_conceptual reprise_base reprise-smpi ${recorder}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(reprise-run-smpi ALL DEPENDS ${program})
install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_LIBDIR}/reprise)
