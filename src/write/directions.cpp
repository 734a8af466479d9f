#include "write/directions.hpp"

#include <array>
#include <cctype>

namespace reprise::write {
namespace {

constexpr std::array<std::array<std::string_view, 2>, 3> kDirections = {
    {{"west", "east"}, {"north", "south"}, {"down", "up"}}};

}  // namespace

std::string direction(const program::Neighbor& n) {
  std::string out;
  for (std::size_t d = n.steps.size(); d-- > 0;) {
    const std::int64_t step = n.steps[d];
    if (step == 0) continue;
    if ((step != 1 && step != -1) || d >= kDirections.size()) return "neighbor";
    out += (out.empty() ? "" : "_") + std::string(kDirections[d][step == 1]);
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace reprise::write
