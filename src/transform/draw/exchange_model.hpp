// The distributions of the messages of a stretch.
#pragma once

#include "trace/draw/drawn_exchange.hpp"
#include "transform/draw.hpp"
#include "transform/draw/stretches.hpp"

namespace reprise::transform {

// What draws messages like those of the stretch; its calls, and how they are made, are left open.
// REQUIRES: there is a message; two ranks at least.
trace::DrawnExchange model_of(const Stretch& stretch, std::uint64_t ranks, Drawing drawing);

}  // namespace reprise::transform
