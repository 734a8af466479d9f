#include "analyze/symbolise.hpp"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyze/names.hpp"

namespace reprise::analyze {
namespace {

constexpr std::string_view kStart[] = {"_start",
                                       "__libc_start_main",
                                       "__libc_start_main_impl",
                                       "__libc_start_call_main",
                                       "start_thread",
                                       "clone",
                                       "__clone",
                                       "clone3",
                                       "__clone3"};

// The file by the name that its author knows: SMPI's Fortran compilers compile a copy of app.f90
// that is called app.f90_k2cRlTzXqA.f90.
std::string file_name(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t end = name.rfind('.'), mark = name.rfind('_');
  if (end == std::string::npos || mark == std::string::npos || end != mark + 11) return name;
  const std::string original = name.substr(0, mark);
  return original.ends_with(name.substr(end)) ? original : name;
}

struct Place {
  std::string function, file;
  int line = 0;  // 0: unknown
};

// Scopes as libdw allocates them.
class Scopes {
 public:
  Scopes() = default;
  ~Scopes() { std::free(dies_); }
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  void find(Dwarf_Die* unit, Dwarf_Addr at) { count_ = dwarf_getscopes(unit, at, &dies_); }
  void find(Dwarf_Die* inner) { count_ = dwarf_getscopes_die(inner, &dies_); }
  int size() const { return count_; }
  Dwarf_Die* operator[](int i) const { return &dies_[i]; }

 private:
  Dwarf_Die* dies_ = nullptr;
  int count_ = 0;
};

// The name of a subprogram or of an inlined instance of one; empty if it has none.
std::string die_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  const char* linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  const char* plain = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  // A Fortran main program is MAIN__ to the linker, and has the name of its source here; an
  // external procedure has an underscore there that its author did not write.
  const std::string symbol = linkage ? linkage : "";
  if (symbol.starts_with("_Z") || symbol.find("_MOD_") != std::string::npos)
    return source_name(symbol);
  return plain ? source_name(plain) : source_name(symbol);
}

// One binary, opened at address zero so that offsets are addresses.
class Binary {
 public:
  // `date`: of the run, in which the binary was what it was.
  Binary(const trace::Module& module, std::int64_t date) {
    if (module.build_id.empty() && changed_since(date, module.path)) return;
    static char* no_debuginfo_path = nullptr;
    static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                             dwfl_offline_section_address, &no_debuginfo_path};
    dwfl_.reset(dwfl_begin(&callbacks));
    if (!dwfl_) return;
    dwfl_report_begin(dwfl_.get());
    module_ = dwfl_report_elf(dwfl_.get(), "module", module.path.c_str(), -1, 0, true);
    dwfl_report_end(dwfl_.get(), nullptr, nullptr);
    if (module_ && build_id() != module.build_id) module_ = nullptr;
  }

  explicit operator bool() const { return module_ != nullptr; }

  // The place of the call that returns to `offset`, then those of the calls that the compiler
  // inlined it through, the innermost first. Empty: unknown.
  std::vector<Place> find(std::uint64_t offset) const {
    GElf_Addr bias = 0;
    dwfl_module_getelf(module_, &bias);
    const Dwarf_Addr at = offset - 1 + bias;
    Place place;
    const char* symbol = dwfl_module_addrname(module_, at);
    if (symbol) place.function = source_name(symbol);
    Dwfl_Line* found = dwfl_module_getsrc(module_, at);
    if (found) {
      const char* source = dwfl_lineinfo(found, nullptr, &place.line, nullptr, nullptr, nullptr);
      if (source) place.file = file_name(source);
    }
    if (!symbol && !found) return {};
    std::vector<Place> out{place};
    // Code without debugging information may lie between the lines of others.
    if (!expand_inlined(at, out)) out.front().line = 0;
    return out;
  }

 private:
  // Takes the function of each scope around the address that is one, and the place from which it
  // was inlined into the next. False: the address lies in no function that is described.
  bool expand_inlined(Dwarf_Addr at, std::vector<Place>& out) const {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module_, at, &bias);
    if (!unit) return false;
    Scopes abstract, scopes;
    abstract.find(unit, at - bias);
    if (abstract.size() <= 0) return false;
    // The scopes around an inlined instance are those of its definition; around the innermost one
    // as a thing in itself they are those that contain the code.
    Dwarf_Die innermost = *abstract[0];
    scopes.find(&innermost);
    for (int i = 0; i < scopes.size(); ++i) {
      const int tag = dwarf_tag(scopes[i]);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      if (const std::string name = die_name(scopes[i]); !name.empty()) out.back().function = name;
      if (tag == DW_TAG_subprogram) return true;
      out.push_back(inlined_at(unit, scopes[i], out.back()));
    }
    return false;
  }

  // Where an inlined instance is called; without its function. `inner` has the file if none is
  // said.
  static Place inlined_at(Dwarf_Die* unit, Dwarf_Die* instance, const Place& inner) {
    Place place{inner.function, inner.file, 0};
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr(instance, DW_AT_call_line, &attribute), &value) == 0) {
      place.line = static_cast<int>(value);
    }
    Dwarf_Files* files = nullptr;
    if (dwarf_formudata(dwarf_attr(instance, DW_AT_call_file, &attribute), &value) == 0 &&
        dwarf_getsrcfiles(unit, &files, nullptr) == 0) {
      const char* source = dwarf_filesrc(files, value, nullptr, nullptr);
      if (source) place.file = file_name(source);
    }
    return place;
  }

  // Without a build id, a file is another one if it was written after the program had begun.
  static bool changed_since(std::int64_t date, const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) != 0 || status.st_mtime > date;
  }

  std::string build_id() const {
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

  struct End {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };

  std::unique_ptr<Dwfl, End> dwfl_;
  Dwfl_Module* module_ = nullptr;
};

class Symboliser {
 public:
  explicit Symboliser(trace::Trace& trace) : trace_(trace) {
    if (trace.texts.empty()) trace.texts.emplace_back();
    for (std::size_t i = 0; i < trace.texts.size(); ++i) {
      texts_.emplace(trace.texts[i], static_cast<std::uint32_t>(i));
    }
  }

  void run() {
    // Each recorded frame becomes one frame or, with inlined calls, several; equal ones are one.
    std::vector<std::vector<std::uint32_t>> expanded;
    const std::vector<trace::Frame> recorded = std::move(trace_.frames);
    trace_.frames.clear();
    for (const trace::Frame& f : recorded) expanded.push_back(expand(f));
    for (std::vector<std::uint32_t>& path : trace_.callpaths) {
      std::vector<std::uint32_t> longer;
      for (const std::uint32_t f : path)
        longer.insert(longer.end(), expanded[f].begin(), expanded[f].end());
      // How the C library gets to main, or into a thread, is no part of the program.
      while (longer.size() > 1 && is_start(longer.back())) longer.pop_back();
      path = std::move(longer);
    }
    trace_.modules = std::move(modules_);
    trace_.symbolised = true;
  }

 private:
  // The frames that stand for one, the innermost first.
  std::vector<std::uint32_t> expand(const trace::Frame& f) {
    const Binary& binary =
        binaries_.try_emplace(f.module, trace_.modules[f.module], trace_.date).first->second;
    const std::vector<Place> places = binary ? binary.find(f.offset) : std::vector<Place>();
    std::vector<std::uint32_t> out;
    for (const Place& p : places) {
      if (p.line > 0 && !p.file.empty()) {
        out.push_back(add({.function = text(p.function),
                           .file = text(p.file),
                           .line = static_cast<std::uint32_t>(p.line)}));
      }
    }
    if (!out.empty()) return out;
    // Modules are only needed for frames that have no line.
    trace::Frame plain{.module = keep(f.module), .offset = f.offset, .function = f.function};
    if (!places.empty()) plain.function = text(places.front().function);
    return {add(plain)};
  }

  bool is_start(std::uint32_t frame) const {
    const std::string& name = trace_.texts[trace_.frames[frame].function];
    return std::ranges::any_of(kStart, [&](std::string_view start) { return name == start; });
  }

  std::uint32_t add(const trace::Frame& f) {
    const auto key = std::tuple(f.module, f.offset, f.function, f.file, f.line);
    const auto [entry, is_new] =
        frames_.emplace(key, static_cast<std::uint32_t>(trace_.frames.size()));
    if (is_new) trace_.frames.push_back(f);
    return entry->second;
  }

  std::uint32_t text(const std::string& t) {
    const auto [entry, is_new] = texts_.emplace(t, static_cast<std::uint32_t>(trace_.texts.size()));
    if (is_new) trace_.texts.push_back(t);
    return entry->second;
  }

  std::uint32_t keep(std::uint32_t module) {
    const auto [entry, is_new] = kept_.emplace(module, static_cast<std::uint32_t>(modules_.size()));
    if (is_new) modules_.push_back(trace_.modules[module]);
    return entry->second;
  }

  trace::Trace& trace_;
  std::map<std::string, std::uint32_t> texts_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>,
           std::uint32_t>
      frames_;
  std::map<std::uint32_t, Binary> binaries_;
  std::map<std::uint32_t, std::uint32_t> kept_;
  std::vector<trace::Module> modules_;
};

}  // namespace

void symbolise(trace::Trace& trace) {
  if (!trace.symbolised) Symboliser(trace).run();
}

}  // namespace reprise::analyze
