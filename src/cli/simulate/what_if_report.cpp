#include "cli/simulate/what_if_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/say.hpp"
#include "cli/simulate/simulated_time.hpp"
#include "cli/text.hpp"
#include "trace/calls/call_names.hpp"
#include "trace/calls/places.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using simulate::Change;
using simulate::Picoseconds;
using Kind = Change::Kind;

constexpr std::size_t kBest = 3;

struct Words {
  const char *name, *change, *where;
};

Words words_of(Kind kind) {
  switch (kind) {
    case Kind::half_latency: return {"half_latency", "half the latency", "most of it in "};
    case Kind::double_bandwidth:
      return {"double_bandwidth", "twice the bandwidth", "most of the bytes in "};
    case Kind::even_computation_here:
      return {"even_computation_here", "computation spread evenly over ranks", "before "};
    case Kind::even_computation:
      return {"even_computation", "all computation spread evenly over ranks", ""};
    case Kind::no_contention:
      return {"no_contention", "no waiting for buses, links and interfaces", ""};
    case Kind::all_eager: return {"all_eager", "no sender waiting for its receive", ""};
    case Kind::faster_processors:
      return {"faster_processors", "processors twice as fast", "most is computed before "};
    case Kind::no_serialization: break;
  }
  return {"no_serialization", "no rank waiting for what others compute", "they wait most in "};
}

std::string where_text(const trace::Trace& trace, const trace::CallNames& names, const Change& c) {
  std::string out;
  if (c.where < trace.calls.size()) out = words_of(c.kind).where + names.text(c.where);
  if (c.kind == Kind::even_computation_here) {
    out += fmt::format(" (rank {}: {}, the mean: {})", c.stream / trace.threads, time_text(c.most),
                       time_text(c.mean));
  }
  return out;
}

}  // namespace

void print_best_changes(const trace::Trace& trace, const simulate::Outcome& run,
                        const std::vector<Change>& changes) {
  const trace::CallNames names(trace);
  const bool is_tried =
      std::ranges::any_of(changes, [](const Change& c) { return c.saves.has_value(); });
  const char* bound = is_tried ? "" : run.in_order ? "about " : "at most ";
  std::string title = is_tried ? "saves" : "would save";
  std::size_t shown = 0;
  for (const Change& c : changes) {
    const std::optional<Picoseconds> saved = is_tried ? c.saves : c.estimate;
    if (!saved || *saved <= 0 || c.kind == Kind::faster_processors || shown == kBest) continue;
    const std::string where = where_text(trace, names, c);
    say("{:<16}{}{} ({}): {}{}\n", title, bound, time_text(*saved),
        percent_of(*saved, run.end.time), words_of(c.kind).change,
        where.empty() ? "" : "; " + where);
    title.clear();
    ++shown;
  }
}

void print_tried_changes(const trace::Trace& trace, const simulate::Outcome& run,
                         const std::vector<Change>& changes) {
  const trace::CallNames names(trace);
  Table table({"change", "where", "saves", "share", run.in_order ? "expected" : "at most"}, 2);
  for (const Change& c : changes) {
    table.add({words_of(c.kind).change, where_text(trace, names, c),
               c.saves ? saving_text(*c.saves) : "-",
               c.saves && *c.saves >= 0 ? percent_of(*c.saves, run.end.time) : "-",
               c.estimate ? saving_text(*c.estimate) : "-"});
  }
  say("\n# what each change saves by itself, simulated\n{}", table.text());
}

ordered_json changes_json(const trace::Trace& trace, const std::vector<Change>& changes) {
  const trace::Places places(trace);
  const auto seconds = [](Picoseconds ps) { return static_cast<double>(ps) * 1e-12; };
  ordered_json out = ordered_json::array();
  for (const Change& c : changes) {
    ordered_json& row = out.emplace_back();
    row["change"] = words_of(c.kind).name;
    if (c.where < trace.calls.size()) {
      row["function"] = trace::function(trace.calls[c.where].function).name;
      row["place"] = places.text(trace.calls[c.where].callpath);
    }
    if (c.kind == Kind::even_computation_here) {
      row["rank"] = c.stream / trace.threads;
      row["computation_s"] = seconds(c.most);
      row["mean_computation_s"] = seconds(c.mean);
    }
    if (c.estimate) row["estimate_s"] = seconds(*c.estimate);
    if (c.saves) row["saves_s"] = seconds(*c.saves);
  }
  return out;
}

}  // namespace reprise::cli
