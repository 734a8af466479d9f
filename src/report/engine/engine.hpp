// What the page of `reprise report` asks: what ranks did at any moment of the recorded or of a
// simulated run, and what the run would take on another machine.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/engine/columns.hpp"
#include "report/engine/simulated_run.hpp"
#include "simulate/machine/machine_settings.hpp"

namespace reprise::report {

// Which run is meant: the recorded one by the clocks of its ranks, or the one simulated last.
enum class Run : std::uint8_t { recorded, simulated };

// Streams first, first + step, ...: `count` of them.
struct Lines {
  std::uint64_t first = 0, step = 1, count = 1;

  std::uint64_t at(std::uint64_t line) const { return first + line * step; }
};

// What a simulation is to tell.
enum class Detail : std::uint8_t {
  times,       // the time, and how it is spent by call and rank
  path,        // and the calls on the critical path
  efficiency,  // and how it compares with an ideal network, which is simulated too
  everything,  // and every call and message, for timeline and matrix
};

// What of the critical path lies in a pixel or on one stream: where most of it is, and the first
// and last of the streams that it goes to.
struct PathPiece {
  Picoseconds from = 0, to = 0;
  std::uint32_t stream = 0, first = 0, last = 0;

  bool operator==(const PathPiece&) const = default;
};

class Engine {
 public:
  // `body`: a trace as encode_body() has it.
  static Result<std::unique_ptr<Engine>> open(std::span<const std::uint8_t> body);
  explicit Engine(trace::Trace trace);

  const trace::Trace& trace() const { return trace_; }
  // The end of the stream that ends last [ps].
  Picoseconds end(Run run);
  // What Shares::selected counts from now on.
  void select(std::span<const std::uint32_t> calls);

  // What each stream did in each column, as shares of its length: [lines x columns x (kinds + 1)],
  // the last one being what is selected.
  Result<std::vector<float>> tile(Run run, Lines lines, Columns columns);
  // The calls in [from, to) of all lines, or an error if there are more than `most`.
  Result<std::vector<std::vector<Span>>> spans(Run run, Lines lines, Picoseconds from,
                                               Picoseconds to, std::size_t most);
  // What the streams did in [from, to), in all, by call.
  Result<std::vector<CallTime>> statistics(Run run, Lines lines, Picoseconds from, Picoseconds to);
  // What each stream spent in [from, to) at the calls that are selected, of all calls if none is.
  Result<std::vector<CallTime>> by_line(Run run, Lines lines, Picoseconds from, Picoseconds to);
  // What a stream was doing at a moment, as JSON: the call, where it is, its iterations and times.
  nlohmann::ordered_json moment(Run run, std::uint64_t stream, Picoseconds t);

  // Simulates the run, as `reprise simulate --json` tells it. `settings` as its options.
  Result<nlohmann::ordered_json> simulate(const std::vector<simulate::Setting>& settings,
                                          Detail detail);
  // Messages between blocks of `block` ranks, [blocks x blocks] counts and then bytes, of the run
  // that was last simulated with everything.
  Result<std::vector<double>> matrix(std::uint64_t first_rank, std::uint64_t ranks,
                                     std::uint64_t block) const;
  // Messages that are under way in [from, to) between two of the lines' ranks; at most so many.
  std::vector<simulate::Flight> flights(Lines lines, Picoseconds from, Picoseconds to,
                                        std::size_t most) const;

  // The critical path of the run that was last simulated with everything: its parts one by one if
  // these are not more than the columns, else what lies in each column. Empty if it is not known.
  std::vector<PathPiece> critical_path(Columns columns) const;

 private:
  RecordedRun& recorded(std::uint64_t stream);
  void limit_memory();
  void forget_recorded();
  Status check(Run run, Lines lines) const;
  std::vector<CallTime> within(Run run, std::uint64_t stream, Picoseconds from, Picoseconds to);
  void list(Run run, std::uint64_t stream, Picoseconds from, Picoseconds to, SpanList& out);
  std::vector<Shares> shares_until(Run run, std::uint64_t stream,
                                   std::span<const Picoseconds> moments);

  trace::Trace trace_;
  CallKinds kinds_;
  std::unordered_map<std::uint64_t, RecordedRun> recorded_;
  std::size_t zones_ = 0;  // of all recorded runs
  std::unique_ptr<SimulatedRun> simulated_;
  Picoseconds recorded_end_ = -1, simulated_end_ = 0;
};

}  // namespace reprise::report
