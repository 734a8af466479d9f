// The table of arguments of src/write/c, for what this stage has in C.
#pragma once

#include "write/c/arguments.hpp"

namespace reprise::generate {

using write::c::Argument;
using write::c::ArgumentKind;
using write::c::arguments;
using write::c::Blocks;
using write::c::has_blocks_of_one_type;
using write::c::is_wide;
using write::c::Scale;
using write::c::why_unwritable;

}  // namespace reprise::generate
