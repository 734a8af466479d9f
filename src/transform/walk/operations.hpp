// What ranks have begun and not ended: messages, receives, probes, and their parts in collectives.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "transform/walk/mailbox.hpp"
#include "transform/wildcards.hpp"

namespace reprise::transform {

struct Operation {
  enum class Kind : std::uint8_t { message, receive, probe, taking_probe, collective } kind{};
  bool done = false;
  bool is_awaited = false;  // its rank is blocked by it
  bool is_wild = false;
  bool is_persistent = false;
  std::uint8_t uses = 0;  // by its rank, and by a mailbox or a collective
  std::uint64_t rank = 0;
  Envelope envelope;  // of a message: whom it is from, as its receiver says it
  ResolutionBuilder::Place place;
  std::uint32_t mailbox = 0;  // of a collective: none
  std::uint64_t group = 0;    // key
  std::uint64_t members = 0;  // of the group, by which the directory has them
  std::uint64_t side = 0;     // where the peer is
  std::int64_t peer = 0;      // rank in that group; kAnySource
  // Of a receive from any source: which of its rank's it is, and what it asked for, whatever was
  // chosen for it.
  static constexpr std::uint32_t kNamed = ~std::uint32_t{0};
  std::uint32_t wildcard = kNamed;
  std::uint32_t call = 0;
  std::uint64_t posted = 0;    // a receive: its place among those of all ranks
  std::uint64_t position = 0;  // of a collective: how many of the group came before
};

// Operations by number. Numbers are used again.
class Operations {
 public:
  std::uint32_t add(Operation operation) {
    if (free_.empty()) {
      all_.push_back(operation);
      return static_cast<std::uint32_t>(all_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    all_[number] = operation;
    return number;
  }
  Operation& operator[](std::uint32_t number) { return all_[number]; }
  const Operation& operator[](std::uint32_t number) const { return all_[number]; }

  void drop_use(std::uint32_t number) {
    if (--all_[number].uses == 0) free_.push_back(number);
  }

 private:
  std::vector<Operation> all_;
  std::vector<std::uint32_t> free_;
};

// Collectives to which some members have not come: the operations of those that have, by the key
// of meeting_key().
using Meetings = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;

inline std::uint64_t meeting_key(std::uint64_t group, std::uint64_t position) {
  return combine(group, position);
}

}  // namespace reprise::transform
