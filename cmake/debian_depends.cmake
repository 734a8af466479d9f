# Read by CPack: the packages that the built programs need, as dpkg-shlibdeps finds them. The recorders and what runs in
# the ranks of an MPI are left out: whoever records with an MPI has it.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(shlibdeps dpkg-shlibdeps)
if(NOT shlibdeps)
  message(FATAL_ERROR "Packages cannot be made (dpkg-shlibdeps is missing); install dpkg-dev")
endif()

function(needed_packages out)
  set(folder ${CPACK_REPRISE_BUILD}/shlibdeps)
  file(WRITE ${folder}/debian/control "Source: reprise\n\nPackage: reprise\nArchitecture: any\n")
  execute_process(COMMAND ${shlibdeps} -O ${ARGN} WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE text RESULT_VARIABLE failed
                  ERROR_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "dpkg-shlibdeps failed: ${said}")
  endif()
  string(REGEX REPLACE "^shlibs:Depends=" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

needed_packages(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS ${CPACK_REPRISE_BUILD}/bin/reprise)
file(GLOB module ${CPACK_REPRISE_BUILD}/python/reprise/_core*.so)
if(module)
  needed_packages(libraries ${module})
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${CPACK_REPRISE_PYTHON}, ${libraries}")
endif()
