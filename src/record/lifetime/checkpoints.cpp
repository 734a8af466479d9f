#include "record/lifetime/checkpoints.hpp"

#include <algorithm>
#include <bit>

namespace reprise::record {
namespace {

constexpr std::uint64_t kFirst = std::uint64_t{1} << 30;      // after the start [ns]
constexpr std::uint64_t kLongest = std::uint64_t{512} << 30;  // between two, if they are cheap
constexpr std::uint64_t kGrowth = 16;  // the run grows by 1 / kGrowth to 2 / kGrowth between two

}  // namespace

Checkpoints::Checkpoints(std::uint64_t start)
    : start_(start), next_(start + kFirst), affordable_(start) {}

void Checkpoints::postpone(std::uint64_t now) { next_ = affordable_ = now + kFirst; }

void Checkpoints::taken(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t age = end - std::min(start_, end);
  const std::uint64_t cost = kShare * (end - begin);
  affordable_ = end + cost;
  // Ranks differ by what a checkpoint takes them: most of them round it up to the same.
  const std::uint64_t interval =
      std::bit_ceil(std::max({cost, std::min(age / kGrowth, kLongest), std::uint64_t{1}}));
  next_ = start_ + (age / interval + 1) * interval;
  if (next_ < affordable_) next_ += interval;
}

}  // namespace reprise::record
