// What costs time in a run, and why: the result of `reprise analyze`. docs/analysis.md defines it.
//
// All of it is of the trace as it is simulated on a machine. Times are in picoseconds, calls are
// indices into Trace::calls, sets of ranks ascend.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/times/time_rows.hpp"
#include "diagnose/finding_kinds.hpp"
#include "simulate/results/efficiency.hpp"
#include "simulate/results/result.hpp"

namespace reprise::diagnose {

using simulate::Picoseconds;
using Ranks = std::vector<std::uint64_t>;

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// What others did before a call that made ranks wait there.
struct Cause {
  std::uint32_t call = kNowhere;  // the computation before it, or its messages
  bool is_communication = false;
  Picoseconds time = 0;    // of the waits, over all ranks
  Picoseconds excess = 0;  // what a rank that waits waits for it, in the mean by what they wait
  Ranks ranks = {};        // that did it
};

// A wait state in a call.
struct Wait {
  simulate::WaitState state{};
  std::uint32_t call = kNowhere;
  Picoseconds time = 0;            // over all ranks
  Picoseconds most = 0;            // of one rank
  Ranks ranks = {};                // that wait
  std::vector<Cause> causes = {};  // those of most time first
};

// Ranks that compute for about the same time.
struct RankClass {
  Ranks ranks = {};
  Picoseconds mean = 0;
};

// Computation before a call that ranks do not share evenly.
struct Imbalance {
  std::uint32_t call = kNowhere;
  Picoseconds mean = 0, most = 0;       // of the ranks that make the call
  Ranks slowest = {};                   // within a tenth of the excess of the slowest
  std::vector<RankClass> classes = {};  // the slowest first; one if they cannot be told apart
  std::optional<Picoseconds> balance_saves = {};   // simulated with each rank at the mean
  std::optional<Picoseconds> minority_saves = {};  // with the slower class as fast as the rest, if
                                                   // it is the smaller one

  Picoseconds excess() const { return most - mean; }
  bool has_minority() const {
    return classes.size() == 2 && classes[0].ranks.size() <= classes[1].ranks.size();
  }
};

// How the executions of a loop differ, as far as the trace's times tell.
struct Iterations {
  std::vector<std::uint32_t> calls = {};  // within the loop, in order
  std::uint64_t trips = 0;                // of the rank that makes the most
  double share = 0;                       // of the recorded time of all ranks
  double mean = 0;                        // of an iteration [ns]
};

// Computation before a call that grows or shrinks over the run.
struct Drift {
  std::uint32_t call = kNowhere;
  double first = 0, last = 0;  // the means of the first and the last quarter of executions [ns]
  double least = 0;            // the shortest level [ns]
  double mean = 0;             // of all executions [ns]
  Ranks ranks = {};
  Picoseconds saves = 0;  // simulated with the shortest level
};

// Computation that differs between executions of a call, by no pattern that the trace has.
struct Variation {
  Picoseconds time = 0;           // of the run with computation drawn from what was recorded
  std::uint32_t call = kNowhere;  // where it costs most by itself
  Picoseconds costs_alone = 0;
  std::vector<analyze::TimeGroup> executions = {};  // before that call, if they lie apart
};

// Ranks that send alike to alike: blocks of a matrix of messages.
struct TrafficBlock {
  std::size_t from = 0, to = 0;  // into Messages::groups
  std::uint64_t pairs = 0, messages = 0, bytes = 0;
};

// Point-to-point messages between ranks; those of collectives are not in it.
struct Messages {
  std::vector<simulate::Traffic> pairs = {};  // by sender and receiver; the call is kNowhere
  std::uint64_t messages = 0, bytes = 0;
  std::vector<Ranks> groups = {};         // that send and receive alike
  std::vector<TrafficBlock> blocks = {};  // most bytes first
  std::uint64_t nodes = 1;
  std::uint64_t local_messages = 0, local_bytes = 0;  // within nodes
};

// Something that costs time, with what it costs.
struct Finding {
  FindingKind kind{};
  std::uint32_t call = kNowhere;  // where it shows
  Ranks ranks = {};               // where it shows
  Picoseconds cost = 0;
  bool is_bound = false;  // the cost is an upper bound rather than simulated
  // Most of these ranks delay others, too: for messages, by the same computation, as in a pipeline;
  // at a collective, at other times.
  bool in_turn = false;
  // Of an imbalance: the cost is that of the run with all ranks at the mean, since no minority of
  // them is slower than the rest; excess is then what the slowest spend beyond the mean.
  bool balances_all = false;
  double share = 0;  // of the run's time, or of `whole`
  // The time of a run with computation that varies, if the cost is of that one, since the simulated
  // run has means; otherwise 0 [ps].
  Picoseconds whole = 0;
  // What brings it about, if that lies elsewhere.
  std::uint32_t cause = kNowhere;
  Ranks culprits = {};
  // Of the culprits, over the run; of a variation: what it costs before this call by itself; of
  // latency and bytes: what is on the critical path in this call.
  Picoseconds excess = 0;
  // Of latency: what a rank computes between two calls in the mean, and what one latency is.
  Picoseconds between_calls = 0, one_latency = 0;
  double cause_share = 0;  // of a wait: what its main cause has of it; the cost is of all causes
  // How the executions of the computation differ, those that take longest first; empty: they do not
  // matter, or are not known.
  std::vector<analyze::TimeGroup> executions = {};
  std::optional<std::size_t> same_as = {};  // the first finding that has the same cause
  // This finding, or one whose same_as is this one, is of long executions.
  bool is_of_long_executions = false;
};

struct Diagnosis {
  simulate::Outcome run;
  simulate::Efficiency efficiency;
  // Load balance if single executions that are long took as long as the others of their rank;
  // none: none are found. The simulated run may spread them over all executions of their rank.
  std::optional<double> balance_without_long = {};
  Picoseconds ideal_time = 0;                // on a network that takes no time
  std::vector<Finding> findings = {};        // of the greatest cost first
  std::vector<Wait> waits = {};              // most time first
  std::vector<Imbalance> imbalances = {};    // of the greatest excess first
  std::optional<Iterations> main_loop = {};  // none: no loop takes half of the time
  std::vector<Drift> drifts = {};
  std::optional<Variation> variation = {};  // none: not by enough, or it would take too long
  Messages messages;
};

struct Options {
  simulate::Options simulation;
  double least_share = 0.01;  // of the run's time that a finding costs
  // Told what is simulated next.
  std::function<void(const char*)> stage = nullptr;
};

// Simulates the trace, and again for what each candidate for a finding costs. An error: as of
// simulate::simulate. A deadlock: a diagnosis of which only `run` is set. Cost: some twenty
// simulations at most.
Result<Diagnosis> diagnose(const trace::Trace& trace, const simulate::Machine& machine,
                           const Options& options);

// What to do about it: about its cause, where that is known better.
std::string_view advice_of(const Finding& finding);

// Whether computation was recorded, and recorded and simulated time differ by more than half: the
// findings then hardly describe the recorded run.
bool is_far_from_recorded(const Diagnosis& diagnosis, const trace::Trace& trace);

// What the recorded run took longer than the simulated one, with computation that varies if that
// is known; 0 if that is less than a tenth, or nothing is computed [ps].
Picoseconds unexplained(const Diagnosis& diagnosis, const trace::Trace& trace);

}  // namespace reprise::diagnose
