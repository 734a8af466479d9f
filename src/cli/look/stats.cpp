// reprise stats: calls and bytes by function or by place.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "analyze/totals/statistics.hpp"
#include "cli/command.hpp"
#include "cli/look/end_report.hpp"
#include "cli/look/stats.hpp"
#include "cli/look/time_table.hpp"
#include "cli/open_trace.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/wrappers.hpp"

namespace reprise::cli {
namespace {

using analyze::Grouping;
using analyze::Spread;
using analyze::StatisticsRow;
using nlohmann::ordered_json;
using trace::Direction;

struct StatsOptions {
  std::string file, wrappers;
  std::string by = "function";
  std::string sort = "bytes";
  std::size_t top = 0;
  bool times = false;
  bool json = false;
};

constexpr std::pair<Direction, std::string_view> kDirections[] = {{Direction::sent, "sent"},
                                                                  {Direction::received, "received"},
                                                                  {Direction::written, "written"},
                                                                  {Direction::read, "read"}};

ordered_json json_of(const Spread& s) {
  return {{"total", s.total},
          {"min", s.min},
          {"min_rank", s.min_rank},
          {"max", s.max},
          {"max_rank", s.max_rank}};
}

ordered_json json_of(const StatisticsRow& row) {
  ordered_json out{{"calls", json_of(row.calls)}};
  for (const auto& [direction, name] : kDirections)
    out[fmt::format("bytes_{}", name)] = json_of(row.of(direction));
  out["calls_of_unknown_size"] = row.unknown;
  return out;
}

}  // namespace

ordered_json statistics_json(const trace::Trace& t, const analyze::Statistics& s,
                             Grouping grouping) {
  ordered_json rows = ordered_json::array();
  for (const StatisticsRow& row : s.rows) {
    ordered_json one{{"function", trace::function(row.function).name}};
    if (grouping != Grouping::function) one["place"] = row.place;
    one.update(json_of(row));
    rows.push_back(std::move(one));
  }
  return {{"ranks", t.ranks},
          {"all", json_of(s.all)},
          {"not_counted", not_counted_json(t)},
          {"rows", rows}};
}

analyze::Statistics statistics(const trace::Trace& t, Grouping grouping, const std::string& file) {
  const analyze::Totals totals = analyze::totals_of(t);
  if (totals.damaged) throw CommandError{damaged_message(file)};
  return analyze::statistics_of(t, totals, grouping);
}

namespace {

void add_spread(std::vector<std::string>& cells, const Spread& s, std::uint64_t whole,
                std::string (*text)(std::uint64_t)) {
  cells.push_back(text(s.total));
  cells.push_back(share_text(s.total, whole));
  if (s.total == 0) return cells.insert(cells.end(), {"-", "-"}), void();
  const bool even = s.min == s.max;
  cells.push_back(even ? text(s.min) + " each" : fmt::format("{} @{}", text(s.min), s.min_rank));
  cells.push_back(even ? "" : fmt::format("{} @{}", text(s.max), s.max_rank));
}

std::vector<std::string> cells_of(const StatisticsRow& row, std::string name,
                                  const analyze::Statistics& s, const StatsOptions& o) {
  std::vector<std::string> cells{std::move(name)};
  if (o.by != "function") cells.push_back(row.place);
  add_spread(cells, row.calls, s.all.calls.total, count_text);
  add_spread(cells, row.of(Direction::sent), s.all.of(Direction::sent).total, bytes_text);
  for (const Direction d : {Direction::received, Direction::written, Direction::read}) {
    if (d != Direction::received && s.all.of(d).total == 0) continue;
    cells.push_back(row.of(d).total == 0 ? "-" : bytes_text(row.of(d).total));
  }
  return cells;
}

void print_table(const trace::Trace& t, const analyze::Statistics& s, const StatsOptions& o) {
  std::vector<std::string> head{"function"};
  if (o.by != "function") head.emplace_back(o.by == "site" ? "place" : "call path");
  for (const char* name : {"calls", "share", "min @rank", "max @rank", "sent", "share", "min @rank",
                           "max @rank", "received"}) {
    head.emplace_back(name);
  }
  if (s.all.of(Direction::written).total) head.emplace_back("written");
  if (s.all.of(Direction::read).total) head.emplace_back("read");
  Table table(head, o.by == "function" ? 1 : 2);
  std::size_t printed = 0;
  for (const StatisticsRow& row : s.rows) {
    if (o.top > 0 && printed++ == o.top) break;
    table.add(cells_of(row, std::string(trace::function(row.function).name), s, o));
  }
  table.add(cells_of(s.all, "all", s, o));
  say("# {}\n# {}; min and max are over ranks\n{}", program_text(t.program),
      counted(t.ranks, "rank"), table.text());
  if (o.top > 0 && s.rows.size() > o.top) say("# {}\n", counted(s.rows.size() - o.top, "more row"));
  if (s.all.unknown) {
    say("# the bytes of {} are unknown (their datatype or topology is not in the trace)\n",
        counted(s.all.unknown, "call"));
  }
  say_not_counted(t);
}

Grouping grouping(const std::string& word) {
  return word == "site"       ? Grouping::site
         : word == "callpath" ? Grouping::callpath
                              : Grouping::function;
}

void run(const StatsOptions& o) {
  trace::Trace t = open_trace(o.file, analyze::Use::structure);
  set_wrappers(t, o.wrappers, o.file);
  if (o.times) return print_times(t, o.file, {.top = o.top, .json = o.json});
  analyze::Statistics s = statistics(t, grouping(o.by), o.file);
  if (o.sort == "calls") analyze::sort_by_calls(s);
  if (!o.json) return print_table(t, s, o);
  if (o.top > 0 && s.rows.size() > o.top) s.rows.resize(o.top);
  say_json(statistics_json(t, s, grouping(o.by)));
}

}  // namespace

void add_stats(CLI::App& app) {
  auto o = std::make_shared<StatsOptions>();
  CLI::App* sub = app.add_subcommand(
      "stats", "Count calls and bytes by function, call site or call path, the largest first");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("--by", o->by, "A row for each function, source location, or call path")
      ->check(CLI::IsMember({"function", "site", "callpath"}))
      ->capture_default_str();
  sub->add_option("--sort", o->sort, "The order of rows, the largest first")
      ->check(CLI::IsMember({"bytes", "calls"}))
      ->capture_default_str();
  sub->add_option("--top", o->top, "Print at most this many rows")->check(CLI::PositiveNumber);
  sub->add_flag(
      "--times", o->times,
      "Show instead where time goes, by call and preceding call, the costliest imbalance first");
  add_wrappers_option(*sub, o->wrappers);
  sub->add_flag("--json", o->json, "Print a JSON document with exact numbers, sizes in bytes");
  sub->footer(
      "Sent is the data that a rank passes to MPI to be sent; received is the room for data to be "
      "received. Files are\ncounted separately. The --report of a generated benchmark counts whole "
      "buffers instead, sent and received in one\nnumber. docs/statistics.md has the rules.\n\n"
      "Example: reprise stats --by site --top 10 app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
