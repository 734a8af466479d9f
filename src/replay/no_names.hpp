// Macros of SMPI's mpi.h that name what it does not declare.
#pragma once

#include <mpi.h>

#ifdef SMPI_H
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#undef MPI_CXX_LONG_DOUBLE_COMPLEX
#endif
