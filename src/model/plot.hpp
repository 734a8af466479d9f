// A model as a picture: time over latency, over bandwidth and over the number of ranks.
#pragma once

#include <string>

#include "model/model.hpp"

namespace reprise::model {

// An SVG document with three panels. Lines are the formula, dots the regressions at single numbers
// of ranks. Latency and bandwidth are those at which the other panels are drawn.
std::string plot_svg(const Model& model, double latency, double bandwidth);

}  // namespace reprise::model
