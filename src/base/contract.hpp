// Contracts for our own bugs: checked in debug and test builds, assumed in release builds.
#pragma once

#include <cassert>

#define REPRISE_REQUIRE(condition) assert(condition)
