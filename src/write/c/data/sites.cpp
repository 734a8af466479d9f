#include "write/c/data/sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "analyze/totals/totals.hpp"
#include "trace/calls/places.hpp"
#include "write/c/calls/arguments.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {
namespace {

constexpr std::int64_t kUnknown = -1;  // calls or bytes

class SitesWriter {
 public:
  SitesWriter(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
              const std::map<std::int64_t, Expression>& times, bool has_totals)
      : trace_(trace), sites_(sites), times_(times), has_totals_(has_totals), places_(trace) {
    std::map<std::string, std::size_t> files;
    for (const trace::Call& c : trace.calls) {
      const trace::Frame* f = places_.frame(c.callpath);
      if (f && f->line != 0) ++files[trace.texts[f->file]];
    }
    const auto most = std::ranges::max_element(files, {}, [](const auto& f) { return f.second; });
    if (most != files.end()) file_ = most->first;
  }

  SiteTables run() {
    std::vector<Expression> sites;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      const auto ns = times_.find(static_cast<std::int64_t>(i));
      sites.push_back(list({function_name(sites_[i]), text(place(sites_[i])),
                            ns == times_.end() ? number(0) : ns->second}));
    }
    SiteTables out;
    out.definitions.push_back(
        {Declare{"static const struct site", "sites", "[]", list(std::move(sites))}});
    std::vector<Expression> totals = this->totals();
    out.functions = totals.size();
    out.definitions.push_back(
        {Declare{"static const struct total", "totals", "[]", list(std::move(totals))}});
    return out;
  }

 private:
  Expression function_name(std::uint32_t call) const {
    return text(std::string(trace::function(trace_.calls[call].function).name));
  }

  // The function and line of a call, and the file if it is not the one that most stand in.
  std::string place(std::uint32_t call) const {
    const std::uint32_t callpath = trace_.calls[call].callpath;
    const trace::Frame* f = places_.frame(callpath);
    if (!f || places_.index(callpath) > 0) return places_.text(callpath);
    const std::string function = places_.function(trace_.callpaths[callpath].front());
    const bool is_plain = function.find_first_of(": ") == std::string::npos;
    if (f->line != 0 && trace_.texts[f->file] == file_ && is_plain)
      return fmt::format("{}:{}", function, f->line);
    return places_.text(callpath);
  }

  std::vector<trace::FunctionId> functions() const {
    std::vector<trace::FunctionId> out;
    for (const std::uint32_t c : sites_) {
      const trace::FunctionId f = trace_.calls[c].function;
      if (std::ranges::count(out, f) == 0) out.push_back(f);
    }
    return out;
  }

  std::vector<Expression> totals() const {
    std::vector<Expression> out;
    if (!has_totals_) {
      for (const trace::FunctionId f : functions())
        out.push_back(
            list({text(std::string(trace::function(f).name)), number(kUnknown), number(kUnknown)}));
      return out;
    }
    const analyze::Totals totals = analyze::totals_of(trace_, analyze::Counting::given);
    if (totals.damaged) throw Unwritable{"a value in it makes no sense"};
    for (const trace::FunctionId f : functions()) {
      std::uint64_t executions = 0;
      analyze::Volume volume;
      for (const std::uint32_t c : sites_) {
        if (trace_.calls[c].function != f) continue;
        for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
          executions += totals.of(s, c).calls;
          volume += totals.of(s, c).volume;
        }
      }
      // The sizes of messages that are probed for depend on which comes first.
      const bool is_open = std::ranges::any_of(
          arguments(f), [](const Argument& a) { return a.kind == ArgumentKind::message; });
      const std::int64_t bytes =
          volume.unknown > 0 || is_open
              ? kUnknown
              : static_cast<std::int64_t>(
                    std::accumulate(volume.bytes.begin(), volume.bytes.end(), std::uint64_t{0}));
      out.push_back(list({text(std::string(trace::function(f).name)),
                          number(static_cast<std::int64_t>(executions)), number(bytes)}));
    }
    return out;
  }

  const trace::Trace& trace_;
  const std::vector<std::uint32_t>& sites_;
  const std::map<std::int64_t, Expression>& times_;
  bool has_totals_;
  trace::Places places_;
  std::string file_;  // that most calls stand in; empty: no call's is known
};

}  // namespace

SiteTables site_tables(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
                       const std::map<std::int64_t, Expression>& times, bool has_totals) {
  return SitesWriter(trace, sites, times, has_totals).run();
}

}  // namespace reprise::write::c
