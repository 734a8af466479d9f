#include "analyze/symbols/symbolize.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyze/symbols/debug_info.hpp"
#include "analyze/symbols/work.hpp"
#include "analyze/symbols/wrappers.hpp"

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

class Symbolizer {
 public:
  Symbolizer(trace::Trace& trace, std::size_t first_jump) : trace_(trace), first_jump_(first_jump) {
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
      for (const std::uint32_t f : path) {
        const bool is_moved_part = f >= first_jump_ && !longer.empty() &&
                                   is_one_function(longer.back(), expanded[f].back());
        if (is_moved_part) continue;
        for (const std::uint32_t frame : expanded[f]) {
          const bool is_split =
              heads_.contains(frame) && !longer.empty() && is_one_function(longer.back(), frame);
          if (!is_split) longer.push_back(frame);
        }
      }
      // How the C library gets to main, or into a thread, is no part of the program.
      while (longer.size() > 1 && is_start(longer.back())) longer.pop_back();
      path = std::move(longer);
    }
    trace_.symbolized = true;
    trace_.wrappers =
        find_wrappers(trace_, [this](std::uint32_t frame) { return has_loop(frame); });
    trace_.modules = std::move(modules_);
  }

 private:
  // The frames that stand for one, the innermost first.
  std::vector<std::uint32_t> expand(const trace::Frame& f) {
    DebugInfo& binary =
        binaries_.try_emplace(f.module, trace_.modules[f.module], trace_.date).first->second;
    const std::vector<SourcePlace> places =
        binary ? binary.find(f.offset) : std::vector<SourcePlace>();
    std::vector<std::uint32_t> out;
    for (const SourcePlace& p : places) {
      if (p.line > 0 && !p.file.empty()) {
        out.push_back(add({.function = text(p.function),
                           .file = text(p.file),
                           .line = static_cast<std::uint32_t>(p.line)},
                          p.column));
        code_[out.back()].emplace(f.module, p.code);
        if (p.is_head) heads_.insert(out.back());
      }
    }
    if (!out.empty()) return out;
    // Modules are only needed for frames that have no line.
    trace::Frame plain{.module = keep(f.module), .offset = f.offset, .function = f.function};
    if (!places.empty()) plain.function = text(places.front().function);
    out.push_back(add(plain, 0));
    if (!places.empty()) code_[out.back()].emplace(f.module, places.front().code);
    return out;
  }

  bool has_loop(std::uint32_t frame) {
    const std::set<Code>& code = code_[frame];
    return code.empty() || std::ranges::any_of(code, [this](const Code& c) {
             return work_.try_emplace(c.first, binaries_.at(c.first))
                 .first->second.has_loop(c.second);
           });
  }

  bool is_one_function(std::uint32_t a, std::uint32_t b) const {
    const trace::Frame &f = trace_.frames[a], &g = trace_.frames[b];
    return f.function != 0 && f.function == g.function && f.file == g.file && f.module == g.module;
  }

  bool is_start(std::uint32_t frame) const {
    const std::string& name = trace_.texts[trace_.frames[frame].function];
    return std::ranges::any_of(kStart, [&](std::string_view start) { return name == start; });
  }

  // Calls on one line stay apart by their columns, which tell them from copies of one call.
  std::uint32_t add(const trace::Frame& f, int column) {
    const auto key = std::tuple(f.module, f.offset, f.function, f.file, f.line, column);
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
  const std::size_t first_jump_;
  std::map<std::string, std::uint32_t> texts_;
  std::map<
      std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, int>,
      std::uint32_t>
      frames_;
  std::set<std::uint32_t> heads_;  // frames whose call enters a part of their own function
  std::map<std::uint32_t, DebugInfo> binaries_;                   // by module
  std::map<std::uint32_t, Work> work_;                            // by module
  using Code = std::pair<std::uint32_t, std::vector<CodeRange>>;  // in a module
  std::map<std::uint32_t, std::set<Code>> code_;  // by frame: of the functions that it may lie in
  std::map<std::uint32_t, std::uint32_t> kept_;
  std::vector<trace::Module> modules_;
};

}  // namespace

void symbolize(trace::Trace& trace, std::size_t first_jump) {
  if (!trace.symbolized) Symbolizer(trace, first_jump).run();
}

}  // namespace reprise::analyze
