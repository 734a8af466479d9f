// The ranks of a trace between each other: messages on their way, and collectives that wait for
// their members.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi/communicators/directory.hpp"
#include "transform/schedule.hpp"
#include "transform/walk/operations.hpp"

namespace reprise::transform {

class RankWalk;

// A message as its sender says it.
struct Outgoing {
  mpi::Rank dest{};
  std::int64_t tag = 0;
  bool is_buffered = false;  // the send ends at once
};

class Exchange {
 public:
  // REQUIRES: the trace outlives it and does not change.
  Exchange(const trace::Trace& trace, const ScheduleOptions& options);
  ~Exchange();

  // Walks a rank until it is blocked or has ended. False: the trace is damaged.
  bool run(std::uint64_t rank);
  // Ranks that are not blocked any more, each once.
  std::vector<std::uint64_t> take_unblocked() { return std::exchange(unblocked_, {}); }
  // The rank that a blocked one waits for, where it is one and known.
  std::optional<std::uint64_t> waits_for(std::uint64_t rank) const;
  // When all have ended or are blocked.
  Scheduled finish();

  // For the walks of the ranks. Each returns an operation that its rank uses until it drops it.
  std::uint32_t send(std::uint64_t rank, const mpi::Group& group, const Outgoing& sent);
  std::uint32_t receive(Operation receive, const mpi::Group& group);
  std::uint32_t probe(Operation probe, const mpi::Group& group);
  // `call`: that makes the collective.
  std::uint32_t arrive(std::uint64_t rank, const mpi::Group& group, std::uint64_t position,
                       std::uint32_t call);
  // Takes an operation back that has met nothing.
  void cancel(std::uint32_t operation);
  // A rank waits for a message of its own that was buffered.
  void expect_receiver(std::uint32_t message);
  void drop(std::uint32_t operation) { operations_.drop_use(operation); }

  Operation& operation(std::uint32_t number) { return operations_[number]; }
  mpi::Directory& directory() { return directory_; }

 private:
  // That of a rank of a side of a group, both by their keys.
  std::uint32_t mailbox_of(std::uint64_t group, std::uint64_t side, mpi::Rank rank);
  void complete(std::uint32_t operation);
  void meet(std::uint32_t receive, Envelope message);
  void serve_probes(std::uint32_t mailbox);
  // What is kept of orders (OrderLog), and what is chosen.
  void choose(Operation& receive);
  void note_chosen(std::uint32_t receive);
  void note_met(const Operation& receive, Envelope message);

  std::vector<bool> wild_;  // by call: some execution may be a wildcard
  mpi::GroupNames names_;
  std::vector<std::unique_ptr<RankWalk>> ranks_;
  const Choices* choices_;
  OrderLog* log_;
  std::vector<std::vector<std::uint32_t>> chosen_;  // by mailbox: receives that have met nothing
  bool is_resolving_;                               // wildcards take what they meet here
  mpi::Directory directory_;
  Operations operations_;
  std::unordered_map<std::uint64_t, std::uint32_t> mailbox_index_;
  std::vector<Mailbox> mailboxes_;
  Meetings meetings_;
  std::vector<std::uint64_t> unblocked_;
  std::uint64_t order_ = 0;
};

}  // namespace reprise::transform
