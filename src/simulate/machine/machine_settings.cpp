#include "simulate/machine/machine_settings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <sstream>

#include "base/nearest.hpp"
#include "simulate/machine/units.hpp"

namespace reprise::simulate {
namespace {

// What is wrong with a value; empty: nothing.
using Complaint = std::string;

Complaint set_duration(const std::string& text, Picoseconds& to) {
  const auto ps = parse_duration(text);
  if (!ps) return "is not a duration with a unit; write it as 2us or 800ns";
  if (*ps < 0) return "is negative; durations are 0 or more";
  to = *ps;
  return {};
}

Complaint set_bandwidth(const std::string& text, double& to) {
  const auto ps = parse_bandwidth(text);
  if (!ps) return "is not a bandwidth with a unit; write it as 10GB/s, 100Gb/s or unlimited";
  if (!std::isfinite(*ps)) return "is zero or negative (no message would ever arrive); give more";
  to = *ps;
  return {};
}

Complaint set_count(const std::string& text, std::int64_t& to, std::int64_t least) {
  char* end = nullptr;
  const long long n = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end || n < least)
    return fmt::format("is not a whole number from {} on", least);
  to = n;
  return {};
}

template <class Enum>
Complaint set_word(const std::string& text, Enum& to,
                   std::initializer_list<std::pair<const char*, Enum>> words) {
  std::string all;
  for (const auto& [word, value] : words) {
    if (text == word) {
      to = value;
      return {};
    }
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  return "is none of " + all;
}

Complaint set_nodes(const std::string& text, Machine& m) {
  std::istringstream in(text);
  std::vector<std::uint32_t> nodes;
  std::string word;
  while (in >> word) {
    char* end = nullptr;
    const unsigned long n = std::strtoul(word.c_str(), &end, 10);
    if (*end || n >= (1UL << 31) || word[0] == '-')
      return "is not a list of nodes, such as [0, 0, 1, 1]";
    nodes.push_back(static_cast<std::uint32_t>(n));
  }
  m.nodes = std::move(nodes);
  m.mapping = Mapping::list;
  return {};
}

Complaint set_phase(const std::string& text, Phase& to) {
  const std::size_t gap = text.find(' ');
  Complaint wrong = set_word(text.substr(0, gap), to.steps,
                             {{"none", Steps::none},
                              {"constant", Steps::constant},
                              {"linear", Steps::linear},
                              {"logarithmic", Steps::logarithmic}});
  if (!wrong.empty() || gap == std::string::npos) return wrong;
  return set_word(text.substr(gap + 1), to.size,
                  {{"min", SizeRule::min},
                   {"max", SizeRule::max},
                   {"mean", SizeRule::mean},
                   {"2max", SizeRule::twice_max},
                   {"s+r", SizeRule::sent_and_received}});
}

// Names of collectives, with spaces between; each may have an algorithm of its own, as
// gather:linear.
Complaint set_exchanges(const std::string& text, Exchanges& to) {
  Exchanges all;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const std::size_t colon = word.find(':');
    const auto kind = find_collective(word.substr(0, colon));
    if (!kind || has_pieces_of_its_own(*kind)) {
      return fmt::format(
          "has '{}', which is not a collective of equal pieces, such as barrier or bcast", word);
    }
    const auto algorithm =
        colon == std::string::npos ? Algorithm::automatic : find_algorithm(word.substr(colon + 1));
    if (!algorithm || !is_for(*algorithm, *kind))
      return fmt::format("has '{}', which is not an algorithm for {}", word, name_of(*kind));
    all.push_back({*kind, *algorithm});
  }
  to = std::move(all);
  return {};
}

// collectives.KIND, collectives.KIND.fan_in and collectives.KIND.fan_out
Complaint set_collective(Machine& m, const std::string& key, const std::string& text, bool& known) {
  const std::size_t dot = key.find('.');
  const auto kind = find_collective(key.substr(0, dot));
  if (!kind) return {};
  const auto at = static_cast<std::size_t>(*kind);
  known = true;
  if (dot == std::string::npos) {
    const auto algorithm = find_algorithm(text);
    if (!algorithm || !is_for(*algorithm, *kind))
      return fmt::format("is not an algorithm for {}", name_of(*kind));
    m.algorithms[at] = *algorithm;
    return {};
  }
  const std::string part = key.substr(dot + 1);
  if (part == "fan_in") return set_phase(text, m.dimemas[at].fan_in);
  if (part == "fan_out") return set_phase(text, m.dimemas[at].fan_out);
  known = false;
  return {};
}

constexpr std::string_view kCollectivesPrefix = "collectives.";

using Setter = std::function<Complaint(Machine&, const std::string&)>;

const std::vector<std::pair<std::string, Setter>>& setters() {
  static const std::vector<std::pair<std::string, Setter>> all{
      {"model",
       [](Machine& m, const std::string& v) {
         return set_word(v, m.model,
                         {{"dimemas", MessageModel::dimemas},
                          {"hockney", MessageModel::hockney},
                          {"loggp", MessageModel::loggp},
                          {"loggops", MessageModel::loggops}});
       }},
      {"network.latency",
       [](Machine& m, const std::string& v) {
         Complaint wrong = set_duration(v, m.network.latency);
         m.set_latency(m.network.latency);
         return wrong;
       }},
      {"network.bandwidth",
       [](Machine& m, const std::string& v) {
         Complaint wrong = set_bandwidth(v, m.network.inverse_bandwidth);
         m.set_inverse_bandwidth(m.network.inverse_bandwidth);
         return wrong;
       }},
      {"network.overhead",
       [](Machine& m, const std::string& v) { return set_duration(v, m.overhead); }},
      {"network.overhead_per_byte",
       [](Machine& m, const std::string& v) { return set_duration(v, m.overhead_per_byte); }},
      {"network.gap", [](Machine& m, const std::string& v) { return set_duration(v, m.gap); }},
      {"network.eager",
       [](Machine& m, const std::string& v) -> Complaint {
         if (v == "never") return m.eager = -1, "";
         const auto bytes = parse_size(v);
         if (!bytes || *bytes < 0) return "is not a size; write it as 65536, 64KiB or never";
         m.eager = *bytes;
         return {};
       }},
      {"network.buses", [](Machine& m, const std::string& v) { return set_count(v, m.buses, 0); }},
      {"node.processors",
       [](Machine& m, const std::string& v) { return set_count(v, m.processors, 1); }},
      {"node.latency",
       [](Machine& m, const std::string& v) {
         m.has_own_latency = true;
         return set_duration(v, m.memory.latency);
       }},
      {"node.bandwidth",
       [](Machine& m, const std::string& v) {
         m.has_own_bandwidth = true;
         return set_bandwidth(v, m.memory.inverse_bandwidth);
       }},
      {"node.input_links",
       [](Machine& m, const std::string& v) { return set_count(v, m.input_links, 0); }},
      {"node.output_links",
       [](Machine& m, const std::string& v) { return set_count(v, m.output_links, 0); }},
      {"node.cpu_ratio",
       [](Machine& m, const std::string& v) -> Complaint {
         const auto ratio = parse_ratio(v);
         if (!ratio) return "is not a ratio; 2 is a processor twice as fast as the trace's";
         m.cpu_ratio = *ratio;
         return {};
       }},
      {"mapping.kind",
       [](Machine& m, const std::string& v) {
         return set_word(v, m.mapping, {{"block", Mapping::block}, {"cyclic", Mapping::cyclic}});
       }},
      {"mapping.nodes", [](Machine& m, const std::string& v) { return set_nodes(v, m); }},
      {"collectives.model",
       [](Machine& m, const std::string& v) {
         return set_word(
             v, m.collectives,
             {{"algorithms", CollectiveModel::algorithms}, {"dimemas", CollectiveModel::dimemas}});
       }},
      {"collectives.making",
       [](Machine& m, const std::string& v) {
         return set_word(v, m.making.steps,
                         {{"none", Steps::none},
                          {"constant", Steps::constant},
                          {"linear", Steps::linear},
                          {"logarithmic", Steps::logarithmic}});
       }},
      {"making.split",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.making.split); }},
      {"making.communicator",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.making.communicator); }},
      {"making.window",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.making.window); }},
      {"windows.fence_begins",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.windows.fence_begins); }},
      {"windows.fence_ends",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.windows.fence_ends); }},
      {"windows.free",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.windows.free); }},
      {"windows.fetch_latencies",
       [](Machine& m, const std::string& v) { return set_count(v, m.windows.fetch_latencies, 1); }},
      {"windows.accumulate",
       [](Machine& m, const std::string& v) {
         return set_word(v, m.windows.accumulate_waits, {{"flows", false}, {"waits", true}});
       }},
      {"windows.atomics",
       [](Machine& m, const std::string& v) {
         return set_word(v, m.windows.atomics_lock, {{"direct", false}, {"locked", true}});
       }},
      {"files.collective",
       [](Machine& m, const std::string& v) { return set_exchanges(v, m.file_exchanges); }},
      {"files.latency",
       [](Machine& m, const std::string& v) { return set_duration(v, m.file_latency); }},
      {"files.bandwidth",
       [](Machine& m, const std::string& v) {
         if (m.file_latency < 0) m.file_latency = 0;
         return set_bandwidth(v, m.file_inverse_bandwidth);
       }},
  };
  return all;
}

std::vector<std::string> setting_names() {
  std::vector<std::string> out;
  for (const auto& [name, setter] : setters()) out.push_back(name);
  for (std::size_t kind = 0; kind < kCollectiveKinds; ++kind)
    out.push_back(std::string(kCollectivesPrefix).append(name_of(static_cast<Collective>(kind))));
  return out;
}

}  // namespace

Status set(Machine& machine, const Setting& setting) {
  const auto& [key, value] = setting;
  for (const auto& [name, setter] : setters()) {
    if (name != key) continue;
    const Complaint wrong = setter(machine, value);
    if (wrong.empty()) return {};
    return Error{fmt::format("'{}' {} (it is the value of {})", value, wrong, key)};
  }
  if (key.starts_with(kCollectivesPrefix)) {
    bool known = false;
    const Complaint wrong =
        set_collective(machine, key.substr(kCollectivesPrefix.size()), value, known);
    if (!wrong.empty())
      return Error{fmt::format("'{}' {} (it is the value of {})", value, wrong, key)};
    if (known) return {};
  }
  const std::string near = nearest(setting_names(), key);
  return Error{fmt::format("{} is not a setting of a machine ({}docs/simulate.md has them all)",
                           key, near.empty() ? "" : "did you mean " + near + "? ")};
}

Result<Machine> machine_of(const std::vector<Setting>& settings) {
  Machine machine;
  for (const Setting& s : settings) {
    machine.has_own_latency |= s.key == "node.latency";
    machine.has_own_bandwidth |= s.key == "node.bandwidth";
  }
  for (const Setting& s : settings) {
    if (Status ok = set(machine, s); !ok) return ok.error();
  }
  return machine;
}

}  // namespace reprise::simulate
