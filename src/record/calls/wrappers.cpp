// The functions that stand before the MPI library, generated from spec/mpi.spec.
#include "record/calls/call.hpp"
#include "record/flat/flat_log.hpp"
#include "record/lifetime/session_lifetime.hpp"
#include "record/session.hpp"

using reprise::record::abandon_session;
using reprise::record::begin_session;
using reprise::record::begin_session_model;
using reprise::record::Call;
using reprise::record::control_session;
using reprise::record::CreatedBy;
using reprise::record::end_session;
using reprise::record::end_session_model;
using reprise::record::FlatCall;
using reprise::record::FunctionNumber;
using reprise::record::UnknownCall;

#include "wrappers.inc"
