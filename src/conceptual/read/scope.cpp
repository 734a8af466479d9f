#include "conceptual/read/scope.hpp"

#include <algorithm>

#include "conceptual/values/variables.hpp"

namespace reprise::conceptual {
namespace {

void check_name(const std::string& name, Position at, std::size_t declared) {
  if (declared < kPredeclared) return;
  if (std::find(kPredeclaredNames.begin(), kPredeclaredNames.end(), name) ==
      kPredeclaredNames.end())
    return;
  throw Problem{at, name +
                        " cannot be declared (the language has a variable of that name); choose "
                        "another"};
}

}  // namespace

const Scope::Symbol* Scope::find(const std::string& name) const {
  const auto found = std::find_if(symbols_.rbegin(), symbols_.rend(),
                                  [&](const Symbol& s) { return s.name == name && !s.group; });
  return found == symbols_.rend() ? nullptr : &*found;
}

const Scope::Symbol* Scope::find_group(const std::string& name) const {
  const auto found = std::find_if(symbols_.rbegin(), symbols_.rend(),
                                  [&](const Symbol& s) { return s.name == name && s.group; });
  return found == symbols_.rend() ? nullptr : &*found;
}

Slot Scope::declare(const std::string& name, Position at) {
  check_name(name, at, symbols_.size());
  symbols_.push_back({name, fresh(), nullptr});
  return symbols_.back().slot;
}

void Scope::declare_group(const std::string& name, const Tasks& tasks, Position at) {
  check_name(name, at, symbols_.size());
  symbols_.push_back({name, kNoSlot, &tasks});
}

}  // namespace reprise::conceptual
