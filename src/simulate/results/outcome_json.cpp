#include "simulate/results/outcome_json.hpp"

#include <algorithm>

#include "trace/calls/places.hpp"

namespace reprise::simulate {

using nlohmann::ordered_json;

namespace {

Picoseconds path_of(const Outcome& run, std::size_t call) {
  return call < run.path.size() ? run.path[call].total() : 0;
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

std::string_view name_of(MessageModel model) {
  switch (model) {
    case MessageModel::dimemas: return "dimemas";
    case MessageModel::hockney: return "hockney";
    case MessageModel::loggp: return "loggp";
    case MessageModel::loggops: break;
  }
  return "loggops";
}

std::vector<Account> by_call(const Outcome& run, std::size_t calls) {
  std::vector<Account> out(calls);
  for (const auto& stream : run.accounts) {
    for (std::size_t c = 0; c < calls; ++c) out[c] += stream[c];
  }
  return out;
}

Account sum_of(const std::vector<Account>& accounts) {
  Account all;
  for (const Account& a : accounts) all += a;
  return all;
}

std::vector<std::uint32_t> by_cost(const Outcome& run, const std::vector<Account>& accounts) {
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

ordered_json json_of(const Efficiency& e) {
  ordered_json out{{"parallel", e.parallel},
                   {"load_balance", e.load_balance},
                   {"communication", e.communication},
                   {"serialization", e.serialization},
                   {"transfer", e.transfer}};
  if (e.is_of_computation()) return out;
  for (const char* const key : {"parallel", "load_balance", "communication", "serialization"})
    out[key] = nullptr;
  return out;
}

ordered_json run_json(const trace::Trace& trace, const Machine& machine, const Outcome& run,
                      const std::optional<Efficiency>& efficiency) {
  const Clock& end = run.end;
  ordered_json out{{"ranks", trace.ranks},
                   {"machine", machine_json(machine)},
                   {"time_s", seconds(end.time)},
                   {"time_ps", end.time},
                   {"latencies", end.latencies},
                   {"bytes", end.bytes},
                   {"calls", run.calls},
                   {"messages", run.messages},
                   {"iterations_by_arithmetic", run.leapt},
                   {"in_order_of_time", run.in_order}};
  if (efficiency) out["efficiency"] = json_of(*efficiency);
  return out;
}

void add_sites_json(ordered_json& out, const trace::Trace& trace, const Outcome& run) {
  const std::vector<Account> accounts = by_call(run, trace.calls.size());
  const trace::Places places(trace);
  for (const std::uint32_t c : by_cost(run, accounts)) {
    const trace::Call& call = trace.calls[c];
    ordered_json row{{"function", trace::function(call.function).name},
                     {"place", places.text(call.callpath)}};
    row.update(json_of(accounts[c]));
    if (!run.path.empty()) {
      const PathShare& path = run.path[c];
      row["critical_path_s"] = seconds(path.total());
      row["critical_path_computation_s"] = seconds(path.compute);
      row["critical_path_latency_s"] = seconds(path.latency);
    }
    out["sites"].push_back(std::move(row));
  }
  for (std::uint64_t s = 0; s < run.accounts.size(); ++s) {
    ordered_json row{{"rank", s / trace.threads}, {"thread", s % trace.threads}};
    row.update(json_of(sum_of(run.accounts[s])));
    row["end_s"] = seconds(run.ends[s]);
    out["streams"].push_back(std::move(row));
  }
  for (const Note& n : run.notes) out["notes"].push_back({{"what", n.what}, {"count", n.count}});
  out["unmatched_messages"] = run.unmatched_count;
  out["deadlock"] = !run.blocked.empty();
}

}  // namespace reprise::simulate
