// The part of a generated C program that does not come from its trace: options, computation,
// report, and the helpers that its calls need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace reprise::generate {

class Runtime {
 public:
  // `needed`: by what is in `program`, the text that stands behind it; names of fragments and of
  // conditions (c_fragments.hpp).
  Runtime(const std::set<std::string>& needed, std::string program);

  // What begins the file, in front of the tables. `sites`, `functions` and `draws`: how many there
  // are.
  std::string settings(std::uint64_t ranks, std::size_t sites, std::size_t functions,
                       std::size_t draws) const;
  // What stands behind the tables.
  std::string helpers() const;

 private:
  bool needs(const std::string& name) const { return needed_.contains(name); }

  bool calls(std::string_view text) const { return program_.find(text) != std::string::npos; }

  std::set<std::string> needed_;
  std::string program_;
};

}  // namespace reprise::generate
