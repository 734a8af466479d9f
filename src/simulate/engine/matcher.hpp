// Matches receives and messages by MPI's rules: a receive gets the first message that it accepts,
// and a message goes to the first posted receive that accepts it.
//
// Messages and receives of one (receiver, sender, context, tag) stand in one queue that is found by
// its hash, so that a look-up costs O(1) however many there are. Wildcards cost more: receives with
// one stand in a list of their own, and so do, where there are any, the messages of a receiver and
// context in the order of their arrival.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "simulate/lower/action.hpp"

namespace reprise::simulate {

// Sender and receiver. Of a receive, `source` may be kAnyone and `tag` kAnyTag.
struct Channel {
  std::uint32_t receiver = 0, source = 0, context = 0;
  std::int64_t tag = 0;

  std::uint64_t hash() const {
    const std::uint64_t ends = std::uint64_t{receiver} << 32 | source;
    return mix(ends ^ mix(static_cast<std::uint64_t>(tag) ^ std::uint64_t{context} << 32));
  }
  bool is_wild() const { return source == kAnyone || tag == kAnyTag; }
  bool accepts(const Channel& message) const {
    return (source == kAnyone || source == message.source) &&
           (tag == kAnyTag || tag == message.tag);
  }
  bool operator==(const Channel&) const = default;
  auto operator<=>(const Channel&) const = default;
};

class Matcher {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // `has_wildcards`: wild receives may be posted.
  explicit Matcher(bool has_wildcards) : has_wildcards_(has_wildcards) {}

  // A message has arrived: returns the receive that it matches, or kNone, and the message waits.
  std::uint32_t arrive(const Channel& channel, std::uint32_t message) {
    Queue& q = queue(channel);
    const bool is_expected = q.first != kNone && !q.holds_messages;
    if (has_wildcards_) {
      const std::uint32_t wild =
          arrive_at_wild(channel, is_expected ? entries_[q.first].order : kNever);
      if (wild != kNone) return wild;
    }
    if (is_expected) return pop(q);
    push(q, message, true);
    return kNone;
  }
  // A receive is posted: returns the message that it matches, or kNone, and the receive waits.
  std::uint32_t post(const Channel& channel, std::uint32_t receive) {
    if (channel.is_wild()) return post_wild(channel, receive);
    Queue& q = queue(channel);
    if (q.first != kNone && q.holds_messages) return pop(q);
    push(q, receive, false);
    return kNone;
  }
  // The message that a receive would meet.
  std::uint32_t peek(const Channel& channel) const;
  // Removes a waiting message or receive. False: it does not wait.
  bool withdraw_receive(const Channel& channel, std::uint32_t receive);
  bool withdraw_message(const Channel& channel, std::uint32_t message);

  std::uint64_t waiting() const { return waiting_; }

  // All waiting messages and receives, in a deterministic order.
  struct Waiting {
    Channel channel;
    std::uint32_t id;
    bool is_message;
  };
  std::vector<Waiting> all() const;

 private:
  struct Entry {
    std::uint32_t id;
    std::uint32_t next;
    std::uint64_t order;
  };
  // Of one channel: messages, or receives, never both.
  struct Queue {
    Channel channel;
    std::uint32_t first = kNone, last = kNone;  // entries
    bool holds_messages = false;
    bool is_used = false;
  };
  struct WildReceive {
    Channel channel;
    std::uint32_t id;
    std::uint64_t order;
  };
  // Of one receiver and context.
  struct Box {
    std::deque<WildReceive> receives;
    std::map<std::uint64_t, std::pair<Channel, std::uint32_t>> messages;  // by order of arrival
  };

  static std::uint64_t box_key(const Channel& c) {
    return std::uint64_t{c.receiver} << 32 | c.context;
  }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  // The oldest wild receive that accepts the message and was posted before `order`, or kNone.
  std::uint32_t arrive_at_wild(const Channel& channel, std::uint64_t order);
  std::uint32_t post_wild(const Channel& channel, std::uint32_t receive);

  Queue& queue(const Channel& channel) {
    if (2 * (used_ + 1) > table_.size()) grow();
    const std::size_t mask = table_.size() - 1;
    std::size_t at = channel.hash() & mask;
    while (table_[at].is_used && !(table_[at].channel == channel)) at = (at + 1) & mask;
    if (!table_[at].is_used) {
      table_[at] = {.channel = channel, .is_used = true};
      ++used_;
    }
    return table_[at];
  }
  const Queue* find(const Channel& channel) const;
  void push(Queue& q, std::uint32_t id, bool is_message) {
    std::uint32_t entry = free_;
    if (entry == kNone) {
      entry = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      free_ = entries_[entry].next;
    }
    entries_[entry] = {id, kNone, order_++};
    (q.first == kNone ? q.first : entries_[q.last].next) = entry;
    q.last = entry;
    q.holds_messages = is_message;
    ++waiting_;
    if (is_message && has_wildcards_)
      boxes_[box_key(q.channel)].messages[entries_[entry].order] = {q.channel, id};
  }
  std::uint32_t pop(Queue& q) {
    const std::uint32_t entry = q.first;
    q.first = entries_[entry].next;
    if (q.holds_messages && has_wildcards_)
      boxes_[box_key(q.channel)].messages.erase(entries_[entry].order);
    entries_[entry].next = free_;
    free_ = entry;
    --waiting_;
    return entries_[entry].id;
  }
  bool remove(Queue& queue, std::uint32_t id);
  void grow();

  const bool has_wildcards_;
  std::vector<Queue> table_;
  std::size_t used_ = 0;
  std::vector<Entry> entries_;
  std::uint32_t free_ = kNone;
  std::uint64_t order_ = 0;
  std::uint64_t waiting_ = 0;
  std::unordered_map<std::uint64_t, Box> boxes_;
};

}  // namespace reprise::simulate
