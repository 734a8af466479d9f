#include "generate/task_parameters.hpp"

#include <algorithm>

namespace reprise::generate {
namespace {

// More sizes than these stand in the text as they are.
constexpr std::size_t kMaxSizes = 16;

std::string declaration(const std::string& name, const std::string& what,
                        const std::string& options, const std::string& value) {
  return name + " IS \"" + what + "\" AND COMES FROM " + options + " WITH DEFAULT " + value + ".\n";
}

}  // namespace

std::string TaskParameters::repetitions(std::int64_t trips) {
  loops_.push_back(trips);
  return "reps" + std::to_string(loops_.size());
}

std::string TaskParameters::size(const std::string& bytes) {
  if (bytes == "0" || bytes.find_first_not_of("0123456789") != std::string::npos) return bytes;
  const auto found = std::ranges::find(sizes_, bytes);
  const auto n = static_cast<std::size_t>(found - sizes_.begin());
  if (found == sizes_.end()) {
    if (sizes_.size() == kMaxSizes) return bytes;
    sizes_.push_back(bytes);
  }
  return "size" + std::to_string(n + 1);
}

std::string TaskParameters::compute_scale() {
  computes_ = true;
  return "compute_percent/100";
}

void TaskParameters::add(const std::string& name, const std::string& what,
                         const std::string& option, std::int64_t value) {
  others_.push_back(declaration(name, what, "\"" + option + "\"", std::to_string(value)));
}

std::string TaskParameters::declarations() const {
  std::string out;
  if (computes_) {
    out += declaration("compute_percent", "Computation, in percent of what was recorded",
                       "\"--compute_percent\" OR \"-c\"", "100");
  }
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    const std::string n = std::to_string(i + 1);
    out += declaration("reps" + n, "Repetitions of loop " + n, "\"--reps" + n + "\"",
                       std::to_string(loops_[i]));
  }
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const std::string n = std::to_string(i + 1);
    out += declaration("size" + n, "Bytes of messages that had " + sizes_[i], "\"--size" + n + "\"",
                       sizes_[i]);
  }
  for (const std::string& other : others_) out += other;
  return out;
}

}  // namespace reprise::generate
