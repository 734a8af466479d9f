// The simulation engine: processes take steps until they have to wait for each other.
//
// Without wildcards and without contention, which messages match does not depend on time (the
// processes form a Kahn network), so each process runs ahead until it has to wait, in any order,
// and times are sums and maxima. With them, steps are taken in the order of time: a heap holds the
// processes, the arrivals of messages and the ends of transfers, and the earliest goes first.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "simulate/engine/matcher.hpp"
#include "simulate/engine/pending.hpp"
#include "simulate/engine/regime_search.hpp"
#include "simulate/engine/slots.hpp"
#include "simulate/machine/links_and_buses.hpp"
#include "simulate/results/result.hpp"
#include "trace/cursors/pass_cursor.hpp"

namespace reprise::simulate {

template <class C>
class Engine {
 public:
  Engine(const trace::Trace& trace, const Machine& machine, const ComputeTimes& times,
         const Options& options);

  Result<Outcome> run();

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // Calls that a process makes before others have their turn; this bounds the messages that it
  // sends ahead.
  static constexpr int kTurn = 256;
  // Messages and receives without a match so far.
  static constexpr std::uint64_t kMostWaiting = std::uint64_t{1} << 25;
  // Of what the fabric names: a meeting that has all buses, and no message.
  static constexpr std::uint32_t kAllBuses = std::uint32_t{1} << 31;

  // What a step needs to begin, where messages that come occupy processors.
  enum class Needs : std::uint8_t {
    nothing,            // it belongs to what has begun
    turn,               // its place in time
    turn_of_processor,  // the same, behind what the processor does now
    processor,
    interface,  // for what it sends, and the processor
  };

  enum class State : std::uint8_t { ready, blocked, held, ended };

  // Something that is waited for.
  struct Request {
    C done;
    Picoseconds wire = 0;  // how long the transfer took that ended it
    std::uint32_t waiter = kNone;
    std::uint32_t message = kNone;  // of a send that is not eager, or a receive that has one
    Channel channel;                // of a receive or a send
    C posted;                       // of a receive
    Where where = Where::memory;
    bool is_receive = false, is_known = false, has_started_up = false, is_forgotten = false;
    bool is_met = false;
    std::uint64_t meeting = 0;  // what it takes part in, for reports; 0: none
    // The call of the collective that it is, if the program waits for it in another call.
    std::uint32_t collective = kNone;
  };

  struct Message {
    C ready;    // when its sender had it ready; loggops: when its receiver takes it in
    C arrival;  // of the last byte
    Channel channel;
    std::int64_t bytes = 0;
    std::uint32_t send = kNone, receive = kNone;  // requests
    std::uint32_t call = 0;                       // that sent it
    Where where = Where::memory;
    bool is_eager = true, has_arrived = false;
    Picoseconds sent = 0;
    Picoseconds started = 0;
  };

  struct Meeting {
    std::uint64_t joined = 0, expected = 0;
    C latest;
    std::vector<std::uint32_t> requests;
    std::vector<MeetingCall> calls;
  };

  // Of a window at a process: who has it, and who waits for it, in that order.
  struct Lock {
    std::uint64_t holders = 0;
    bool is_shared = false;                              // by the holders
    C released, released_exclusive;                      // by any holder, by an exclusive one
    std::deque<std::pair<std::uint32_t, bool>> waiting;  // tasks, and whether they would share it
  };

  // A process: a stream of the trace, or steps that run beside one.
  struct Task {
    C clock;
    std::uint32_t stream = 0;
    std::uint32_t rank = 0;
    State state = State::ready;
    bool is_stream = true;
    bool is_queued = false;
    bool has_lock = false;  // that it waited for
    std::uint32_t call = 0;
    const CallSteps* steps = nullptr;
    std::size_t at = 0, end = 0;                  // in steps->actions
    std::unique_ptr<CollectiveSteps> collective;  // of the present action, if it is one
    std::vector<std::uint32_t> inner;             // requests of the present call
    std::size_t waited = 0;  // how many of these have been looked at: sends, then all
    Picoseconds call_began = 0;
    std::uint32_t id = 0;         // in tasks_
    Account* accounts = nullptr;  // of its stream, by call
    // Of steps beside a stream:
    std::shared_ptr<const CallSteps> own;
    std::uint32_t ends = kNone;  // the request that they are
  };

  // What a task has beyond that if it is a stream.
  struct Stream {
    Stream(const trace::Outline& outline, std::uint64_t stream, const ComputeTimes& computed)
        : cursor(outline, stream), times(computed, stream) {}

    trace::PassCursor cursor;
    StreamTimes times;
    std::unique_ptr<mpi::LookAhead> ahead;
    PendingRequests pending;
    std::vector<std::uint32_t> matched;  // requests of messages that MPI_Mprobe has taken
    std::vector<std::unique_ptr<CallSteps>> known;  // by call: steps that stay the same
    std::unique_ptr<CallSteps> steps;               // of the present call, if they do not
    trace::Event event;                             // of the present call, if that is not known
    bool is_lowered = true;
    bool has_computed = true;  // before the present call
    Picoseconds span = 0;      // that it computes there, on the machine of the trace
    std::unordered_map<std::int64_t, C> accesses;  // by window: when the last one is over
    std::uint64_t taken = 0;                       // calls, without those that were leapt over
  };

  enum EventKind : std::uint8_t {
    kTransferEnds,
    kTransferReady,
    kArrives,
    kLooksAgain,
    kReaches,  // the interface of its receiver
    kTakesSteps
  };
  struct Event {
    Picoseconds time;
    std::uint8_t kind;  // in the order in which events of one time are taken
    std::uint64_t order;
    std::uint32_t id;

    bool operator>(const Event& o) const {
      return std::tuple(time, stage(), order) > std::tuple(o.time, o.stage(), o.order);
    }
    // What comes to a rank and what it does itself go by their order alone.
    std::uint8_t stage() const { return std::min<std::uint8_t>(kind, kReaches); }
  };

  // run.hpp
  void prepare();
  void run_all();
  void run_in_order();
  void take_turn(std::uint32_t task);
  bool next_call(Task& task, Stream& stream);
  bool may_go_on(const Task& task);
  bool compute(Task& task, Stream& stream);
  bool lower_call(Task& task, Stream& stream);
  void finish_call(Task& task);
  void wake(std::uint32_t task);
  void push_event(Picoseconds time, EventKind kind, std::uint32_t id);
  // The step that it takes now: an action, or one of a collective. Null: the call has no more.
  static const Action* present(Task& task);
  static void advance(Task& task);
  bool is_due(const Task& task) const;
  // loggops: whether a step begins now; if not, the task is woken when it does.
  bool may_begin(Task& task, Needs needs);
  Needs needs_of(const Task& task, const Action& action);
  void occupy_processor(const Task& task);
  void fail(Error error);
  void note(const char* what);

  // delays.hpp
  static constexpr bool kKeepsDelays = std::is_same_v<C, DelayClock>;
  // A task that waits from its clock until `until`, in the call `of` or for an operation that the
  // call began.
  void note_delay(const Task& task, std::uint32_t of, bool receives, const C& until,
                  Picoseconds on_wire);
  void note_traffic(const Message& message);

  // report.hpp
  void collect(Outcome& out);
  void report_blocked(Outcome& out);
  Blocked describe(std::uint32_t task) const;

  // steps.hpp
  bool take(Task& task, const Action& action);
  void send(Task& task, const Action& action);
  void receive(Task& task, const Action& action);
  bool wait(Task& task, std::uint32_t request);
  bool wait_inner(Task& task);
  bool wait_any(Task& task, const Action& action);
  bool probe(Task& task, const Action& action);
  void fork(Task& task, const Action& action);
  // Runs steps beside the task; they are over when the request is.
  void launch(Task& task, std::shared_ptr<const CallSteps> steps, std::uint32_t request);
  void enter(Task& task, const Action& action);

  // requests.hpp
  void keep(Task& task, const Action& action, std::uint32_t request);
  // A persistent request is only made here, and started later. Returns whether it is one.
  Operation* keep_persistent(Task& task, const Action& action);
  PendingRequests::Entry* entry(const Task& task, std::int64_t number);
  Operation* operation(const Task& task, std::int64_t number);
  void start(Task& task, const Action& action);
  void begin_operation(Task& task, const Action& action);
  void make_ready(Task& task, const Action& action);
  void claim(Task& task, const Action& action);
  void retire(Task& task, const Action& action);
  void forget(Task& task, const Action& action);
  void withdraw(Operation& operation, const C& now);

  // messages.hpp
  void arrive(std::uint32_t message);
  void match(std::uint32_t message, std::uint32_t request);
  void start_transfer(std::uint32_t message, const C& from);
  void begin_transfer(std::uint32_t message, const C& from);
  void begin_transfers();  // those in starting_
  void leave(std::uint32_t message, C from);
  void depart(std::uint32_t message, Task& sender);
  void reach(const Event& event);
  void take_in(const Event& event);
  void occupy(C& interface, const Message& message, const C& from) const;
  void end_transfer(std::uint32_t message);
  void finish(std::uint32_t message);
  void complete(std::uint32_t request, const C& when, Picoseconds wire);
  C envelope(const Message& message) const;

  // meetings.hpp
  void meet(Task& task, const Action& action);
  static bool is_free(const Meeting& meeting);
  static std::int64_t steps_of(const Phase& phase, std::int64_t partners, std::int64_t buses);
  C end_of(const Meeting& meeting, const C& from) const;
  void conclude(Meeting& meeting, const C& from);
  void begin_gathering(std::uint32_t id, const C& when);
  void end_gathering(std::uint32_t id);
  void form(Meeting& meeting);

  // access.hpp
  void put(Task& task, const Action& action);
  void settle(Task& task, std::int64_t window);
  bool lock(Task& task, const Action& action);
  void unlock(Task& task, const Action& action);
  static std::uint64_t lock_key(const Action& action);

  // steady_state.hpp
  bool at_cut();
  struct Cut;
  std::unique_ptr<Cut> cut_of(std::uint32_t node);
  bool same_regime(const Cut& before, const Cut& now);
  std::uint64_t leap_length(const Cut& before, const Cut& now);
  void leap(const Cut& before, const Cut& now, std::uint64_t times);
  template <class F>
  void for_each_clock(F visit);
  void unite(std::uint32_t rank, std::uint32_t other);

  Where where(std::uint32_t a, std::uint32_t b) const {
    return node_[a] == node_[b] ? Where::memory : Where::network;
  }
  static std::int64_t bytes_behind_first(std::int64_t bytes) {
    return std::max<std::int64_t>(0, bytes - 1);
  }
  bool is_dimemas() const { return machine_.model == MessageModel::dimemas; }
  // What a message costs a processor at one end.
  void start_up(C& clock, Where where, std::uint32_t call) const {
    if (is_dimemas()) {
      clock.latency(rates_, where, call);
    } else {
      clock.spend(machine_.overhead, call);
    }
  }
  Account& account(const Task& task) { return task.accounts[task.call]; }

  const trace::Trace& trace_;
  const Machine& machine_;
  const ComputeTimes& times_;
  const Options& options_;
  const Rates rates_;
  const trace::Outline outline_;
  const Lowering lowering_;
  const bool in_order_;
  std::vector<std::uint32_t> node_;  // by rank
  std::uint32_t nodes_ = 1;
  std::vector<RankObjects> objects_;  // by rank
  Chunks<Task> tasks_;                // streams first
  std::vector<Stream> streams_;       // never moved
  std::vector<std::uint32_t> spare_tasks_;
  Slots<Request> requests_;
  Slots<Message> messages_;
  Matcher matcher_;
  std::unordered_map<std::uint64_t, Meeting> meetings_;
  std::unordered_map<std::uint32_t, Meeting> gatherings_;  // that wait for buses, or have them
  std::uint32_t next_gathering_ = 0;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> probing_;        // tasks, by rank
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> awaiting_comm_;  // likewise
  std::unordered_map<std::uint64_t, Lock> locks_;
  std::vector<C> leaves_, enters_;  // by rank: when its interface is free, in both directions
  std::vector<C> processors_;       // loggops: by rank, when its processor is free
  std::uint32_t next_group_ = 2;
  std::deque<std::uint32_t> ready_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
  static constexpr std::uint64_t kNew = ~std::uint64_t{0};
  std::uint64_t turn_ = kNew;  // the place of the step that is taken among the events of its time
  Picoseconds now_ = 0;
  LinksAndBuses<C> fabric_;
  std::vector<typename LinksAndBuses<C>::Start> starting_;
  std::vector<bool> is_repeated_;  // by call
  trace::Event scratch_;
  CallSteps lowered_;  // of one call, before they are kept
  std::vector<std::vector<Account>> accounts_;
  std::uint64_t calls_ = 0, message_count_ = 0, leapt_ = 0;
  std::uint64_t work_ = 0;       // as Options::work
  std::uint64_t looked_at_ = 0;  // numbers of cuts, without path shares
  std::uint64_t taken_ = 0;      // calls, without those that were leapt over
  std::uint64_t forked_ = 0;     // steps beside streams that are under way
  std::vector<Note> notes_;
  DelayLedger delays_;
  RouteLog route_;
  std::optional<Error> error_;
  // The steady state.
  bool is_steady_wanted_ = false;
  RegimeSearch regimes_;
  std::unique_ptr<Cut> reference_;
  Components components_;
  std::vector<std::size_t> owner_clock_;  // by stream: its own clock in a cut
};

}  // namespace reprise::simulate
