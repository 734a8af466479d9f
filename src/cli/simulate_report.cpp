#include "cli/simulate_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analyze/ends.hpp"
#include "base/printable.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/what_if_report.hpp"
#include "compress/process.hpp"
#include "trace/places.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using simulate::Account;
using simulate::Outcome;
using simulate::Picoseconds;

constexpr std::size_t kShownBlocked = 16;

std::string time_text(Picoseconds ps) { return duration_text(static_cast<double>(ps) / 1e3); }

double seconds(Picoseconds ps) { return static_cast<double>(ps) * 1e-12; }

// [bytes/s], or "unlimited".
std::string bandwidth_text(double inverse) {
  return inverse > 0 ? bytes_text(static_cast<std::uint64_t>(1e12 / inverse)) + "/s" : "unlimited";
}

const char* name_of(simulate::MessageModel model) {
  switch (model) {
    case simulate::MessageModel::dimemas: return "dimemas";
    case simulate::MessageModel::hockney: return "hockney";
    case simulate::MessageModel::loggp: return "loggp";
    case simulate::MessageModel::loggops: break;
  }
  return "loggops";
}

}  // namespace

std::string machine_text(const simulate::Machine& m) {
  std::string out =
      fmt::format("{}, latency {}, bandwidth {}", name_of(m.model), time_text(m.network.latency),
                  bandwidth_text(m.network.inverse_bandwidth));
  if (m.cpu_ratio != 1) out += fmt::format(", CPU ratio {:g}", m.cpu_ratio);
  if (m.processors > 1) out += fmt::format(", {} processors a node", m.processors);
  if (m.buses > 0) out += ", " + counted(static_cast<std::uint64_t>(m.buses), "bus");
  if (m.output_links > 0) out += fmt::format(", {} output links a node", m.output_links);
  if (m.input_links > 0) out += fmt::format(", {} input links a node", m.input_links);
  return out;
}

namespace {

std::vector<Account> by_call(const Outcome& run, std::size_t calls) {
  std::vector<Account> out(calls);
  for (const auto& stream : run.accounts) {
    for (std::size_t c = 0; c < calls; ++c) out[c] += stream[c];
  }
  return out;
}

Picoseconds path_of(const Outcome& run, std::size_t call) {
  return call < run.path.size() ? run.path[call].total() : 0;
}

std::string percent(Picoseconds part, Picoseconds whole) {
  if (whole <= 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

// Call sites, those with the most on the critical path first, or the most time without one.
std::vector<std::uint32_t> order_of(const Outcome& run, const std::vector<Account>& accounts) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < accounts.size(); ++c) {
    if (accounts[c].calls > 0) out.push_back(c);
  }
  const auto key = [&](std::uint32_t c) {
    const Account& a = accounts[c];
    return std::pair(path_of(run, c), a.compute + a.transfer + a.waiting);
  };
  std::ranges::stable_sort(out, [&](auto a, auto b) { return key(a) > key(b); });
  return out;
}

// By call: whether another one of these has the same function and place.
std::vector<bool> rows_that_read_alike(const trace::Trace& trace, const trace::Places& places,
                                       const std::vector<std::uint32_t>& calls) {
  std::map<std::pair<trace::FunctionId, std::string>, std::vector<std::uint32_t>> rows;
  for (const std::uint32_t c : calls)
    rows[{trace.calls[c].function, places.text(trace.calls[c].callpath)}].push_back(c);
  std::vector<bool> out(trace.calls.size());
  for (const auto& [row, of] : rows) {
    for (const std::uint32_t c : of) out[c] = of.size() > 1;
  }
  return out;
}

std::string place_text(const trace::Places& places, const trace::Call& call, bool is_met_again) {
  return is_met_again ? places.path_text(call.callpath) : places.text(call.callpath);
}

void print_sites(const SimulationReport& r, std::size_t top) {
  const std::vector<Account> accounts = by_call(r.run, r.trace.calls.size());
  std::vector<std::string> head{"call", "place", "calls", "computation", "transfer", "waiting"};
  if (!r.run.path.empty()) head.insert(head.end(), {"| computation", "latency", "bytes", "share"});
  Table table(head, 2);
  std::size_t rows = 0;
  const std::vector<std::uint32_t> order = order_of(r.run, accounts);
  const trace::Places places(r.trace);
  const std::vector<bool> is_met_again = rows_that_read_alike(r.trace, places, order);
  for (const std::uint32_t c : order) {
    if (top > 0 && rows++ == top) break;
    const trace::Call& call = r.trace.calls[c];
    const Account& a = accounts[c];
    std::vector<std::string> cells{std::string(trace::function(call.function).name),
                                   place_text(places, call, is_met_again[c]),
                                   count_text(a.calls),
                                   time_text(a.compute),
                                   time_text(a.transfer),
                                   time_text(a.waiting)};
    if (!r.run.path.empty()) {
      const simulate::PathShare& path = r.run.path[c];
      cells.push_back("| " + time_text(path.compute));
      cells.push_back(time_text(path.latency));
      cells.push_back(time_text(path.transfer));
      cells.push_back(percent(path.total(), r.run.end.time));
    }
    table.add(std::move(cells));
  }
  say("\n# sums over all ranks | the critical path, which adds up to the time; computation is what "
      "comes before a call\n{}",
      table.text());
  if (top > 0 && order.size() > top) say("# {}\n", counted(order.size() - top, "more row"));
}

Account sum_of(const std::vector<Account>& accounts) {
  Account all;
  for (const Account& a : accounts) all += a;
  return all;
}

void print_ranks(const SimulationReport& r) {
  Table table({"rank", "calls", "computation", "transfer", "waiting", "end"}, 0);
  for (std::uint64_t s = 0; s < r.run.accounts.size(); ++s) {
    const Account a = sum_of(r.run.accounts[s]);
    const std::uint64_t thread = s % r.trace.threads;
    std::string name = std::to_string(s / r.trace.threads);
    if (r.trace.threads > 1) name += fmt::format(".{}", thread);
    table.add({name, count_text(a.calls), time_text(a.compute), time_text(a.transfer),
               time_text(a.waiting), time_text(r.run.ends[s])});
  }
  say("\n{}", table.text());
}

ordered_json json_of(const Account& a) {
  return {{"calls", a.calls},
          {"computation_s", seconds(a.compute)},
          {"transfer_s", seconds(a.transfer)},
          {"waiting_s", seconds(a.waiting)}};
}

ordered_json machine_json(const simulate::Machine& m) {
  const auto bandwidth = [](double inverse) -> ordered_json {
    if (inverse <= 0) return "unlimited";
    return 1e12 / inverse;
  };
  return {{"model", name_of(m.model)},
          {"latency_s", seconds(m.network.latency)},
          {"bandwidth_bytes_per_s", bandwidth(m.network.inverse_bandwidth)},
          {"node_latency_s", seconds(m.memory.latency)},
          {"node_bandwidth_bytes_per_s", bandwidth(m.memory.inverse_bandwidth)},
          {"cpu_ratio", m.cpu_ratio},
          {"processors", m.processors},
          {"eager_bytes", m.eager},
          {"buses", m.buses},
          {"input_links", m.input_links},
          {"output_links", m.output_links}};
}

}  // namespace

void print_simulation(const SimulationReport& r, std::size_t top, bool by_rank) {
  const simulate::Clock& end = r.run.end;
  const double per_byte = r.machine.network.inverse_bandwidth;
  const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, end.bytes));
  const auto latencies = static_cast<std::uint64_t>(std::max<std::int64_t>(0, end.latencies));
  const Picoseconds moved = std::llround(static_cast<double>(end.bytes) * per_byte);
  const Picoseconds started = end.latencies * r.machine.network.latency;
  say("# {}\n# {} on a machine: {}\n", printable(r.trace.program), counted(r.trace.ranks, "rank"),
      machine_text(r.machine));
  say("time            {}\n", time_text(end.time));
  say("critical path   {} computation and other, {} of {}, {} for {}\n",
      time_text(end.time - moved - started), time_text(started),
      counted(latencies, "latency") == "1 latency" ? "1 latency"
                                                   : count_text(latencies) + " latencies",
      time_text(moved), bytes_text(bytes));
  print_best_changes(r.trace, r.run, r.changes);
  if (r.efficiency) {
    const simulate::Efficiency& e = *r.efficiency;
    say("efficiency      parallel {:.3f} = load balance {:.3f} x communication {:.3f}\n"
        "                communication = serialisation {:.3f} x transfer {:.3f}\n",
        e.parallel, e.load_balance, e.communication, e.serialisation, e.transfer);
  }
  for (const simulate::Tolerance& t : r.tolerances) {
    say("{:g} % longer     {}\n", 100 * t.share,
        t.latency < 0 ? "whatever the latency, up to a second"
                      : "with " + time_text(t.latency) + " more latency");
  }
  say("simulated       {}, {}{}\n", counted(r.run.calls, "call"),
      counted(r.run.messages, "message"),
      r.run.leapt ? fmt::format("; {} by arithmetic", counted(r.run.leapt, "iteration")) : "");
  if (r.has_tried_changes) print_tried_changes(r.trace, r.run, r.changes);
  print_sites(r, top);
  if (by_rank) print_ranks(r);
}

void print_simulation_json(const SimulationReport& r) {
  const simulate::Clock& end = r.run.end;
  ordered_json out{{"ranks", r.trace.ranks},
                   {"machine", machine_json(r.machine)},
                   {"time_s", seconds(end.time)},
                   {"time_ps", end.time},
                   {"latencies", end.latencies},
                   {"bytes", end.bytes},
                   {"calls", r.run.calls},
                   {"messages", r.run.messages},
                   {"iterations_by_arithmetic", r.run.leapt},
                   {"in_order_of_time", r.run.in_order}};
  if (r.efficiency) {
    const simulate::Efficiency& e = *r.efficiency;
    out["efficiency"] = {{"parallel", e.parallel},
                         {"load_balance", e.load_balance},
                         {"communication", e.communication},
                         {"serialisation", e.serialisation},
                         {"transfer", e.transfer}};
  }
  for (const simulate::Tolerance& t : r.tolerances) {
    out["tolerance"].push_back(
        {{"share", t.share},
         {"more_latency_s", t.latency < 0 ? ordered_json() : ordered_json(seconds(t.latency))}});
  }
  out["what_if"] = changes_json(r.trace, r.changes);
  const std::vector<Account> accounts = by_call(r.run, r.trace.calls.size());
  const trace::Places places(r.trace);
  for (const std::uint32_t c : order_of(r.run, accounts)) {
    const trace::Call& call = r.trace.calls[c];
    ordered_json row{{"function", trace::function(call.function).name},
                     {"place", places.text(call.callpath)}};
    row.update(json_of(accounts[c]));
    if (!r.run.path.empty()) {
      const simulate::PathShare& path = r.run.path[c];
      row["critical_path_s"] = seconds(path.total());
      row["critical_path_computation_s"] = seconds(path.compute);
      row["critical_path_latency_s"] = seconds(path.latency);
    }
    out["sites"].push_back(std::move(row));
  }
  for (std::uint64_t s = 0; s < r.run.accounts.size(); ++s) {
    ordered_json row{{"rank", s / r.trace.threads}, {"thread", s % r.trace.threads}};
    row.update(json_of(sum_of(r.run.accounts[s])));
    row["end_s"] = seconds(r.run.ends[s]);
    out["streams"].push_back(std::move(row));
  }
  for (const simulate::Note& n : r.run.notes)
    out["notes"].push_back({{"what", n.what}, {"count", n.count}});
  out["unmatched_messages"] = r.run.unmatched_count;
  out["deadlock"] = !r.run.blocked.empty();
  say_json(out);
}

bool print_deadlock(const trace::Trace& trace, const Outcome& run) {
  if (run.blocked.empty()) return false;
  say(stderr, "reprise: the simulation came to a deadlock: {} in vain\n",
      counted(run.blocked.size(), "rank") + (run.blocked.size() == 1 ? " waits" : " wait"));
  std::size_t shown = 0;
  for (const simulate::Blocked& b : run.blocked) {
    if (shown++ == kShownBlocked) {
      say(stderr, "  and {} more\n", run.blocked.size() - kShownBlocked);
      break;
    }
    say(stderr, "  rank {}: {} waits for {}\n", b.stream / trace.threads,
        trace::describe_call(trace, b.call), b.waits_for);
  }
  return true;
}

void warn_of_losses(const trace::Trace& t, const std::string& name) {
  for (const trace::Loss& loss : t.losses) {
    if (loss.what == compress::kCodeUnread) continue;  // the calls are the same
    say(stderr, "reprise: warning: not in {}: {} {}\n", name, loss.count, loss.what);
  }
  const analyze::Ends ends = analyze::ends_of(t);
  if (const std::size_t n = ends.cut_short.size() + ends.silent.size(); n > 0) {
    say(stderr,
        "reprise: warning: {} is cut short on {}: the time is of what is known until then\n", name,
        counted(n, "rank"));
  }
  if (t.times.empty()) {
    say(stderr, "reprise: warning: {} has no times (--time none): nothing is computed\n", name);
  }
}

void print_notes(const trace::Trace& trace, const Outcome& run) {
  for (const simulate::Note& n : run.notes) say(stderr, "reprise: note: {} {}\n", n.count, n.what);
  if (run.unmatched_count > 0) {
    say(stderr, "reprise: warning: {} sent and never received\n",
        run.unmatched_count == 1 ? "1 message was"
                                 : count_text(run.unmatched_count) + " messages were");
  }
  for (const simulate::Unmatched& u : run.unmatched) {
    say(stderr, "  rank {} to rank {}, tag {}, {}: {}\n", u.from, u.to, u.tag,
        bytes_text(static_cast<std::uint64_t>(std::max<std::int64_t>(0, u.bytes))),
        trace::describe_call(trace, u.call));
  }
}

}  // namespace reprise::cli
