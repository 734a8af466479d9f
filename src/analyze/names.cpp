#include "analyze/names.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace reprise::analyze {
namespace {

// "solve.constprop.0.isra.3" -> "solve", "printf@@GLIBC_2.2.5" -> "printf".
std::string without_suffixes(const std::string& symbol) {
  for (const char* suffix :
       {"@", ".constprop.", ".part.", ".isra.", ".cold", ".lto_priv.", ".localalias"}) {
    const std::size_t at = symbol.find(suffix);
    if (at != std::string::npos && at > 0) return without_suffixes(symbol.substr(0, at));
  }
  return symbol;
}

// "ns::f<int>(int, char) const" -> "ns::f<int>".
std::string without_parameters(const std::string& name) {
  const std::size_t close = name.rfind(')');
  if (close == std::string::npos || name.ends_with("operator()")) return name;
  std::size_t depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] != '(' || --depth > 0) continue;
    const std::string before = name.substr(0, i);
    return before.empty() || before.ends_with("::") ? name : before;
  }
  return name;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? without_parameters(text.get()) : symbol;
}

}  // namespace

std::string source_name(const std::string& symbol) {
  const std::string name = without_suffixes(symbol);
  if (name == "MAIN__") return "main program";
  if (name.starts_with("_Z")) return demangled(name);
  const std::size_t module = name.find("_MOD_");
  if (name.starts_with("__") && module != std::string::npos && module > 2) {
    return name.substr(2, module - 2) + "::" + name.substr(module + 5);
  }
  return name;
}

}  // namespace reprise::analyze
