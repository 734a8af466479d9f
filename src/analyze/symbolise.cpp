#include "analyze/symbolise.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

namespace reprise::analyze {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// One binary, opened at address zero so that offsets are addresses.
class Binary {
 public:
  explicit Binary(const trace::Module& module) {
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

  // The place of the call that returns to `offset`.
  bool find(std::uint64_t offset, std::string& function, std::string& file, int& line) const {
    GElf_Addr bias = 0;
    dwfl_module_getelf(module_, &bias);
    const Dwarf_Addr at = offset - 1 + bias;
    const char* name = dwfl_module_addrname(module_, at);
    if (name) function = demangled(name);
    Dwfl_Line* found = dwfl_module_getsrc(module_, at);
    if (found) {
      const char* source = dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr);
      if (source) file = base_name(source);
    }
    return name || found;
  }

 private:
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

}  // namespace

void symbolise(trace::Trace& trace) {
  if (trace.symbolised) return;
  if (trace.texts.empty()) trace.texts.emplace_back();
  std::map<std::string, std::uint32_t> texts;
  for (std::size_t i = 0; i < trace.texts.size(); ++i) {
    texts.emplace(trace.texts[i], static_cast<std::uint32_t>(i));
  }
  const auto intern = [&](const std::string& text) {
    const auto [entry, is_new] = texts.emplace(text, static_cast<std::uint32_t>(trace.texts.size()));
    if (is_new) trace.texts.push_back(text);
    return entry->second;
  };
  std::map<std::uint32_t, Binary> binaries;
  for (trace::Frame& f : trace.frames) {
    const Binary& binary = binaries.try_emplace(f.module, trace.modules[f.module]).first->second;
    std::string function, file;
    int line = 0;
    if (!binary || !binary.find(f.offset, function, file, line)) continue;
    f.function = intern(function);
    if (file.empty() || line <= 0) continue;
    f.file = intern(file);
    f.line = static_cast<std::uint32_t>(line);
  }
  // Modules are only needed for frames that have no line.
  std::map<std::uint32_t, std::uint32_t> kept;
  std::vector<trace::Module> modules;
  for (trace::Frame& f : trace.frames) {
    if (f.line != 0) {
      f.module = 0;
      f.offset = 0;
      continue;
    }
    const auto [entry, is_new] = kept.emplace(f.module, static_cast<std::uint32_t>(modules.size()));
    if (is_new) modules.push_back(trace.modules[f.module]);
    f.module = entry->second;
  }
  trace.modules = std::move(modules);
  trace.symbolised = true;
}

}  // namespace reprise::analyze
