// Names of a generated program, each given once.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace reprise::write {

class Names {
 public:
  // How a language makes a name of any text.
  using Identifier = std::string (*)(std::string_view text);

  // `reserved`: names that the program has already.
  Names(std::span<const std::string_view> reserved, Identifier identifier);

  // The wanted one as an identifier; with a number behind it if it is taken.
  std::string add(std::string_view wanted);

 private:
  Identifier identifier_;
  std::set<std::string> taken_;
  std::map<std::string, int> last_;
};

}  // namespace reprise::write
