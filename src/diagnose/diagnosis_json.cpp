#include "diagnose/diagnosis_json.hpp"

#include <nlohmann/json.hpp>

#include "simulate/results/outcome_json.hpp"
#include "trace/calls/places.hpp"

namespace reprise::diagnose {
namespace {

using nlohmann::ordered_json;

double seconds(Picoseconds ps) { return static_cast<double>(ps) * 1e-12; }

// Ranges of ranks with their first and last.
ordered_json json_of(const Ranks& ranks) {
  ordered_json out = ordered_json::array();
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    out.push_back({ranks[i], ranks[end - 1]});
    i = end;
  }
  return out;
}

class Writer {
 public:
  Writer(const trace::Trace& trace, const Diagnosis& diagnosis)
      : trace_(trace), d_(diagnosis), places_(trace) {}

  ordered_json all() const {
    ordered_json out{{"version", kJsonVersion},
                     {"ranks", trace_.ranks},
                     {"time_s", seconds(d_.run.end.time)},
                     {"ideal_network_time_s", seconds(d_.ideal_time)},
                     {"efficiency", efficiency()},
                     {"findings", ordered_json::array()},
                     {"wait_states", ordered_json::array()},
                     {"imbalances", ordered_json::array()},
                     {"drifts", ordered_json::array()}};
    for (const Finding& f : d_.findings) out["findings"].push_back(finding(f));
    for (const Wait& w : d_.waits) out["wait_states"].push_back(wait(w));
    for (const Imbalance& i : d_.imbalances) out["imbalances"].push_back(imbalance(i));
    for (const Drift& d : d_.drifts) out["drifts"].push_back(drift(d));
    if (d_.variation) out["varying_time_s"] = seconds(d_.variation->time);
    if (d_.main_loop) out["main_loop"] = main_loop(*d_.main_loop);
    out["messages"] = messages();
    return out;
  }

 private:
  ordered_json efficiency() const {
    ordered_json out = simulate::json_of(d_.efficiency);
    if (d_.balance_without_long)
      out["load_balance_without_long_executions"] = *d_.balance_without_long;
    return out;
  }

  // A call is told by its number in the trace, its function and its place.
  ordered_json at(std::uint32_t call) const {
    const trace::Call& c = trace_.calls[call];
    return {{"call", call},
            {"function", trace::function(c.function).name},
            {"place", places_.text(c.callpath)},
            {"path", places_.path_text(c.callpath)}};
  }

  ordered_json finding(const Finding& f) const {
    ordered_json out{{"id", text_of(f.kind).id}, {"cost_s", seconds(f.cost)},
                     {"share", f.share},         {"is_upper_bound", f.is_bound},
                     {"at", at(f.call)},         {"ranks", json_of(f.ranks)}};
    if (f.kind == FindingKind::imbalance || f.kind == FindingKind::long_executions)
      out["balances_all"] = f.balances_all;
    if (f.kind == FindingKind::variation) out["costs_alone_s"] = seconds(f.excess);
    if (f.kind == FindingKind::latency || f.kind == FindingKind::bandwidth)
      out["critical_path_s"] = seconds(f.excess);
    if (f.whole > 0) out["whole_s"] = seconds(f.whole);
    if (f.in_turn) out["in_turn"] = true;
    if (f.between_calls > 0) {
      out["computation_between_calls_s"] = seconds(f.between_calls);
      out["latency_s"] = seconds(f.one_latency);
    }
    for (const analyze::TimeGroup& g : f.executions)
      out["executions"].push_back({{"share", g.share}, {"mean_s", g.mean * 1e-9}});
    if (f.cause != kNowhere) {
      out["cause"] = {{"at", at(f.cause)}, {"ranks", json_of(f.culprits)}};
      if (f.excess > 0) out["cause"]["excess_s"] = seconds(f.excess);
      if (f.cause_share > 0) out["cause"]["share"] = f.cause_share;
    }
    if (f.same_as) out["same_cause_as"] = *f.same_as;
    out["advice"] = advice_of(f);
    return out;
  }

  ordered_json wait(const Wait& w) const {
    ordered_json out{{"id", simulate::name_of(w.state)}, {"at", at(w.call)},
                     {"time_s", seconds(w.time)},        {"most_of_a_rank_s", seconds(w.most)},
                     {"ranks", json_of(w.ranks)},        {"causes", ordered_json::array()}};
    for (const Cause& c : w.causes)
      out["causes"].push_back({{"what", c.is_communication ? "communication" : "computation"},
                               {"at", at(c.call)},
                               {"time_s", seconds(c.time)},
                               {"excess_s", seconds(c.excess)},
                               {"ranks", json_of(c.ranks)}});
    return out;
  }

  ordered_json imbalance(const Imbalance& i) const {
    ordered_json out{{"at", at(i.call)},
                     {"mean_s", seconds(i.mean)},
                     {"most_s", seconds(i.most)},
                     {"slowest", json_of(i.slowest)},
                     {"classes", ordered_json::array()}};
    for (const RankClass& c : i.classes)
      out["classes"].push_back({{"ranks", json_of(c.ranks)}, {"mean_s", seconds(c.mean)}});
    if (i.balance_saves) out["balance_saves_s"] = seconds(*i.balance_saves);
    if (i.minority_saves) out["minority_saves_s"] = seconds(*i.minority_saves);
    return out;
  }

  ordered_json drift(const Drift& d) const {
    return {{"at", at(d.call)},
            {"first_quarter_mean_s", d.first * 1e-9},
            {"last_quarter_mean_s", d.last * 1e-9},
            {"mean_s", d.mean * 1e-9},
            {"ranks", json_of(d.ranks)},
            {"saves_s", seconds(d.saves)}};
  }

  ordered_json main_loop(const Iterations& loop) const {
    return {{"first_call", at(loop.calls.front())},
            {"calls", loop.calls.size()},
            {"iterations", loop.trips},
            {"share", loop.share},
            {"mean_s", loop.mean * 1e-9}};
  }

  ordered_json messages() const {
    const Messages& m = d_.messages;
    ordered_json out{{"messages", m.messages},
                     {"bytes", m.bytes},
                     {"pairs", m.pairs.size()},
                     {"nodes", m.nodes},
                     {"local_messages", m.local_messages},
                     {"local_bytes", m.local_bytes},
                     {"groups", ordered_json::array()},
                     {"blocks", ordered_json::array()}};
    for (const Ranks& group : m.groups) out["groups"].push_back(json_of(group));
    for (const TrafficBlock& b : m.blocks)
      out["blocks"].push_back({{"from", b.from},
                               {"to", b.to},
                               {"pairs", b.pairs},
                               {"messages", b.messages},
                               {"bytes", b.bytes}});
    return out;
  }

  const trace::Trace& trace_;
  const Diagnosis& d_;
  const trace::Places places_;
};

}  // namespace

ordered_json json_of(const trace::Trace& trace, const Diagnosis& diagnosis) {
  return Writer(trace, diagnosis).all();
}

ordered_json json_of(const Scaling& scaling) {
  ordered_json out{{"version", kJsonVersion},
                   {"runs", ordered_json::array()},
                   {"falls_most", name_of(scaling.worst)},
                   {"ratio", scaling.ratio}};
  for (const ScalingPoint& p : scaling.points) {
    ordered_json efficiency = simulate::json_of(p.efficiency);
    efficiency["computation_scalability"] = nullptr;
    efficiency["global"] = nullptr;
    if (p.efficiency.is_of_computation()) {
      efficiency["computation_scalability"] = p.computation_scalability;
      efficiency["global"] = p.global;
    }
    out["runs"].push_back({{"ranks", p.ranks},
                           {"time_s", seconds(p.time)},
                           {"computation_s", seconds(p.computation)},
                           {"efficiency", std::move(efficiency)}});
  }
  return out;
}

}  // namespace reprise::diagnose
