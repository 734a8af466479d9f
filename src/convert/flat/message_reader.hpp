// The ends of messages that the calls of one rank tell of.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "convert/flat/calls.hpp"
#include "convert/flat/message_ends.hpp"

namespace reprise::convert {

class MessageReader {
 public:
  // REQUIRES: both outlive it.
  MessageReader(const FlatComms& comms, std::uint64_t rank, MessageEnds& out)
      : comms_(comms), rank_(static_cast<std::uint32_t>(rank)), out_(out) {}

  // Of each call of the rank, in order.
  void read(const FlatCall& call, bool is_in_range);

 private:
  struct Posted {
    std::uint64_t number;
    std::int64_t time;
    bool is_in_range;
  };

  // None: to or from a rank that is not in the communicator.
  std::optional<MessageEnd> end_of(const FlatMessage& message) const;
  void add_sent(const FlatMessage& message, const FlatCall& call, bool is_in_range);
  void add_received(const FlatMessage& message, const Posted& posted, const FlatCall& call,
                    bool is_in_range);

  const FlatComms& comms_;
  std::uint32_t rank_;
  MessageEnds& out_;
  std::unordered_map<std::uint64_t, Posted> posted_;  // by request
  std::uint64_t sends_ = 0, receives_ = 0, calls_ = 0;
};

}  // namespace reprise::convert
