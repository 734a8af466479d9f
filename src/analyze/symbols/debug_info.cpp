#include "analyze/symbols/debug_info.hpp"

#include <dwarf.h>
#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "analyze/symbols/names.hpp"
#include "base/files.hpp"

namespace reprise::analyze {
namespace {

// Dies nest no deeper in what compilers write.
constexpr int kMaxDepth = 256;

// The file by the name that its author knows: SMPI's Fortran compilers compile a copy of app.f90
// that is called app.f90_k2cRlTzXqA.f90.
std::string file_name(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t end = name.rfind('.'), mark = name.rfind('_');
  if (end == std::string::npos || mark == std::string::npos || end != mark + 11) return name;
  const std::string original = name.substr(0, mark);
  return original.ends_with(name.substr(end)) ? original : name;
}

bool is_in_fortran(Dwarf_Die* unit) {
  switch (dwarf_srclang(unit)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08: return true;
    default: return false;
  }
}

bool is_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_subprogram;
}

// What stands before the names of what a scope in C++ holds.
std::string prefix_within(Dwarf_Die* die, const std::string& prefix) {
  const int tag = dwarf_tag(die);
  if (!is_scope(tag)) return prefix;
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  if (!name && tag == DW_TAG_namespace) return prefix;
  const bool is_lambda = !name || std::string_view(name).starts_with("<lambda");
  return prefix + (is_lambda ? "{lambda}" : name) + "::";
}

// The definition that an instance or a definition elsewhere refers to.
Dwarf_Off declaration_of(Dwarf_Die* die) {
  Dwarf_Die at = *die;
  Dwarf_Attribute attribute;
  for (int i = 0; i < kMaxDepth; ++i) {
    Dwarf_Die next;
    if (!dwarf_formref_die(dwarf_attr(&at, DW_AT_abstract_origin, &attribute), &next) &&
        !dwarf_formref_die(dwarf_attr(&at, DW_AT_specification, &attribute), &next)) {
      break;
    }
    at = next;
  }
  return dwarf_dieoffset(&at);
}

std::vector<CodeRange> ranges_of(Dwarf_Die* die) {
  std::vector<CodeRange> out;
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;) {
    if (begin < end) out.emplace_back(begin, end);
  }
  return out;
}

bool has_code(Dwarf_Die* die) {
  return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

// Appends the inlined instances within a function or block that contain an address, the outermost
// first. Blocks without code of their own may have some with.
void find_inlined(Dwarf_Die* parent, Dwarf_Addr at, std::vector<Dwarf_Die>& out, int depth = 0) {
  Dwarf_Die die;
  if (depth == kMaxDepth || dwarf_child(parent, &die) != 0) return;
  do {
    const int tag = dwarf_tag(&die);
    const bool is_block =
        tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
    if (!is_block && tag != DW_TAG_inlined_subroutine) continue;
    const bool holds = dwarf_haspc(&die, at) > 0;
    if (!holds && has_code(&die)) continue;
    const std::size_t before = out.size();
    if (tag == DW_TAG_inlined_subroutine && holds) out.push_back(die);
    find_inlined(&die, at, out, depth + 1);
    if (out.size() > before) return;
  } while (dwarf_siblingof(&die, &die) == 0);
}

// Where an inlined instance is called; without its function. `inner` has the file if none is said.
SourcePlace inlined_at(Dwarf_Die* unit, Dwarf_Die* instance, const SourcePlace& inner) {
  SourcePlace place;
  place.function = inner.function;
  place.file = inner.file;
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(instance, DW_AT_call_line, &attribute), &value) == 0)
    place.line = static_cast<int>(value);
  if (dwarf_formudata(dwarf_attr(instance, DW_AT_call_column, &attribute), &value) == 0)
    place.column = static_cast<int>(value);
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(instance, DW_AT_call_file, &attribute), &value) == 0 &&
      dwarf_getsrcfiles(unit, &files, nullptr) == 0) {
    const char* source = dwarf_filesrc(files, value, nullptr, nullptr);
    if (source) place.file = file_name(source);
  }
  return place;
}

int number_of(Dwarf_Die* die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  return dwarf_formudata(dwarf_attr_integrate(die, attribute_name, &attribute), &value) == 0
             ? static_cast<int>(value)
             : 0;
}

// Whether a place in a function, or in an inlined instance of it, is that of its name.
bool is_head_of(Dwarf_Die* function, const SourcePlace& place) {
  return place.line > 0 && place.column > 0 && place.line == number_of(function, DW_AT_decl_line) &&
         place.column == number_of(function, DW_AT_decl_column);
}

}  // namespace

DebugInfo::DebugInfo(const trace::Module& module, std::int64_t date) {
  // Without a build id, a file is another one if it was written after the program had begun.
  if (module.build_id.empty() && has_changed_since(module.path, date)) return;
  static char* no_debuginfo_path = nullptr;
  static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                           dwfl_offline_section_address, &no_debuginfo_path};
  dwfl_.reset(dwfl_begin(&callbacks));
  if (!dwfl_) return;
  // At address zero, so that offsets are addresses.
  dwfl_report_begin(dwfl_.get());
  module_ = dwfl_report_elf(dwfl_.get(), "module", module.path.c_str(), -1, 0, true);
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  if (module_ && build_id() != module.build_id) module_ = nullptr;
  if (module_) read_slots();
}

std::vector<SourcePlace> DebugInfo::find(std::uint64_t offset) {
  GElf_Addr bias = 0;
  dwfl_module_getelf(module_, &bias);
  Dwarf_Addr at = offset - 1 + bias;
  SourcePlace place;
  const char* symbol = dwfl_module_addrname(module_, at);
  if (symbol) place.function = is_fortran() ? fortran_name(symbol) : source_name(symbol);
  Dwarf_Addr unit_bias = 0;
  if (dwfl_module_getdwarf(module_, &unit_bias)) at -= unit_bias;
  Unit* unit = unit_at(at);
  Dwarf_Line* line = unit ? dwarf_getsrc_die(&unit->die, at) : nullptr;
  if (line) {
    const char* source = dwarf_linesrc(line, nullptr, nullptr);
    if (source) place.file = file_name(source);
    dwarf_lineno(line, &place.line);
    dwarf_linecol(line, &place.column);
  }
  if (!symbol && !line) return {};
  std::vector<SourcePlace> out{place};
  // Code without debugging information may lie between the lines of others.
  if (!unit || !expand_inlined(*unit, at, out)) {
    out.front().line = 0;
    if (const CodeRange code = symbol_at(offset - 1); code.first < code.second)
      out.front().code = {code};
  }
  return out;
}

std::vector<std::uint8_t> DebugInfo::bytes(const CodeRange& range) const {
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  std::size_t segments = 0, size = 0;
  const char* file = elf ? elf_rawfile(elf, &size) : nullptr;
  if (!file || elf_getphdrnum(elf, &segments) != 0) return {};
  for (std::size_t i = 0; i < segments; ++i) {
    GElf_Phdr s;
    if (!gelf_getphdr(elf, static_cast<int>(i), &s) || s.p_type != PT_LOAD) continue;
    if (range.first < s.p_vaddr || range.first - s.p_vaddr >= s.p_filesz) continue;
    const std::uint64_t at = range.first - s.p_vaddr;
    if (s.p_offset > size || s.p_filesz > size - s.p_offset) return {};
    const std::uint64_t n = std::min(range.second - range.first, s.p_filesz - at);
    const char* begin = file + s.p_offset + at;
    return {begin, begin + n};
  }
  return {};
}

CodeRange DebugInfo::symbol_at(std::uint64_t address) const {
  GElf_Addr bias = 0;
  dwfl_module_getelf(module_, &bias);
  GElf_Sym symbol;
  GElf_Off offset = 0;
  if (!dwfl_module_addrinfo(module_, address + bias, &offset, &symbol, nullptr, nullptr, nullptr) ||
      offset >= symbol.st_size) {
    return {};
  }
  return {address - offset, address - offset + symbol.st_size};
}

CodeRange DebugInfo::function_at(std::uint64_t address) const {
  if (const CodeRange code = symbol_at(address); code.first < code.second)
    return code.first == address ? code : CodeRange();
  // stub := [endbr64] [bnd] jmp *slot(%rip)
  const std::vector<std::uint8_t> stub = bytes({address, address + 16});
  static constexpr std::uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  std::size_t at = 0;
  if (stub.size() == 16 && std::equal(std::begin(kEndbr64), std::end(kEndbr64), stub.begin()))
    at += sizeof kEndbr64;
  if (at < stub.size() && stub[at] == 0xf2) ++at;
  if (at + 6 > stub.size() || stub[at] != 0xff || stub[at + 1] != 0x25) return {};
  std::int32_t distance = 0;
  std::memcpy(&distance, &stub[at + 2], sizeof distance);
  const std::uint64_t slot = address + at + 6 + static_cast<std::uint64_t>(std::int64_t{distance});
  const std::uint64_t target = imported_at(slot);
  return target == 0 ? CodeRange() : symbol_at(target);
}

std::uint64_t DebugInfo::imported_at(std::uint64_t slot) const {
  const auto found = slots_.find(slot);
  return found == slots_.end() ? 0 : found->second;
}

void DebugInfo::read_slots() {
  GElf_Addr bias = 0;
  Elf* elf = dwfl_module_getelf(module_, &bias);
  for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0)
      continue;
    Elf_Data* relocations = elf_getdata(section, nullptr);
    Elf_Scn* linked = elf_getscn(elf, header.sh_link);
    Elf_Data* symbols = linked ? elf_getdata(linked, nullptr) : nullptr;
    const std::size_t n = header.sh_size / header.sh_entsize;
    for (std::size_t i = 0; relocations && symbols && i < n; ++i) {
      GElf_Rela relocation;
      GElf_Sym symbol;
      if (!gelf_getrela(relocations, static_cast<int>(i), &relocation)) break;
      const auto type = GELF_R_TYPE(relocation.r_info);
      const auto index = static_cast<int>(GELF_R_SYM(relocation.r_info));
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      if (gelf_getsym(symbols, index, &symbol) && symbol.st_value != 0)
        slots_[relocation.r_offset] = symbol.st_value;
    }
  }
}

// Compilers need not write the table of units by address (Clang does not).
DebugInfo::Unit* DebugInfo::unit_at(Dwarf_Addr at) {
  Dwarf_Addr bias = 0;
  if (!dwfl_module_getdwarf(module_, &bias)) return nullptr;
  Dwarf_Die* die = dwfl_module_addrdie(module_, at + bias, &bias);
  if (!die) {
    do {
      die = dwfl_module_nextcu(module_, die, &bias);
    } while (die && dwarf_haspc(die, at) <= 0);
  }
  if (!die) return nullptr;
  const auto [entry, is_new] = units_.try_emplace(dwarf_dieoffset(die));
  Unit& unit = entry->second;
  if (is_new) {
    unit.die = *die;
    unit.is_fortran = is_in_fortran(die);
    add_subprograms(&unit.die, {}, unit, 0);
    std::ranges::sort(unit.subprograms, {}, &Subprogram::range);
  }
  return &unit;
}

// Functions stand within modules, namespaces, types, blocks and other functions.
void DebugInfo::add_subprograms(Dwarf_Die* parent, const std::string& prefix, Unit& unit,
                                int depth) {
  Dwarf_Die die;
  if (depth == kMaxDepth || dwarf_child(parent, &die) != 0) return;
  do {
    if (dwarf_tag(&die) == DW_TAG_subprogram) {
      for (const CodeRange& range : ranges_of(&die)) unit.subprograms.push_back({range, die});
      if (!prefix.empty()) unit.prefixes.emplace(dwarf_dieoffset(&die), prefix);
      if (dwarf_hasattr(&die, DW_AT_main_subprogram)) unit.program = dwarf_diename(&die);
    }
    if (!dwarf_haschildren(&die)) continue;
    add_subprograms(&die, unit.is_fortran ? prefix : prefix_within(&die, prefix), unit, depth + 1);
  } while (dwarf_siblingof(&die, &die) == 0);
}

// The name of a subprogram or of an inlined instance of one; empty if it has none.
std::string DebugInfo::name_of(Dwarf_Die* die, const Unit& unit) {
  Dwarf_Attribute attribute;
  const char* linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  const char* plain = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  const std::string symbol = linkage ? linkage : "";
  if (symbol.starts_with("_Z") || symbol.find("_MOD_") != std::string::npos)
    return source_name(symbol);
  if (!plain) return source_name(symbol);
  // A Fortran main program is MAIN__ to the linker, and has the name of its source here; an
  // external procedure has an underscore there that its author did not write.
  if (unit.is_fortran) return fortran_name(plain, unit.program);
  // What no other file can call has no name for the linker; a region is called by all of its
  // function's.
  const auto prefix = unit.prefixes.find(declaration_of(die));
  const std::string name = source_name(plain);
  return prefix == unit.prefixes.end() || is_region(name) ? name : prefix->second + name;
}

bool DebugInfo::expand_inlined(Unit& unit, Dwarf_Addr at, std::vector<SourcePlace>& out) {
  const auto next = std::ranges::upper_bound(unit.subprograms, at, {},
                                             [](const Subprogram& s) { return s.range.first; });
  if (next == unit.subprograms.begin() || at >= std::prev(next)->range.second) return false;
  std::vector<Dwarf_Die> scopes{std::prev(next)->die};
  find_inlined(&scopes.front(), at, scopes);
  for (; !scopes.empty(); scopes.pop_back()) {
    Dwarf_Die* scope = &scopes.back();
    if (const std::string name = name_of(scope, unit); !name.empty()) out.back().function = name;
    out.back().code = ranges_of(scope);
    out.back().is_head = is_head_of(scope, out.back());
    if (scopes.size() > 1) out.push_back(inlined_at(&unit.die, scope, out.back()));
  }
  return true;
}

bool DebugInfo::is_fortran() {
  if (is_fortran_) return *is_fortran_;
  is_fortran_ = false;
  const int n = dwfl_module_getsymtab(module_);
  for (int i = 0; i < n && !*is_fortran_; ++i) {
    GElf_Sym symbol;
    const char* name = dwfl_module_getsym(module_, i, &symbol, nullptr);
    is_fortran_ = name && std::string_view(name).starts_with("_gfortran_");
  }
  return *is_fortran_;
}

std::string DebugInfo::build_id() const {
  const unsigned char* bits = nullptr;
  GElf_Addr where = 0;
  const int n = dwfl_module_build_id(module_, &bits, &where);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < n; ++i) {
    out += kDigits[bits[i] >> 4];
    out += kDigits[bits[i] & 15];
  }
  return out;
}

}  // namespace reprise::analyze
