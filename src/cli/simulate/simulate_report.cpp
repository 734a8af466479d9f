#include "cli/simulate/simulate_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analyze/ends.hpp"
#include "cli/say.hpp"
#include "cli/simulate/simulated_time.hpp"
#include "cli/simulate/what_if_report.hpp"
#include "cli/text.hpp"
#include "compress/process.hpp"
#include "simulate/results/outcome_json.hpp"
#include "trace/calls/call_names.hpp"
#include "trace/calls/places.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using simulate::Account;
using simulate::Outcome;
using simulate::Picoseconds;

constexpr std::size_t kShownBlocked = 16;

// [bytes/s], or "unlimited".
std::string bandwidth_text(double inverse) {
  return inverse > 0 ? bytes_text(static_cast<std::uint64_t>(1e12 / inverse)) + "/s" : "unlimited";
}

}  // namespace

std::string machine_text(const simulate::Machine& m) {
  std::string out =
      fmt::format("{}, latency {}, bandwidth {}", simulate::name_of(m.model),
                  time_text(m.network.latency), bandwidth_text(m.network.inverse_bandwidth));
  if (m.cpu_ratio != 1) out += fmt::format(", CPU ratio {:g}", m.cpu_ratio);
  if (m.processors > 1) out += fmt::format(", {} processors a node", m.processors);
  if (m.buses > 0) out += ", " + counted(static_cast<std::uint64_t>(m.buses), "bus");
  if (m.output_links > 0) out += fmt::format(", {} output links a node", m.output_links);
  if (m.input_links > 0) out += fmt::format(", {} input links a node", m.input_links);
  return out;
}

namespace {

void print_sites(const SimulationReport& r, std::size_t top) {
  const std::vector<Account> accounts = simulate::by_call(r.run, r.trace.calls.size());
  std::vector<std::string> head{"call", "place", "calls", "computation", "transfer", "waiting"};
  if (!r.run.path.empty()) head.insert(head.end(), {"| computation", "latency", "bytes", "share"});
  Table table(head, 2);
  std::size_t rows = 0;
  const std::vector<std::uint32_t> order = simulate::by_cost(r.run, accounts);
  const trace::CallNames names(r.trace);
  for (const std::uint32_t c : order) {
    if (top > 0 && rows++ == top) break;
    const trace::Call& call = r.trace.calls[c];
    const Account& a = accounts[c];
    std::vector<std::string> cells{std::string(trace::function(call.function).name),
                                   names.place(c),
                                   count_text(a.calls),
                                   time_text(a.compute),
                                   time_text(a.transfer),
                                   time_text(a.waiting)};
    if (!r.run.path.empty()) {
      const simulate::PathShare& path = r.run.path[c];
      cells.push_back(time_text(path.compute));
      cells.push_back(time_text(path.latency));
      cells.push_back(time_text(path.transfer));
      cells.push_back(percent_of(path.total(), r.run.end.time));
    }
    table.add(std::move(cells));
  }
  say("\n# sums over all ranks | the critical path, which adds up to the time; computation is what "
      "comes before a call\n{}",
      table.text());
  if (top > 0 && order.size() > top) say("# {}\n", counted(order.size() - top, "more row"));
}

void print_ranks(const SimulationReport& r) {
  Table table({"rank", "calls", "computation", "transfer", "waiting", "end"}, 0);
  for (std::uint64_t s = 0; s < r.run.accounts.size(); ++s) {
    const Account a = simulate::sum_of(r.run.accounts[s]);
    const std::uint64_t thread = s % r.trace.threads;
    std::string name = std::to_string(s / r.trace.threads);
    if (r.trace.threads > 1) name += fmt::format(".{}", thread);
    table.add({name, count_text(a.calls), time_text(a.compute), time_text(a.transfer),
               time_text(a.waiting), time_text(r.run.ends[s])});
  }
  say("\n{}", table.text());
}

}  // namespace

std::string efficiency_text(const simulate::Efficiency& e) {
  if (!e.is_of_computation())
    return "efficiency      not known (nothing is computed in the simulated run)\n";
  return fmt::format(
      "efficiency      parallel {:.3f} = load balance {:.3f} x communication {:.3f}\n"
      "                communication = serialization {:.3f} x transfer {:.3f}\n",
      e.parallel, e.load_balance, e.communication, e.serialization, e.transfer);
}

void print_simulation(const SimulationReport& r, std::size_t top, bool by_rank) {
  const simulate::Clock& end = r.run.end;
  const double per_byte = r.machine.network.inverse_bandwidth;
  const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, end.bytes));
  const auto latencies = static_cast<std::uint64_t>(std::max<std::int64_t>(0, end.latencies));
  const Picoseconds moved = std::llround(static_cast<double>(end.bytes) * per_byte);
  const Picoseconds started = end.latencies * r.machine.network.latency;
  say("# {}\n# {} on a machine: {}\n", program_text(r.trace.program),
      counted(r.trace.ranks, "rank"), machine_text(r.machine));
  say("time            {}{}\n", time_text(end.time), beside_recorded(r.trace));
  say("critical path   {} computation and other, {} of {}, {} for {}\n",
      time_text(end.time - moved - started), time_text(started),
      counted(latencies, "latency") == "1 latency" ? "1 latency"
                                                   : count_text(latencies) + " latencies",
      time_text(moved), bytes_text(bytes));
  print_best_changes(r.trace, r.run, r.changes);
  if (r.efficiency) say("{}", efficiency_text(*r.efficiency));
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
  ordered_json out = simulate::run_json(r.trace, r.machine, r.run, r.efficiency);
  for (const simulate::Tolerance& t : r.tolerances) {
    out["tolerance"].push_back(
        {{"share", t.share},
         {"more_latency_s",
          t.latency < 0 ? ordered_json() : ordered_json(simulate::seconds(t.latency))}});
  }
  out["what_if"] = changes_json(r.trace, r.changes);
  simulate::add_sites_json(out, r.trace, r.run);
  say_json(out);
}

std::string deadlock_text(const trace::Trace& trace, const Outcome& run) {
  std::string out = fmt::format(
      "the simulation ended in a deadlock: {} forever",
      counted(run.blocked.size(), "rank") + (run.blocked.size() == 1 ? " waits" : " wait"));
  std::size_t shown = 0;
  for (const simulate::Blocked& b : run.blocked) {
    if (shown++ == kShownBlocked)
      return out + fmt::format("\n  and {} more", run.blocked.size() - kShownBlocked);
    out += fmt::format("\n  rank {}: {} waits for {}", b.stream / trace.threads,
                       trace::describe_call(trace, b.call), b.waits_for);
  }
  return out;
}

bool print_deadlock(const trace::Trace& trace, const Outcome& run) {
  if (run.blocked.empty()) return false;
  say(stderr, "reprise: {}\n", deadlock_text(trace, run));
  return true;
}

void warn_of_losses(const trace::Trace& t, const std::string& name) {
  for (const trace::Loss& loss : t.losses) {
    if (loss.what == compress::kCodeUnread) continue;  // the calls are the same
    say(stderr, "reprise: warning: not in {}: {} {}\n", name, loss.count, loss.what);
  }
  const analyze::Ends ends = analyze::ends_of(t);
  if (const std::size_t n = ends.cut_short.size() + ends.silent.size(); n > 0) {
    say(stderr, "reprise: warning: {} is cut short on {}: the time covers the calls until then\n",
        name, counted(n, "rank"));
  }
  if (t.calls.empty()) {
    say(stderr, "reprise: warning: {} has no calls: nothing is simulated\n", name);
  } else if (t.times.empty()) {
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
