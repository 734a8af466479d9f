#include "cli/look/time_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analyze/times/time_rows.hpp"
#include "cli/command.hpp"
#include "cli/look/end_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "trace/calls/call_names.hpp"
#include "trace/calls/places.hpp"
#include "trace/values/rank_set.hpp"
#include "write/json/times.hpp"

namespace reprise::cli {
namespace {

using analyze::TimeGroup;
using analyze::TimeRow;
using nlohmann::ordered_json;

// From this share on, the long executions of ranks are said to coincide.
constexpr double kTogether = 0.5;
constexpr std::size_t kBarCells = 32;

std::string path_text(const trace::CallNames& n, std::uint32_t from) {
  if (from == trace::Path::kAny) return "";
  if (from == trace::Path::kStart) return ", from the start";
  return ", after " + n.text(from);
}

std::string title(const trace::CallNames& n, const TimeRow& row) {
  if (row.what == TimeRow::What::communicate) return "in " + n.text(row.call);
  return "computing before " + n.text(row.call) + path_text(n, row.from);
}

// How values spread from the minimum to the maximum, on a logarithmic axis where that spans more
// than a decade: a cell is as high as the share of what falls into it.
std::string bar(const TimeRow& row) {
  static constexpr const char* kHeights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto low = static_cast<double>(row.all.min), high = static_cast<double>(row.all.max);
  if (high <= low) return "";
  const bool logarithmic = low > 0 && high > 10 * low;
  const auto place = [&](double v) {
    const double share =
        logarithmic ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
    return std::clamp(share, 0.0, 1.0) * kBarCells;
  };
  std::vector<double> cells(kBarCells);
  for (const trace::Bin& b : row.bins) {
    const double from = place(static_cast<double>(b.min)), to = place(static_cast<double>(b.max));
    const auto first = std::min(static_cast<std::size_t>(from), kBarCells - 1);
    const auto last = std::clamp(static_cast<std::size_t>(std::ceil(to)), first + 1, kBarCells);
    for (std::size_t c = first; c < last; ++c) {
      cells[c] += static_cast<double>(b.count) / static_cast<double>(last - first);
    }
  }
  const double most = std::ranges::max(cells);
  std::string out = duration_text(low) + " ";
  for (const double c : cells) {
    out += kHeights[c == 0 ? 0 : std::clamp(static_cast<int>(std::ceil(8 * c / most)), 1, 8)];
  }
  return out + " " + duration_text(high) + (logarithmic ? " (log)" : "");
}

void print_groups(const TimeRow& row) {
  for (const TimeGroup& g : row.groups_of_ranks) {
    say("      {} on {} {}\n", duration_text(g.mean), g.ranks.size() == 1 ? "rank" : "ranks",
        trace::describe_ranks(g.ranks));
  }
  if (row.groups_of_executions.empty()) return;
  std::string text = executions_text(row.groups_of_executions);
  if (!row.ranks_of_executions.empty())
    text = fmt::format("on {}: {}", ranks_text(row.ranks_of_executions), text);
  say("      {}{}\n", text, row.concordance >= kTogether ? "; the same ones on all ranks" : "");
}

// Whether its share of all times is not printed as 0.0 %.
bool is_worth_a_row(const TimeRow& row, double whole) {
  constexpr double kLeastShare = 0.0005;
  return row.total() >= kLeastShare * whole;
}

void print_row(const trace::CallNames& n, const TimeRow& row, std::size_t number, double whole) {
  say("{:>3}  {}\n", number, title(n, row));
  say("      {} in {}, {:.1f} % of all; mean {}, min {} @{}, max {} @{}\n",
      duration_text(row.total()), counted(row.all.count, "time"), 100 * row.total() / whole,
      duration_text(row.all.mean()), duration_text(static_cast<double>(row.all.min)), row.min_rank,
      duration_text(static_cast<double>(row.all.max)), row.max_rank);
  if (const auto& b = row.balance) {
    say("      imbalance {:.2f}: rank {} has {}, the mean is {}\n", b->imbalance(), b->slowest,
        duration_text(b->most), duration_text(b->mean));
  }
  print_groups(row);
  if (const std::string text = bar(row); !text.empty()) say("      {}\n", text);
}

ordered_json json_of(const TimeGroup& g) {
  ordered_json out{{"mean_ns", g.mean}};
  if (g.ranks.empty()) {
    out["share"] = g.share;
  } else {
    out["ranks"] = trace::describe_ranks(g.ranks);
  }
  return out;
}

ordered_json json_of(const trace::Trace& t, const trace::CallNames& n, const TimeRow& row) {
  ordered_json out{{"what", row.what == TimeRow::What::compute ? "compute" : "communicate"},
                   {"function", trace::function(t.calls[row.call].function).name},
                   {"callpath", trace::full_path(t, t.calls[row.call].callpath)}};
  if (row.from == trace::Path::kStart) {
    out["after"] = "start";
  } else if (row.from != trace::Path::kAny) {
    out["after"] = n.text(row.from);
  }
  out["executions"] = row.all.count;
  out["total_ns"] = row.all.sum;
  out["mean_ns"] = row.all.mean();
  out["min_ns"] = row.all.min;
  out["min_rank"] = row.min_rank;
  out["max_ns"] = row.all.max;
  out["max_rank"] = row.max_rank;
  if (row.balance) {
    out["rank_mean_ns"] = row.balance->mean;
    out["rank_max_ns"] = row.balance->most;
    out["slowest_rank"] = row.balance->slowest;
    out["imbalance"] = row.balance->imbalance();
  } else {
    for (const char* name : {"rank_mean_ns", "rank_max_ns", "slowest_rank", "imbalance"})
      out[name] = nullptr;
  }
  out["concordance"] = row.concordance;
  for (const auto& [name, groups] :
       {std::pair{"groups_of_ranks", &row.groups_of_ranks},
        std::pair{"groups_of_executions", &row.groups_of_executions}}) {
    ordered_json& list = out[name] = ordered_json::array();
    for (const TimeGroup& g : *groups) list.push_back(json_of(g));
  }
  out["ranks_of_executions"] = row.ranks_of_executions.empty()
                                   ? ordered_json(nullptr)
                                   : ordered_json(trace::describe_ranks(row.ranks_of_executions));
  out["bins"] = write::bins_json(row.bins);
  return out;
}

ordered_json table_json(const trace::Trace& t, const std::vector<TimeRow>& rows,
                        const trace::CallNames& named, std::size_t shown) {
  const analyze::TimeTotals totals = analyze::time_totals_of(rows);
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < shown; ++i) list.push_back(json_of(t, named, rows[i]));
  return {{"ranks", t.ranks},
          {"clock", t.timing.clock},
          {"compute_ns", totals.compute},
          {"communicate_ns", totals.communicate},
          {"recorder_ns", t.timing.recorder},
          {"not_counted", not_counted_json(t)},
          {"rows", list}};
}

}  // namespace

ordered_json time_table_json(const trace::Trace& t) {
  const std::vector<TimeRow> rows = analyze::time_rows_of(t);
  return table_json(t, rows, trace::CallNames(t), rows.size());
}

void print_times(const trace::Trace& t, const std::string& file, const TimeTableOptions& o) {
  require_times(t, file);
  const std::vector<TimeRow> rows = analyze::time_rows_of(t);
  const trace::CallNames named(t);
  const analyze::TimeTotals totals = analyze::time_totals_of(rows);
  const std::size_t shown = o.top > 0 ? std::min(o.top, rows.size()) : rows.size();
  if (o.json) return say_json(table_json(t, rows, named, shown));
  const double whole = totals.compute + totals.communicate;
  const bool has_balance =
      std::ranges::all_of(rows, [](const TimeRow& r) { return r.balance.has_value(); });
  say("# {}\n# {}: computing {} ({:.1f} %), in MPI {}; {}\n", program_text(t.program),
      counted(t.ranks, "rank"), duration_text(totals.compute),
      whole > 0 ? 100 * totals.compute / whole : 0, duration_text(totals.communicate),
      has_balance ? "the most costly imbalance first"
                  : "the longest first (--time stats has no imbalance: ranks are kept as one)");
  std::size_t printed = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    if (o.top > 0 || is_worth_a_row(rows[i], whole)) print_row(named, rows[i], ++printed, whole);
  }
  if (printed < shown) {
    say("# {} of less than 0.05 % each; --top {} prints all\n",
        counted(rows.size() - printed, "more row"), rows.size());
  } else if (shown < rows.size()) {
    say("# {}\n", counted(rows.size() - shown, "more row"));
  }
  say_not_counted(t);
}

}  // namespace reprise::cli
