// The functions that stand before POSIX's, generated from spec/posix.spec.
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>

#include "record/calls/call.hpp"
#include "record/flat/flat_log.hpp"
#include "record/posix/posix.hpp"

using reprise::record::Behind;
using reprise::record::Call;
using reprise::record::FlatCall;
using reprise::record::FunctionNumber;
using reprise::record::has_mode;
using reprise::record::is_followed;
using reprise::record::is_regular;
using reprise::record::KeptError;
using reprise::record::note_other;

#include "posix.inc"
