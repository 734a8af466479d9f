#include "cli/simulate/simulated_time.hpp"

#include <fmt/format.h>

#include "cli/text.hpp"

namespace reprise::cli {

using simulate::Picoseconds;

std::string time_text(Picoseconds time) {
  const std::string text = duration_text(static_cast<double>(time < 0 ? -time : time) / 1e3);
  return time < 0 ? "-" + text : text;
}

std::string saving_text(Picoseconds saved) { return saved < 0 ? "none" : time_text(saved); }

std::string beside_recorded(const trace::Trace& trace) {
  if (trace.duration == 0) return {};
  return fmt::format("; the recorded run took {}",
                     duration_text(1e3 * static_cast<double>(trace.duration)));
}

std::string percent_of(Picoseconds part, Picoseconds whole) {
  if (whole <= 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace reprise::cli
