// Which receive meets which message, by MPI's rules: of the messages that a receive accepts it gets
// the first that came, of the receives that accept a message the first that was posted has it.
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

#include "simulate/action.hpp"

namespace reprise::simulate {

// Who sends to whom. Of a receive, `source` may be kAnyone and `tag` kAnyTag.
struct Channel {
  std::uint32_t receiver = 0, source = 0, context = 0;
  std::int64_t tag = 0;

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

  // A message has come: the receive that it meets, or kNone, and it waits.
  std::uint32_t arrive(const Channel& channel, std::uint32_t message);
  // A receive is posted: the message that it meets, or kNone, and it waits.
  std::uint32_t post(const Channel& channel, std::uint32_t receive);
  // The message that a receive would meet.
  std::uint32_t peek(const Channel& channel) const;
  // Takes back what waits. False: it does not.
  bool withdraw_receive(const Channel& channel, std::uint32_t receive);
  bool withdraw_message(const Channel& channel, std::uint32_t message);

  std::uint64_t waiting() const { return waiting_; }

  // All that waits, in an order that depends on nothing else.
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

  Queue& queue(const Channel& channel);
  const Queue* find(const Channel& channel) const;
  void push(Queue& queue, std::uint32_t id, bool is_message);
  std::uint32_t pop(Queue& queue);
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
