#include "analyze/symbols/names.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "trace/calls/function_names.hpp"

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
  if (status != 0 || !text) return symbol;
  return trace::without_return_type(without_parameters(text.get()));
}

constexpr const char* kRegion = " (omp)";

// The function that a parallel region of OpenMP stands in, by the symbol that GCC or Clang gives
// the region; the symbol itself if it is none. Older versions of Clang name none.
std::string without_region(const std::string& symbol) {
  for (const char* mark : {"._omp_fn.", ".omp_outlined"}) {
    const std::size_t at = symbol.find(mark);
    if (at != std::string::npos) return symbol.substr(0, at);
  }
  return symbol;
}

// `name_of` a region's function and the mark of a region, or `name_of` the symbol.
template <class NameOf>
std::string with_region(const std::string& symbol, NameOf name_of) {
  const std::string function = without_region(symbol);
  if (function == symbol) return name_of(symbol);
  return function.empty() ? kRegion + 1 : name_of(function) + kRegion;
}

std::string name_of_function(const std::string& symbol) {
  const std::string name = without_suffixes(symbol);
  if (name == "MAIN__") return "main program";
  if (name.starts_with("_Z")) return demangled(name);
  const std::size_t module = name.find("_MOD_");
  if (name.starts_with("__") && module != std::string::npos && module > 2) {
    return name.substr(2, module - 2) + "::" + name.substr(module + 5);
  }
  return name;
}

}  // namespace

std::string source_name(const std::string& symbol) { return with_region(symbol, name_of_function); }

std::string fortran_name(const std::string& symbol, const std::string& program) {
  return with_region(symbol, [&program](const std::string& function) {
    if (function == "MAIN__" && !program.empty()) return program;
    const bool is_external = !function.starts_with('_') && function.size() > 1 &&
                             function.ends_with('_') && function != "MAIN__";
    return name_of_function(is_external ? function.substr(0, function.size() - 1) : function);
  });
}

bool is_region(const std::string& name) { return name.ends_with("(omp)"); }

}  // namespace reprise::analyze
