// Traces that can be those of a run, and others that cannot.
#include "extrapolate/verify.hpp"

#include <gtest/gtest.h>

namespace reprise::extrapolate {
namespace {}  // namespace
}  // namespace reprise::extrapolate
