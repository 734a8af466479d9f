// Contracts for our own bugs: checked where assertions are, in all builds but release ones.
#pragma once

#include <cassert>

#define REPRISE_REQUIRE(condition) assert(condition)
