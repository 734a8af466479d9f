#include "cli/simulate/analyze_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/say.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "cli/simulate/simulated_time.hpp"
#include "cli/text.hpp"

namespace reprise::cli {
namespace {

using diagnose::Cause;
using diagnose::Diagnosis;
using diagnose::Finding;
using diagnose::Imbalance;
using diagnose::Picoseconds;
using diagnose::Wait;

std::string percentage(double share) { return fmt::format("{:.1f} %", 100 * share); }

class Report {
 public:
  Report(const trace::Trace& trace, const Diagnosis& d, std::size_t top)
      : trace_(trace), d_(d), top_(top), names_(trace) {}

  void head(const simulate::Machine& machine) const {
    say("# {}\n# {} on a machine: {}\n", program_text(trace_.program),
        counted(trace_.ranks, "rank"), machine_text(machine));
    say("simulated time  {}\n", times_text());
    if (const Picoseconds rest = diagnose::unexplained(d_, trace_); rest > 0)
      say("                {} of the recorded time ({}) are not explained: the network may be\n"
          "                slower than the simulated one (--latency, --bandwidth), and the time of "
          "the\n"
          "                MPI library itself is not simulated\n",
          time_text(rest),
          percentage(static_cast<double>(rest) / (1e6 * static_cast<double>(trace_.duration))));
    else if (diagnose::is_far_from_recorded(d_, trace_))
      say("                The simulated machine is slower than the recorded one: describe that "
          "with\n"
          "                --latency, --bandwidth and --cpu-ratio\n");
    say("{}", efficiency_text(d_.efficiency));
    if (d_.balance_without_long)
      say("                load balance without single long executions: {:.3f}\n",
          *d_.balance_without_long);
    if (!d_.main_loop) return;
    say("main loop       {}, {} each when recorded, {} of the recorded time; begins with {}\n",
        counted(d_.main_loop->trips, "iteration"), duration_text(d_.main_loop->mean),
        percentage(d_.main_loop->share), call_text(d_.main_loop->calls.front()));
  }

  void findings(double least_share) const {
    if (d_.findings.empty()) {
      say("\nNothing found that costs {:g} % of the time or more.\n", 100 * least_share);
      return;
    }
    const bool some_vary =
        std::ranges::any_of(d_.findings, [](const Finding& f) { return f.whole > 0; });
    say("\n# findings, the costliest first; a cost is how much earlier the simulated run ends "
        "without it\n{}",
        some_vary ? "# (% of a time: that of a run with computation that varies, not of the "
                    "simulated one)\n"
                  : "");
    const std::vector<std::vector<const Finding*>> groups = by_cause();
    for (std::size_t i = 0; i < shown(groups.size()); ++i) finding(i + 1, groups[i]);
    tell_rest(groups.size(), "more finding");
  }

  void waits() const {
    if (d_.waits.empty()) return;
    Table table({"wait state", "in", "time", "most of a rank", "ranks", "| share", "mainly since"},
                2, LastColumn::text);
    for (std::size_t i = 0; i < shown(d_.waits.size()); ++i) {
      const Wait& w = d_.waits[i];
      std::vector<std::string> cells{std::string(simulate::name_of(w.state)), call_text(w.call),
                                     time_text(w.time), time_text(w.most), ranks_in_row(w.ranks)};
      if (!w.causes.empty()) {
        cells.push_back(percent_of(w.causes.front().time, w.time));
        cells.push_back(cause_text(w.causes.front()));
      }
      table.add(std::move(cells));
    }
    say("\n# wait states, sums over all ranks | the main cause and its share\n{}", table.text());
    tell_rest(d_.waits.size(), "more wait state");
  }

  void imbalances() const {
    if (d_.imbalances.empty()) return;
    Table table({"computation before", "mean", "most", "slowest ranks", "balance saves"}, 1);
    for (std::size_t i = 0; i < shown(d_.imbalances.size()); ++i) {
      const Imbalance& b = d_.imbalances[i];
      table.add({call_text(b.call), time_text(b.mean), time_text(b.most), ranks_in_row(b.slowest),
                 b.balance_saves ? saving_text(*b.balance_saves) : "-"});
    }
    say("\n# uneven computation; balance saves: the simulated run with each rank at the mean\n{}",
        table.text());
    tell_rest(d_.imbalances.size(), "more row");
  }

  void messages() const {
    const diagnose::Messages& m = d_.messages;
    if (m.pairs.empty()) return;
    say("\n# messages between ranks, without those of collectives: {}, {}, {}\n",
        counted(m.messages, "message"), bytes_text(m.bytes), counted(m.pairs.size(), "pair"));
    if (m.nodes > 1 && m.nodes < trace_.ranks)
      say("# within nodes: {} of the messages, {} of the bytes\n",
          share_text(m.local_messages, m.messages), share_text(m.local_bytes, m.bytes));
    Table table({"from", "to", "pairs", "messages", "bytes", "share"}, 2);
    for (std::size_t i = 0; i < shown(m.blocks.size(), kShownBlocks); ++i) {
      const diagnose::TrafficBlock& b = m.blocks[i];
      table.add({ranks_in_line(m.groups[b.from]), ranks_in_line(m.groups[b.to]),
                 count_text(b.pairs), count_text(b.messages), bytes_text(b.bytes),
                 share_text(b.bytes, m.bytes)});
    }
    say("{}", table.text());
    if (m.blocks.size() > shown(m.blocks.size(), kShownBlocks))
      say("# {}; --matrix dense writes all pairs\n",
          counted(m.blocks.size() - shown(m.blocks.size(), kShownBlocks), "more row"));
  }

 private:
  // Irregular programs have a block for each pair of ranks.
  static constexpr std::size_t kShownBlocks = 20;

  std::size_t shown(std::size_t rows, std::size_t otherwise = ~std::size_t{0}) const {
    return std::min(rows, top_ > 0 ? top_ : otherwise);
  }
  void tell_rest(std::size_t rows, const char* what) const {
    if (rows > shown(rows)) say("# {}\n", counted(rows - shown(rows), what));
  }
  // Of the simulated run, and what it compares to.
  std::string times_text() const {
    std::string out = time_text(d_.run.end.time);
    if (d_.variation)
      out += fmt::format("; {} with computation that varies as recorded",
                         time_text(d_.variation->time));
    return out + beside_recorded(trace_);
  }
  const std::string& call_text(std::uint32_t call) const { return names_.text(call); }
  std::string cost_text(const Finding& f) const {
    const std::string whole = f.whole > 0 ? " of " + time_text(f.whole) : "";
    return fmt::format("{}{} ({}{})", f.is_bound ? "at most " : "", time_text(f.cost),
                       percentage(f.share), whole);
  }
  std::string cause_text(const Cause& c) const {
    return fmt::format("{} {} on {}", c.is_communication ? "messages of" : "computation before",
                       call_text(c.call), ranks_in_line(c.ranks));
  }

  // Findings grouped by cause: the costliest first within a group, groups by their costliest.
  std::vector<std::vector<const Finding*>> by_cause() const {
    std::vector<std::vector<const Finding*>> out;
    std::vector<std::size_t> group_of;
    for (const Finding& f : d_.findings) {
      group_of.push_back(f.same_as ? group_of[*f.same_as] : out.size());
      if (!f.same_as) out.emplace_back();
      out[group_of.back()].push_back(&f);
    }
    return out;
  }

  void finding(std::size_t number, const std::vector<const Finding*>& same) const {
    const Finding& f = *same.front();
    say("{}. {}: {}\n", number, diagnose::text_of(f.kind).id, cost_text(f));
    if (!diagnose::is_of_run(f.kind)) say("   {}; {}\n", call_text(f.call), ranks_in_line(f.ranks));
    for (const std::string& line : finding_lines(names_, f)) say("   {}\n", line);
    for (std::size_t i = 1; i < same.size(); ++i) {
      const Finding& other = *same[i];
      const std::string executions = executions_text(other.executions);
      const bool is_new = !executions.empty() && executions != executions_text(f.executions);
      say("   same cause: {} in {} on {}, {}{}\n", diagnose::text_of(other.kind).id,
          call_text(other.call), ranks_in_line(other.ranks), cost_text(other),
          is_new ? "; executions: " + executions : "");
    }
  }

  const trace::Trace& trace_;
  const Diagnosis& d_;
  const std::size_t top_;
  const trace::CallNames names_;
};

// What brings a finding about, or which computation it is of; empty: it needs no word.
std::string cause_line(const trace::CallNames& names, const Finding& f) {
  const std::string excess = time_text(f.excess), &at = names.text(f.call);
  switch (f.kind) {
    case diagnose::FindingKind::variation:
      return f.excess > 0
                 ? fmt::format("most before one call: {}; by itself that costs {}", at, excess)
                 : fmt::format("most before one call: {}", at);
    case diagnose::FindingKind::latency:
    case diagnose::FindingKind::bandwidth:
      return fmt::format("most in one call: {}, {} of the critical path", at, excess);
    case diagnose::FindingKind::long_executions:
    case diagnose::FindingKind::imbalance:
      return fmt::format(
          "computation before it on {}: {} longer than the mean of {}", ranks_in_line(f.culprits),
          excess,
          f.balances_all ? "all ranks; the cost is that of all ranks at the mean" : "the others");
    case diagnose::FindingKind::serial_phase:
      return fmt::format("computation before it on {}, which the others wait {} for",
                         ranks_in_line(f.culprits), excess);
    default: break;
  }
  if (f.cause == diagnose::kNowhere || f.excess <= 0) return {};
  return fmt::format("main cause ({} of the wait): computation before {} on {}",
                     percentage(f.cause_share), names.text(f.cause), ranks_in_line(f.culprits));
}

}  // namespace

std::vector<std::string> finding_lines(const trace::CallNames& names, const Finding& f) {
  std::vector<std::string> out;
  if (std::string line = cause_line(names, f); !line.empty()) out.push_back(std::move(line));
  if (f.between_calls > 0)
    out.push_back(fmt::format("between two calls a rank computes {} in the mean; a latency is {}",
                              time_text(f.between_calls), time_text(f.one_latency)));
  if (!f.executions.empty())
    out.push_back(fmt::format(
        "{}: {}",
        f.kind == diagnose::FindingKind::variation ? "its executions" : "executions of the slowest",
        executions_text(f.executions)));
  if (f.in_turn)
    out.emplace_back(f.kind == diagnose::FindingKind::late_sender
                         ? "Most of these ranks are waited for in turn: in a pipeline, smaller "
                           "blocks of work let "
                           "the next rank begin sooner, at the cost of more messages."
                         : "Most of these ranks are late themselves at other times.");
  out.emplace_back(diagnose::advice_of(f));
  return out;
}

void print_diagnosis(const trace::Trace& trace, const simulate::Machine& machine,
                     const Diagnosis& diagnosis, double least_share, std::size_t top) {
  const Report report(trace, diagnosis, top);
  report.head(machine);
  report.findings(least_share);
  report.waits();
  report.imbalances();
  report.messages();
}

void print_scaling(const diagnose::Scaling& scaling) {
  Table table({"ranks", "time", "global", "| parallel", "load balance", "communication",
               "serialization", "transfer", "| computation scalability"},
              0);
  bool is_known = true;
  for (const diagnose::ScalingPoint& p : scaling.points) {
    const simulate::Efficiency& e = p.efficiency;
    if (!e.is_of_computation()) {
      is_known = false;
      table.add({count_text(p.ranks), time_text(p.time), "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    table.add({count_text(p.ranks), time_text(p.time), fmt::format("{:.3f}", p.global),
               fmt::format("{:.3f}", e.parallel), fmt::format("{:.3f}", e.load_balance),
               fmt::format("{:.3f}", e.communication), fmt::format("{:.3f}", e.serialization),
               fmt::format("{:.3f}", e.transfer),
               fmt::format("{:.3f}", p.computation_scalability)});
  }
  say("# efficiencies of the simulated runs; global = parallel x computation scalability, which is "
      "against the first\n{}",
      table.text());
  if (!is_known)
    return say(
        "- is not known: nothing is computed in the simulated run, since the trace has no times or "
        "no computation.\n");
  if (scaling.ratio >= 0.995) return say("No factor falls with the number of ranks.\n");
  say("From {} to {} ranks {} falls most: {:.3f} to {:.3f}.\n",
      count_text(scaling.points.front().ranks), count_text(scaling.points.back().ranks),
      diagnose::name_of(scaling.worst), value_of(scaling.points.front(), scaling.worst),
      value_of(scaling.points.back(), scaling.worst));
}

void print_explanations() {
  Table table({"finding", "meaning"}, 2, LastColumn::text);
  for (std::size_t k = 0; k < diagnose::kFindingKinds; ++k) {
    const diagnose::FindingText& text = diagnose::text_of(static_cast<diagnose::FindingKind>(k));
    table.add({std::string(text.id), std::string(text.title)});
  }
  say("{}\n`reprise analyze --explain late-sender` explains one of them.\n", table.text());
}

void print_explanation(diagnose::FindingKind kind) {
  const diagnose::FindingText& text = diagnose::text_of(kind);
  say("{} ({})\n\n{}\n\nCost: {}\n\nWhat to do: {}\n", text.id, text.title, text.definition,
      text.cost, text.advice);
}

}  // namespace reprise::cli
