// A binary's debugging information: functions, files and lines of return addresses, inlined calls
// included.
#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// Addresses of machine code, half-open, counted as in the binary [bytes].
using CodeRange = std::pair<std::uint64_t, std::uint64_t>;

// A place in the source.
struct SourcePlace {
  std::string function, file;
  int line = 0, column = 0;  // from 1; 0: unknown
  // Whether it is where the function's definition has its name. No call of the source stands there,
  // but that of a part of the function which the compiler split off.
  bool is_head = false;
  // The code of the function, or of this inlined instance of it; empty if unknown.
  std::vector<CodeRange> code;
};

class DebugInfo {
 public:
  // Opens the module unless it is another one than was recorded: by its build id or, if it has
  // none, by its date. `date`: of the run [s since 1970-01-01 UTC].
  DebugInfo(const trace::Module& module, std::int64_t date);

  // Whether the binary was opened.
  explicit operator bool() const { return module_ != nullptr; }

  // The place of the call that returns to `offset`, then those of the calls that the compiler
  // inlined it through, the innermost first. Empty: unknown.
  std::vector<SourcePlace> find(std::uint64_t offset);

  // The bytes of machine code; fewer if the binary does not have them.
  std::vector<std::uint8_t> bytes(const CodeRange& range) const;
  // The function that begins at an address, or that a stub of the linker there jumps to; an empty
  // range if none does, or if it lies in another binary.
  CodeRange function_at(std::uint64_t address) const;
  // The address of the function that the dynamic linker puts into a slot; 0 if that lies in another
  // binary.
  std::uint64_t imported_at(std::uint64_t slot) const;

 private:
  struct Subprogram {
    CodeRange range;
    Dwarf_Die die;
  };
  // A compilation unit, and the functions in it by address.
  struct Unit {
    Dwarf_Die die;
    bool is_fortran = false;
    std::string program;  // the name of a main program in Fortran
    std::vector<Subprogram> subprograms;
    // By offset of a function in C++: the namespaces, classes and functions around it,
    // "ns::Grid::".
    std::map<Dwarf_Off, std::string> prefixes;
  };

  Unit* unit_at(Dwarf_Addr at);
  static void add_subprograms(Dwarf_Die* parent, const std::string& prefix, Unit& unit, int depth);
  static std::string name_of(Dwarf_Die* die, const Unit& unit);
  // Replaces a place that is known by line alone by the functions around it. False: there are none.
  static bool expand_inlined(Unit& unit, Dwarf_Addr at, std::vector<SourcePlace>& out);
  bool is_fortran();
  CodeRange symbol_at(std::uint64_t address) const;
  void read_slots();
  std::string build_id() const;

  struct End {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };

  std::unique_ptr<Dwfl, End> dwfl_;
  Dwfl_Module* module_ = nullptr;
  std::map<Dwarf_Off, Unit> units_;               // that were asked for
  std::map<std::uint64_t, std::uint64_t> slots_;  // of the dynamic linker
  std::optional<bool> is_fortran_;  // whether the binary uses Fortran's run-time library
};

}  // namespace reprise::analyze
