#include "write/names.hpp"

#include <algorithm>

namespace reprise::write {

Names::Names(std::span<const std::string_view> reserved, Identifier identifier)
    : identifier_(identifier) {
  for (const std::string_view name : reserved) taken_.insert(std::string(name));
}

std::string Names::numbered(std::string_view wanted,
                            const std::function<bool(const std::string&)>& take,
                            std::map<std::string, int>& last) {
  const std::string name = identifier_(wanted);
  std::string out = name;
  while (!take(out)) {
    const int number = ++last.try_emplace(name, 1).first->second;
    out = name + (name.ends_with('_') ? "" : "_") + std::to_string(number);
  }
  return out;
}

std::string Names::add(std::string_view wanted) {
  const auto take = [this](const std::string& name) {
    const auto has = [&](const Function& f) { return f.taken.contains(name); };
    return std::ranges::none_of(functions_, has) && taken_.insert(name).second;
  };
  return numbered(wanted, take, last_);
}

std::string Names::add_local(std::string_view wanted) {
  if (functions_.empty()) return add(wanted);
  const auto take = [this](const std::string& name) {
    if (taken_.contains(name)) return false;
    for (auto f = functions_.rbegin(); f != functions_.rend(); ++f) {
      if (f->taken.contains(name)) return false;
      if (!f->sees_outer) break;
    }
    return functions_.back().taken.insert(name).second;
  };
  std::map<std::string, int> last;
  return numbered(wanted, take, last);
}

void Names::open_function(bool sees_outer) { functions_.push_back({{}, sees_outer}); }

}  // namespace reprise::write
