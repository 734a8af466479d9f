// A trace on a machine: its time, what costs time, and its messages.
#include <fmt/core.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>

#include "cli/command.hpp"
#include "cli/open_trace.hpp"
#include "cli/simulate/machine_options.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "diagnose/diagnosis_json.hpp"
#include "diagnose/messages.hpp"
#include "python/json.hpp"
#include "python/trace.hpp"
#include "simulate/results/efficiency.hpp"
#include "simulate/results/outcome_json.hpp"

namespace reprise::python {

namespace py = pybind11;
using cli::CommandError;
using nlohmann::ordered_json;

namespace {

// File of the machine, then settings as KEY=VALUE, the later of two before the earlier.
struct MachineWords {
  std::string file;
  std::vector<std::string> settings;
};

simulate::Machine machine_of(const trace::Trace& t, const MachineWords& words) {
  cli::MachineOptions options;
  options.file = words.file;
  options.settings = words.settings;
  simulate::Machine out = cli::machine_of(options);
  if (Status ok = out.check(t.ranks); !ok) throw CommandError{ok.error().message, 2};
  return out;
}

CommandError refusal(const Trace& t, const char* what, const Error& e) {
  return CommandError{fmt::format("{} cannot be {}: {}", t.name, what, e.message)};
}

simulate::Outcome run_of(const Trace& t, const simulate::Machine& machine,
                         const simulate::Options& options) {
  cli::require_bounded(*t.content, t.name, analyze::Use::states);
  auto run = simulate::simulate(*t.content, machine, options);
  if (!run) throw refusal(t, "simulated", run.error());
  if (!run->blocked.empty()) throw CommandError{cli::deadlock_text(*t.content, *run)};
  return std::move(*run);
}

ordered_json simulated(const Trace& t, const MachineWords& words, simulate::Options options) {
  const simulate::Machine machine = machine_of(*t.content, words);
  options.paths = true;
  const simulate::Outcome run = run_of(t, machine, options);
  options.paths = false;
  const simulate::Outcome ideal = run_of(t, machine.with_ideal_network(), options);
  ordered_json out =
      simulate::run_json(*t.content, machine, run, simulate::efficiency_of(run, ideal));
  simulate::add_sites_json(out, *t.content, run);
  return out;
}

ordered_json diagnosed(const Trace& t, const MachineWords& words,
                       const diagnose::Options& options) {
  const simulate::Machine machine = machine_of(*t.content, words);
  cli::require_bounded(*t.content, t.name, analyze::Use::states);
  const auto found = diagnose::diagnose(*t.content, machine, options);
  if (!found) throw refusal(t, "analyzed", found.error());
  if (!found->run.blocked.empty()) throw CommandError{cli::deadlock_text(*t.content, found->run)};
  return diagnose::json_of(*t.content, *found);
}

simulate::Matching matching_of(const std::string& word) {
  return word == "recorded" ? simulate::Matching::recorded : simulate::Matching::arrival;
}

// What is asked of messages does not depend on times, and wildcards are matched as they were.
simulate::Options for_messages() {
  simulate::Options out;
  out.compute = simulate::Compute::none;
  out.matching = simulate::Matching::recorded;
  return out;
}

// [pairs x 4]: sender, receiver, messages, bytes; point-to-point messages only.
py::array_t<std::uint64_t> messages(const Trace& t) {
  diagnose::Messages found;
  {
    const py::gil_scoped_release others_run;
    const simulate::Machine machine = machine_of(*t.content, {});
    simulate::Options options = for_messages();
    options.paths = options.delays = true;
    found = diagnose::messages_of(run_of(t, machine, options), machine, t.content->ranks);
  }
  py::array_t<std::uint64_t> out({found.pairs.size(), std::size_t{4}});
  auto cells = out.mutable_unchecked<2>();
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const simulate::Traffic& p = found.pairs[i];
    cells(i, 0) = p.from;
    cells(i, 1) = p.to;
    cells(i, 2) = p.messages;
    cells(i, 3) = p.bytes;
  }
  return out;
}

// Counts messages by their size [bytes].
class SizeCounter : public simulate::Observer {
 public:
  void computes(std::uint64_t, simulate::Interval) override {}
  void calls(std::uint64_t, mpi::SiteId, simulate::Interval) override {}
  void message(const simulate::Flight& flight) override { ++counts[flight.bytes]; }

  std::map<std::int64_t, std::uint64_t> counts;
};

// [sizes x 2]: bytes, messages. On a machine whose collectives are not made of messages, so that
// all that are seen are of the program.
py::array_t<std::uint64_t> message_sizes(const Trace& t) {
  SizeCounter sizes;
  {
    const py::gil_scoped_release others_run;
    simulate::Options options = for_messages();
    options.observer = &sizes;
    run_of(t, machine_of(*t.content, {"", {"collectives.model=dimemas"}}), options);
  }
  py::array_t<std::uint64_t> out({sizes.counts.size(), std::size_t{2}});
  auto cells = out.mutable_unchecked<2>();
  std::size_t row = 0;
  for (const auto& [bytes, count] : sizes.counts) {
    cells(row, 0) = static_cast<std::uint64_t>(bytes);
    cells(row++, 1) = count;
  }
  return out;
}

py::object simulate_trace(const Trace& t, const std::string& file,
                          const std::vector<std::string>& settings, const std::string& compute,
                          const std::string& matching, std::uint64_t seed) {
  simulate::Options options;
  options.compute = compute == "none"      ? simulate::Compute::none
                    : compute == "sampled" ? simulate::Compute::sampled
                                           : simulate::Compute::mean;
  options.matching = matching_of(matching);
  options.seed = seed;
  ordered_json out;
  {
    const py::gil_scoped_release others_run;
    out = simulated(t, {file, settings}, options);
  }
  return to_python(out);
}

py::object analyze_trace(const Trace& t, const std::string& file,
                         const std::vector<std::string>& settings, const std::string& matching,
                         double least_share) {
  diagnose::Options options;
  options.simulation.matching = matching_of(matching);
  options.least_share = least_share;
  ordered_json out;
  {
    const py::gil_scoped_release others_run;
    out = diagnosed(t, {file, settings}, options);
  }
  return to_python(out);
}

}  // namespace

void add_simulation(TraceClass& type) {
  type.def("simulate", &simulate_trace)
      .def("analyze", &analyze_trace)
      .def("messages", &messages)
      .def("message_sizes", &message_sizes);
}

}  // namespace reprise::python
