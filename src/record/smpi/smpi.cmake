# The recorder for programs built with SimGrid's SMPI: one object to link into them, since nothing
# can be preloaded there. What it is made of is inside, and only the names of MPI's functions show.
find_program(REPRISE_SMPI_CC smpicc)
find_program(REPRISE_SMPI_FC smpif90)
find_program(REPRISE_SMPIRUN smpirun)
if(NOT REPRISE_SMPI_CC)
  return()
endif()
reprise_mpi_flags(${REPRISE_SMPI_CC})

set(generated ${CMAKE_CURRENT_BINARY_DIR}/smpi)
reprise_mpi_generate(${REPRISE_SMPI_CC} ${generated} wrappers predefined_here fortran)

# Compiled like any other code: smpicc would replace malloc and exit in it.
add_library(reprise_smpi_objects OBJECT
  ${recorder_sources} smpi/smpi.cpp smpi/smpi_guard.cpp
  ${generated}/wrappers.inc ${generated}/predefined_here.inc)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_sources(reprise_smpi_objects PRIVATE smpi/smpi_fortran.cpp ${generated}/fortran.inc)
else()
  target_sources(reprise_smpi_objects PRIVATE smpi/smpi_no_fortran.cpp)
endif()
target_include_directories(reprise_smpi_objects PRIVATE ${generated})
target_include_directories(reprise_smpi_objects SYSTEM PRIVATE ${mpi_includes})
target_link_libraries(reprise_smpi_objects PRIVATE reprise_compress reprise_options)
# Variables of one name must stay apart where every rank has its copy of the program.
foreach(part reprise_smpi_objects reprise_compress reprise_trace reprise_base)
  target_compile_options(${part} PRIVATE -fno-gnu-unique)
endforeach()

set(object ${PROJECT_BINARY_DIR}/lib/reprise-smpi.o)
add_custom_command(
  OUTPUT ${object}
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${object}.all $<TARGET_OBJECTS:reprise_smpi_objects>
          --start-group $<TARGET_FILE:reprise_compress> $<TARGET_FILE:reprise_trace>
          $<TARGET_FILE:reprise_base> ${REPRISE_ZSTD} --end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --strip-debug
          --keep-global-symbol=MPI_* --keep-global-symbol=mpi_* ${object}.all ${object}
  COMMAND ${CMAKE_COMMAND} -E rm ${object}.all
  DEPENDS reprise_smpi_objects $<TARGET_OBJECTS:reprise_smpi_objects> reprise_compress reprise_trace reprise_base
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(reprise-smpi ALL DEPENDS ${object})

configure_file(smpi/reprise-smpi.pc.in ${PROJECT_BINARY_DIR}/lib/reprise-smpi.pc @ONLY)
install(FILES ${object} DESTINATION ${CMAKE_INSTALL_LIBDIR}/reprise)
install(FILES ${PROJECT_BINARY_DIR}/lib/reprise-smpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
