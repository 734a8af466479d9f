// One rank on its way through its calls, until one blocks it.
#pragma once

#include <unordered_map>
#include <vector>

#include "mpi/payloads/type_sizes.hpp"
#include "mpi/requests/pending.hpp"
#include "transform/walk/exchange.hpp"

namespace reprise::transform {

class RankWalk {
 public:
  // `fixed`: what its wildcards have become already, or null.
  RankWalk(const trace::Trace& trace, std::uint64_t rank, const std::vector<bool>& wild,
           const Resolution* fixed, const ScheduleOptions& options, mpi::GroupNames& names,
           Exchange& exchange);

  // Goes on until it is blocked or has ended. False: the trace is damaged.
  bool run();

  bool has_ended() const { return has_ended_; }
  bool is_blocked() const { return left_ > 0; }
  // An operation that blocks it. REQUIRES: is_blocked().
  std::uint32_t blocker() const;
  // All of them that are not done, and whether it goes on once any of them is. REQUIRES: as above.
  std::vector<std::uint32_t> awaited() const;
  bool awaits_any() const;
  bool is_finalized() const { return is_finalized_; }
  std::uint32_t call() const { return cursor_.event().call; }
  std::uint64_t calls() const { return calls_; }

  // One of the operations that block it is done. True: it was the last.
  bool note_done() { return left_ > 0 && --left_ == 0; }
  ResolutionBuilder& builder() { return builder_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // What a request stands for.
  struct Request {
    std::uint32_t operation = kNone;  // none: it is not active, or nothing that could block
    std::uint32_t received = kNone;   // of one that sends and receives: the receive
    bool is_persistent = false;
    std::uint32_t traits = 0;  // of the call that made it
    mpi::Group group;
    std::int64_t peer = 0, tag = 0;
    bool is_buffered = false;
    bool is_wild = false;
    ResolutionBuilder::Place place;
    // Of a persistent collective: which of its group it is, and how often it was started.
    std::uint64_t position = 0, starts = 0;
    std::uint32_t call = 0;  // that made it
  };

  void begin();
  void end();
  bool fits_in_eager() const;
  Request describe();
  void describe_receive(Request& request);
  void communicate();
  void activate(Request& request);
  void drop(Request& request);
  Operation wanted(const Request& request) const;
  void probe(const Request& request);
  void collective();
  void complete();
  void own(std::uint32_t operation);
  void wait_for(std::uint32_t operation, bool is_owned);
  bool is_unfinished() const { return cursor_.event().call >= first_unfinished_; }

  std::uint64_t rank_;
  const std::vector<bool>& wild_;  // by call
  struct Fixed {
    trace::SeriesCursor sources, tags;
  };
  std::unordered_map<std::uint32_t, Fixed> fixed_;  // by call
  bool is_fixed_;
  std::optional<std::uint64_t> eager_;
  std::uint32_t first_unfinished_;
  Exchange& exchange_;
  trace::Cursor cursor_;
  mpi::Groups groups_;
  mpi::Pending<Request> pending_;
  ResolutionBuilder builder_;
  std::unordered_map<std::uint64_t, std::uint64_t> arrivals_;  // by group
  mpi::TypeSizes types_;
  std::vector<std::uint32_t> blockers_;  // of the present call; it drops them when it ends
  std::vector<bool> is_owned_;           // by blocker: no request has it
  std::vector<std::int64_t> scratch_;
  std::uint64_t left_ = 0;   // blockers that are not done
  std::uint64_t calls_ = 0;  // that it has come to
  bool is_within_ = false;   // a call
  bool has_ended_ = false;
  bool is_finalized_ = false;  // it has come to MPI_Finalize
};

}  // namespace reprise::transform
