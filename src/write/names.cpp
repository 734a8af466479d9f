#include "write/names.hpp"

namespace reprise::write {

Names::Names(std::span<const std::string_view> reserved, Identifier identifier)
    : identifier_(identifier) {
  for (const std::string_view name : reserved) taken_.insert(std::string(name));
}

std::string Names::add(std::string_view wanted) {
  const std::string name = identifier_(wanted);
  std::string out = name;
  while (!taken_.insert(out).second) {
    const int number = ++last_.try_emplace(name, 1).first->second;
    out = name + (name.ends_with('_') ? "" : "_") + std::to_string(number);
  }
  return out;
}

}  // namespace reprise::write
