// Brings the two ends of each message together, which ranks that are walked one after the other
// tell apart from each other.
//
// Messages of one sender, receiver, communicator and tag do not overtake each other: the n-th one
// sent is what the n-th receive took, of those that were posted and received such a message. Both
// lists are sorted outside of memory and joined.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "convert/sorter.hpp"

namespace reprise::convert {

struct MessageKey {
  std::uint32_t sender = 0, receiver = 0;  // ranks of the world
  std::uint64_t comm = 0;
  std::int64_t tag = 0;

  auto operator<=>(const MessageKey&) const = default;
};

struct MessageEnd {
  MessageKey key;
  std::uint64_t number = 0;  // among the sends of the sender, or the receives that the receiver
                             // posted, in order
  std::int64_t begin = 0;    // of the call that sent it, or when the receive was posted [ns]
  std::int64_t end = 0;      // of the call that sent it, or that had it received [ns]
  std::uint64_t call = 0;    // of the rank: that sent it, or that had it received
  std::int64_t bytes = 0;
  bool is_in_range = true;  // of what is exported

  bool operator<(const MessageEnd& other) const {
    return std::pair(key, number) < std::pair(other.key, other.number);
  }
};

class MessageEnds {
 public:
  explicit MessageEnds(const std::string& scratch) : sent_(scratch), received_(scratch) {}

  void add_sent(const MessageEnd& end) { sent_.add(end); }
  void add_received(const MessageEnd& end) { received_.add(end); }

  // Calls `visit(sent, received)` for each message both of whose ends are known and in range.
  // Returns how many were sent in range of which no receive is known.
  template <class Visit>
  std::uint64_t join(const Visit& visit) {
    std::uint64_t lost = 0;
    sent_.sort();
    received_.sort();
    const MessageEnd *s = sent_.next(), *r = received_.next();
    while (s) {
      if (r && r->key < s->key) {
        r = received_.next();
      } else if (!r || s->key < r->key) {
        lost += s->is_in_range ? 1 : 0;
        s = sent_.next();
      } else {
        if (s->is_in_range && r->is_in_range) visit(*s, *r);
        s = sent_.next();
        r = received_.next();
      }
    }
    return lost;
  }

  // As Sorter has it.
  int error() const { return sent_.error() != 0 ? sent_.error() : received_.error(); }

 private:
  Sorter<MessageEnd> sent_, received_;
};

}  // namespace reprise::convert
