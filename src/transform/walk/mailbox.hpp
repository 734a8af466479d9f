// The messages that were sent to one process in one communicator and not yet received, and the
// receives that were posted there and met none: what MPI's matching rules choose from.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace reprise::transform {

// A message as it says whom it is from, or a receive as it says what it takes; kAnySource and
// kAnyTag in a receive.
struct Envelope {
  std::int64_t source = 0, tag = 0;

  auto operator<=>(const Envelope&) const = default;
};

// Things of one side, by envelope, each in the order in which they came. Cost: O(log envelopes).
class EnvelopeQueues {
 public:
  // `order` rises from one to the next.
  void add(Envelope envelope, std::uint32_t operation, std::uint64_t order) {
    queues_[envelope].push_back({operation, order});
  }
  // The oldest with this very envelope.
  struct Entry {
    std::uint32_t operation;
    std::uint64_t order;
  };
  const Entry* front(Envelope envelope) const;
  // The oldest whose envelope a receive with wildcards takes. Cost: O(envelopes) for a wildcard.
  struct Found {
    Envelope envelope;
    Entry entry;
  };
  std::optional<Found> oldest_for(Envelope receive) const;
  void pop(Envelope envelope);
  // One that is no longer wanted. Cost: O(entries of the envelope).
  void remove(Envelope envelope, std::uint32_t operation);

 private:
  std::map<Envelope, std::deque<Entry>> queues_;  // none is empty
};

struct Mailbox {
  EnvelopeQueues messages, receives;
  std::vector<std::uint32_t> probes;  // operations that wait for a message

  // The receive posted first that takes a message, with the envelope that it was posted with.
  std::optional<EnvelopeQueues::Found> receive_for(Envelope message) const;
};

}  // namespace reprise::transform
