// The steps of one event: within the lowering, which makes one of these for each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulate/lower/bounded_sizes.hpp"
#include "simulate/lower/lowering.hpp"

namespace reprise::simulate {

class Lowerer {
 public:
  Lowerer(const trace::Trace& trace, const Machine& machine, const ComputeTimes& times,
          LoweringOptions options, trace::Event& event, RankObjects& objects, mpi::LookAhead* ahead,
          CallSteps& out)
      : trace_(trace),
        machine_(machine),
        times_(times),
        options_(options),
        e_(event),
        f_(*event.function),
        s_(shape_of(trace.calls[event.call].function)),
        objects_(objects),
        ahead_(ahead),
        out_(out),
        sizes_(event, objects.types()) {}

  Status lower();

 private:
  using Do = Action::Do;
  using Family = CallShape::Family;

  // lowering.cpp
  void decode();
  std::int64_t scalar(int at) const;
  const std::vector<std::int64_t>& list(int at) const;
  void add(Action action) { out_.actions.push_back(action); }
  void wait_inner() { add({.what = Do::wait_inner}); }
  template <class Plan>
  Status fork(Plan steps) {
    out_.is_lasting = false;
    const std::size_t at = out_.actions.size();
    add({.what = Do::fork, .keep = s_.keep});
    steps();
    out_.actions[at].count = static_cast<std::uint32_t>(out_.actions.size() - at - 1);
    return {};
  }
  std::uint32_t peer_of(std::int64_t rank);
  Status learn();
  Status checked() const;
  Status sized() const;
  Error unknown(const char* what) const;

  // messages.cpp
  Action send_action();
  Action receive_action();
  Status send();
  Status receive();
  Status exchange();
  Status probe();
  Status claim();

  // requests.cpp
  std::span<const std::int64_t> requests();
  Status ready();
  Status each_request(Action::Do what, Keep keep = Keep::inner);
  Status complete();
  Status complete_any();

  // collectives.cpp
  Status collective();
  Status nothing_collective();
  CollectiveCall described();
  Status collective_meeting();
  MeetingCall meeting_of(Place& place) const;
  Status meet(MeetingCall meeting);
  Status neighbor();
  // Internal collectives of the library, of 8 bytes each.
  void exchanges(const Exchanges& all, const Place& place, std::int64_t tag);

  // new_objects.cpp
  Status make_comm();
  Status make_of_groups(MeetingCall& meeting, Entry& entry);
  Status make_on_comm(Makes makes);
  void find_topology(Entry& entry, MeetingCall& meeting) const;

  // access.cpp
  Status fence();
  Action access_action(std::int64_t bytes, std::int64_t latencies);
  Status access();
  void lock_action(Action::Do what, LockKind kind);
  Status lock();
  Status settle();
  Status epoch();

  // files.cpp
  Status file();
  Status own_file();
  Picoseconds file_time();

  const trace::Trace& trace_;
  const Machine& machine_;
  const ComputeTimes& times_;
  const LoweringOptions options_;
  trace::Event& e_;
  const trace::Function& f_;
  const CallShape& s_;
  RankObjects& objects_;
  mpi::LookAhead* ahead_;
  CallSteps& out_;
  BoundedSizes sizes_;
  Place* place_ = nullptr;
  std::vector<std::int64_t> scratch_;
  bool is_bad_peer_ = false;
};

}  // namespace reprise::simulate
