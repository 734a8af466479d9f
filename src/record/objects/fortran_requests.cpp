// What stands before the routines of Fortran libraries that hand copies of requests to C, to say
// where the program keeps them. Generated from spec/mpi.spec.
#include "record/calls/call.hpp"
#include "record/objects/request_homes.hpp"

using reprise::record::find_real;
using reprise::record::FortranRequests;

extern "C" {

#include "fortran_requests.inc"

}  // extern "C"
