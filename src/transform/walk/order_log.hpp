// What a walk of a trace tells of its wildcards, for those who try others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "trace/values/special.hpp"
#include "transform/walk/mailbox.hpp"

namespace reprise::transform {

// By rank: the sources that its first receives from any source take, in its order; kAnySource: what
// comes first.
using Choices = std::vector<std::vector<std::int64_t>>;

struct OrderLog {
  struct Wildcard {
    std::uint32_t call = 0, mailbox = 0;
    std::int64_t tag = 0;
    std::optional<std::int64_t> took;  // a source
    bool is_chosen = false;
  };
  // What was sent to a process in a communicator, and received there.
  struct Box {
    std::set<Envelope> sent, received;  // as their receives say it
    bool has_unbuffered = false;        // somebody waits for a message of it to be received

    // Whether it makes a difference which message a receive takes.
    bool matters() const { return has_unbuffered || received.size() > 1; }
    bool asks_for(std::int64_t source) const {
      return std::ranges::any_of(received, [&](const Envelope& e) { return e.source == source; });
    }
  };

  std::vector<std::vector<Wildcard>> wildcards;  // by rank
  std::vector<Box> boxes;                        // by mailbox
  // A message passed a wildcard that would have taken it, for another one.
  bool is_uncertain = false;

  // Whether each wildcard took what was chosen for it, as one run can.
  bool is_possible() const {
    return !is_uncertain && std::ranges::all_of(wildcards, [](const auto& of_rank) {
      return std::ranges::all_of(of_rank, [](const Wildcard& w) { return w.took || !w.is_chosen; });
    });
  }
};

// Which of two sources a wildcard took, and which comes first in the order that was walked first.
struct Taken {
  std::uint64_t rank = 0;
  std::uint32_t call = 0;
  std::int64_t first = 0, instead = 0;  // in the communicator
};

}  // namespace reprise::transform
