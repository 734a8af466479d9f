// The waits of a simulated run, their places and causes, and the messages between ranks.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simulate/clocks/delay_clock.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::simulate {

// Kinds of waits, with the names of Scalasca.
enum class WaitState : std::uint8_t {
  late_sender,      // a receive, for its message to be sent
  late_receiver,    // a send above the eager threshold, for its receive to be posted
  early_reduce,     // in a collective whose data goes to a root, for who contributes
  late_broadcast,   // in a collective whose data comes from a root, for that
  wait_at_barrier,  // for the last to come
  wait_at_nxn,      // in a collective from all to all, for the last to come
  early_scan,       // for the ranks before
  wait_at_window,   // in an epoch, fence or lock of one-sided communication
};
inline constexpr std::size_t kWaitStates = 8;

// "late-sender", and so on.
std::string_view name_of(WaitState state);
// Of a wait in a call of this function; `receives`: for a message.
WaitState wait_state_of(trace::FunctionId function, bool receives);

// The activity of other ranks before a call that made ranks wait [ps]. Of communication: a rank was
// late because of its messages.
struct DelayCause {
  std::uint32_t call = 0;  // index into Trace::calls
  bool is_communication = false;
  std::vector<Picoseconds> by_waiter;  // by stream
  std::vector<double> by_culprit;      // by stream; adds up to the same
};

// The waits of one kind in one call [ps].
struct DelaySite {
  WaitState state{};
  std::uint32_t call = 0;              // index into Trace::calls
  std::vector<Picoseconds> by_stream;  // what its causes add up to
  std::vector<DelayCause> causes;
};

// Point-to-point messages of one call from one rank to another.
struct Traffic {
  std::uint32_t call = 0;  // that sent, or started a persistent send
  std::uint32_t from = 0, to = 0;
  std::uint64_t messages = 0, bytes = 0;

  bool operator==(const Traffic&) const = default;
};

// Records both during a simulation.
class DelayLedger {
 public:
  DelayLedger(std::uint64_t streams, std::uint64_t calls) : streams_(streams), calls_(calls) {}

  // A stream waits from its clock `own` until `until`, `on_wire` of that for bytes under way.
  // Cost: O(shares that differ).
  void waits(WaitState state, std::uint32_t call, std::uint64_t stream, const DelayClock& own,
             const DelayClock& until, Picoseconds on_wire);
  // A message of a point-to-point operation. False: there are too many pairs of ranks.
  bool sends(std::uint32_t call, std::uint32_t from, std::uint32_t to, std::int64_t bytes);

  // Adds `times` what was gained since `before`, an earlier copy of this.
  void extrapolate(const DelayLedger& before, std::int64_t times);

  std::vector<DelaySite> take_sites() { return std::move(sites_); }
  // By call, sender and receiver.
  std::vector<Traffic> traffic() const;

 private:
  // Causes of all sites, each of two times the number of streams.
  static constexpr std::uint64_t kMostCauseNumbers = std::uint64_t{1} << 26;
  static constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 24;

  struct Amount {
    std::uint64_t messages = 0, bytes = 0;
  };
  struct Excess {
    Picoseconds sum = 0;
    std::vector<std::pair<std::uint32_t, Picoseconds>> culprits;  // streams, and what they add
  };

  DelaySite& site(WaitState state, std::uint32_t call);
  DelayCause* cause(DelaySite& site, std::uint32_t call, bool is_communication);
  void compare(const DelayClock& own, const DelayClock& until);
  void charge(DelaySite& site, std::uint64_t waiter, bool is_communication, Picoseconds amount);
  std::vector<Excess>& excess(bool is_communication) {
    return is_communication ? communication_ : computation_;
  }

  std::uint64_t streams_, calls_;
  std::vector<DelaySite> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> site_of_;  // by state and call
  std::uint64_t cause_numbers_ = 0;
  // By sender, then call and receiver.
  std::vector<std::unordered_map<std::uint64_t, Amount>> sent_;
  std::uint64_t pairs_ = 0;
  // Of the wait that is looked at: by call, and which calls have any.
  std::vector<Excess> computation_, communication_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace reprise::simulate
