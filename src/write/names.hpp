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

  // A name of the innermost function that is open: none that the program or that function has.
  // Other functions may have it, too. With no open function, a name of the program.
  std::string add_local(std::string_view wanted);
  // Functions are open while they are written. `sees_outer`: it may have to be passed what has a
  // name in the function around it, so that its own names differ from those.
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
