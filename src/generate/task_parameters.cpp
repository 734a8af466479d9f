#include "generate/task_parameters.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/escape.hpp"

namespace reprise::generate {
namespace {

// More sizes than these stand in the text as they are.
constexpr std::size_t kMaxSizes = 16;
// More loops than these have numbers of repetitions that are no parameters.
constexpr std::size_t kMaxLoops = 8;

// The language asks for an option of one letter beside each other one. Those that start loops and
// sizes come first, then all others.
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

// That of computation has to have one, whatever else has.
constexpr std::size_t kKept = 1;

std::string declaration(const std::string& name, const std::string& what, const std::string& option,
                        char letter, const std::string& value) {
  return name + " IS " + conceptual_string(what) + " AND COMES FROM \"" + option + "\" OR \"-" +
         letter + "\" WITH DEFAULT " + value + ".\n";
}

// The function's name as part of that of a variable.
std::string variable_of(const std::string& function) {
  std::string out;
  for (const char c : function) {
    const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_part) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!is_part && !out.empty() && out.back() != '_') out += '_';
  }
  return out.substr(0, 32);
}

}  // namespace

bool TaskParameters::has_room() const { return all_.size() + kKept < kLetters.size(); }

std::optional<std::string> TaskParameters::declare(Parameter parameter) {
  if (!has_room()) return std::nullopt;
  all_.push_back(std::move(parameter));
  return all_.back().name;
}

std::string TaskParameters::repetitions(std::int64_t trips) {
  const std::string value = std::to_string(trips);
  if (loops_ == kMaxLoops) return value;
  const std::string n = std::to_string(loops_ + 1);
  const auto name =
      declare({Kind::loop, "reps" + n, "Repetitions of loop " + n, "--reps" + n, value});
  if (name) ++loops_;
  return name.value_or(value);
}

std::string TaskParameters::size(const std::string& bytes) {
  if (bytes == "0" || bytes.find_first_not_of("0123456789") != std::string::npos) return bytes;
  const auto found = std::ranges::find(sizes_, bytes);
  const auto n = std::to_string(found - sizes_.begin() + 1);
  if (found != sizes_.end()) return "size" + n;
  if (sizes_.size() == kMaxSizes) return bytes;
  const auto name =
      declare({Kind::size, "size" + n, "Bytes of messages that had " + bytes, "--size" + n, bytes});
  if (name) sizes_.push_back(bytes);
  return name.value_or(bytes);
}

std::string TaskParameters::compute_percent() {
  const std::string name = "compute_percent";
  if (std::ranges::find(all_, name, &Parameter::name) == all_.end()) {
    all_.insert(all_.begin(), {Kind::percent, name, "Computation, in percent of what was recorded",
                               "--" + name, "100"});
  }
  return name;
}

std::optional<std::string> TaskParameters::function_percent(const std::string& function) {
  const auto known =
      std::ranges::find(functions_, function, &std::pair<std::string, std::string>::first);
  if (known != functions_.end()) return known->second;
  std::string name = "percent_" + variable_of(function);
  const auto is_taken = [&] {
    return std::ranges::find(all_, name, &Parameter::name) != all_.end();
  };
  const std::string own = name;
  for (int i = 2; is_taken(); ++i) name = own + "_" + std::to_string(i);
  const auto declared = declare(
      {Kind::percent, name, "Computation in " + function + ", in percent", "--" + name, "100"});
  if (declared) functions_.emplace_back(function, name);
  return declared;
}

void TaskParameters::add(const std::string& name, const std::string& what,
                         const std::string& option, std::int64_t value) {
  all_.push_back({Kind::own, name, what, option, std::to_string(value)});
}

std::string TaskParameters::declarations() const {
  std::string out, free(kLetters);
  std::vector<Parameter> sorted = all_;
  std::ranges::stable_sort(sorted, {}, &Parameter::kind);
  for (const Parameter& p : sorted) {
    // That with which a part of the option begins, or else the first one that nobody has.
    std::size_t at = std::string::npos;
    for (std::size_t i = 0; at == std::string::npos && i < p.option.size(); ++i) {
      if (i == 0 || p.option[i - 1] == '-' || p.option[i - 1] == '_') at = free.find(p.option[i]);
    }
    if (at == std::string::npos && std::isdigit(static_cast<unsigned char>(p.option.back())))
      at = free.find(p.option.back());
    if (at == std::string::npos) at = 0;
    out += declaration(p.name, p.what, p.option, free[at], p.value);
    free.erase(at, 1);
  }
  return out;
}

}  // namespace reprise::generate
