# What recorders and replays of an MPI implementation are compiled with, and from.

# reprise_mpi_flags(COMPILER): what the compiler wrapper adds, in the caller's mpi_includes (folders) and
# mpi_libraries (options of the linker). Without an answer mpi_includes is empty.
function(reprise_mpi_flags compiler)
  set(includes)
  set(libraries)
  execute_process(COMMAND ${compiler} -show OUTPUT_VARIABLE shown RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    separate_arguments(includes UNIX_COMMAND "${shown}")
    set(libraries ${includes})
    list(FILTER includes INCLUDE REGEX "^-I")
    list(TRANSFORM includes REPLACE "^-I" "")
    list(FILTER libraries INCLUDE REGEX "^-[lL]")
  endif()
  set(mpi_includes ${includes} PARENT_SCOPE)
  set(mpi_libraries ${libraries} PARENT_SCOPE)
endfunction()

# reprise_mpi_version(COMPILER OUT): the version of the MPI standard that its mpi.h declares, such as 3.1; 0 without an
# answer.
function(reprise_mpi_version compiler out)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/version.c "#include <mpi.h>\n")
  execute_process(COMMAND ${compiler} -E -dM ${CMAKE_CURRENT_BINARY_DIR}/version.c OUTPUT_VARIABLE macros ERROR_QUIET)
  set(version 0)
  if(macros MATCHES "#define MPI_VERSION +([0-9]+)")
    set(version ${CMAKE_MATCH_1})
    if(macros MATCHES "#define MPI_SUBVERSION +([0-9]+)")
      string(APPEND version .${CMAKE_MATCH_1})
    endif()
  endif()
  set(${out} ${version} PARENT_SCOPE)
endfunction()

# reprise_mpi_generate(COMPILER FOLDER WHAT...): FOLDER/WHAT.inc, made from the table of functions
# for what the compiler's mpi.h declares. The folder is one of the build tree.
function(reprise_mpi_generate compiler folder)
  file(MAKE_DIRECTORY ${folder})
  foreach(what ${ARGN})
    add_custom_command(
      OUTPUT ${folder}/${what}.inc
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/spec/generate.py ${what} --cc ${compiler}
              > ${folder}/${what}.inc
      DEPENDS ${REPRISE_SPEC_FILES})
  endforeach()
endfunction()
