// On a machine for which nobody wrote smpi_fortran.cpp, programs in Fortran are not recorded.
#include "record/smpi/smpi.hpp"

namespace reprise::record {

FortranRoutine* reprise_fortran_under_way = nullptr;

}  // namespace reprise::record
