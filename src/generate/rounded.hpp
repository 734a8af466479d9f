// Numbers without the digits that nobody can measure.
#pragma once

#include "write/rounded.hpp"

namespace reprise::generate {

using write::rounded;

}  // namespace reprise::generate
