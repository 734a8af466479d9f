// Names of a program, each given once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace reprise::write::python {

class Names {
 public:
  Names();

  // The wanted one as an identifier; with a number behind it if it is taken.
  std::string add(std::string_view wanted);

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> last_;
};

}  // namespace reprise::write::python
