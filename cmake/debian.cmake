# Debian packages: `cpack -G DEB` in the build folder makes `reprise`, with the command, the recorders and the C++ API, and
# `python3-reprise`.
set(CPACK_PACKAGE_NAME reprise)
set(CPACK_PACKAGE_CONTACT "The Reprise developers <reprise@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What is not of the Python package is in none.
set(CPACK_COMPONENTS_ALL Unspecified)
if(TARGET reprise_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME reprise)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION science)
# A recorder takes the MPI that its program runs with; each works without the others.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "openmpi-bin | mpich")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "python3-reprise, libsimgrid-dev, libzstd-dev, man-db")
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION "Reprise records the MPI calls of a program, folds them into a small file, and
shows, analyzes, replays, extrapolates and simulates it.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-reprise)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "reprise (= ${PROJECT_VERSION}), python3-matplotlib")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The Python package reprise reads, analyzes, simulates and extrapolates traces of
MPI programs; results are pandas data frames and NumPy arrays.")

# Which packages the programs need is known when they are built.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/debian_depends.cmake)
set(CPACK_REPRISE_BUILD ${PROJECT_BINARY_DIR})
if(TARGET reprise_python)
  math(EXPR next "${REPRISE_PYTHON_MINOR} + 1")
  set(CPACK_REPRISE_PYTHON "python3 (>= 3.${REPRISE_PYTHON_MINOR}), python3 (<< 3.${next}), python3-numpy, python3-pandas")
endif()
include(CPack)
