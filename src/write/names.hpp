// Names of a generated program, each given once.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::write {

class Names {
 public:
  // How a language makes a name of any text.
  using Identifier = std::string (*)(std::string_view text);

  // `reserved`: names that the program has already.
  Names(std::span<const std::string_view> reserved, Identifier identifier);

  // The wanted one as an identifier; with a number behind it if it is taken.
  std::string add(std::string_view wanted);

  // A name for a variable of the innermost open function, other than those of the program and of
  // that function. Different functions may use the same name. Without an open function, a name of
  // the program.
  std::string add_local(std::string_view wanted);
  // A function is open while it is written. `sees_outer`: its parameters may have names of the
  // function around it, so that its variables need others.
  void open_function(bool sees_outer);
  void close_function() { functions_.pop_back(); }

 private:
  struct Function {
    std::set<std::string> taken;
    bool sees_outer = false;
  };

  std::string numbered(std::string_view wanted, const std::function<bool(const std::string&)>& take,
                       std::map<std::string, int>& last);

  Identifier identifier_;
  std::set<std::string> taken_;
  std::map<std::string, int> last_;
  std::vector<Function> functions_;  // that are open, the innermost last
};

}  // namespace reprise::write
