// From the calls of a trace to the steps of simulated processes: peers become processes, counts and
// datatypes bytes, collectives messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/requests/look_ahead.hpp"
#include "simulate/collectives/collective_steps.hpp"
#include "simulate/lower/call_shape.hpp"
#include "simulate/lower/compute_times.hpp"
#include "simulate/lower/rank_objects.hpp"
#include "simulate/machine/machine.hpp"

namespace reprise::simulate {

// The object that a meeting creates.
enum class Makes : std::uint8_t { nothing, comm, inter_comm, window, file };

// A step that a process can only take together with others: it ends when all have arrived. Used for
// the Dimemas models of collectives and for the creation of communicators.
struct MeetingCall {
  std::uint64_t group = 0, number = 0;  // which meeting: the same for all that take part
  std::uint64_t expected = 0;  // processes; 0: `entry` says it, the members of what is made
  DimemasCollective cost;
  std::optional<Collective> kind;       // none: it makes something, or opens a file
  bool is_root = false;                 // whose sizes count
  std::int64_t sent = 0, received = 0;  // by this process [bytes]
  Makes makes = Makes::nothing;
  std::int64_t made = 0;  // the number of what it makes
  std::shared_ptr<Entry> entry;
  std::shared_ptr<const Group> of;   // whose members meet
  std::int64_t rank_in = 0;          // rank among them
  mpi::Grid grid;                    // of a Cartesian communicator
  std::uint32_t rank = 0, call = 0;  // who says it, and where; filled in when it joins
};

// The steps of one call on one stream.
struct CallSteps : Script {
  std::vector<MeetingCall> meetings;
  std::vector<GroupCollective> collectives;
  std::uint32_t call = 0;  // that they are of, where they run beside a stream
  // The steps are the same for every execution with equal columns.
  bool is_lasting = true;
  std::uint32_t type_version = 0;

  void add(GroupCollective collective) {
    actions.push_back(
        {.what = Action::Do::collective, .first = static_cast<std::uint32_t>(collectives.size())});
    collectives.push_back(std::move(collective));
  }
};

// The messages that wildcards receive.
enum class Matching : std::uint8_t {
  arrival,   // the message that arrives first
  recorded,  // the message of the recorded run
};

struct LoweringOptions {
  Matching matching = Matching::arrival;
};

// Of all streams. REQUIRES: trace, machine and times outlive it.
class Lowering {
 public:
  Lowering(const trace::Trace& trace, const Machine& machine, const ComputeTimes& times,
           LoweringOptions options)
      : trace_(trace), machine_(machine), times_(times), options_(options) {}

  // Appends the first steps of a member in a communicator (Action::Do::enter).
  void enter(const Place& place, CallSteps& out) const;

  // The steps of an event, ranks in it as they are written; they are decoded in place. `ahead` may
  // be null where no wildcard is posted. Empty steps: the call takes no time. An error: the call
  // cannot be simulated, and why.
  Status lower(trace::Event& event, RankObjects& objects, mpi::LookAhead* ahead,
               CallSteps& out) const;

 private:
  const trace::Trace& trace_;
  const Machine& machine_;
  const ComputeTimes& times_;
  LoweringOptions options_;
};

}  // namespace reprise::simulate
