// The share of each call site in the critical path to a moment.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulate/machine/units.hpp"

namespace reprise::simulate {

// The share of one call site in the critical path [ps].
struct PathShare {
  Picoseconds compute = 0;   // before it
  Picoseconds latency = 0;   // of messages
  Picoseconds transfer = 0;  // their bytes, and overheads

  auto operator<=>(const PathShare&) const = default;

  Picoseconds total() const { return compute + latency + transfer; }
  PathShare& operator+=(const PathShare& other) {
    compute += other.compute;
    latency += other.latency;
    transfer += other.transfer;
    return *this;
  }
  PathShare operator-(const PathShare& other) const {
    return {compute - other.compute, latency - other.latency, transfer - other.transfer};
  }
  // Adds `times` what was gained since `before`.
  void extrapolate(const PathShare& before, std::int64_t times) {
    compute += times * (compute - before.compute);
    latency += times * (latency - before.latency);
    transfer += times * (transfer - before.transfer);
  }
};

// Shares by call, of which copies cost nothing: they have groups of blocks of calls in common until
// one of them adds to one. Cost of adding to a copy: a block, and pointers to the blocks of its
// group and to all groups, which are calls / 512.
class PathShares {
 public:
  // One of this copy alone. The reference holds until the next one is asked for.
  PathShare& own(std::uint32_t call) {
    Block& block = at(at(unshared(groups_), call / kBlock / kGroup), call / kBlock % kGroup);
    return block[call % kBlock];
  }

  // By call; what lies behind the end is zero.
  std::vector<PathShare> all() const {
    std::vector<PathShare> out;
    for (std::size_t b = 0; b < blocks(); ++b) {
      out.insert(out.end(), block(b).begin(), block(b).end());
    }
    return out;
  }

  // Calls visit(call, its own share, that of the other) where they differ.
  template <class Visit>
  void for_each_difference(const PathShares& other, Visit visit) const {
    for (std::size_t b = difference(other, 0); b != kNone; b = difference(other, b + 1)) {
      const Block &mine = block(b), &its = other.block(b);
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        if (mine[i] != its[i]) visit(b * kBlock + i, mine[i], its[i]);
      }
    }
  }

  // Orders by what is spent at the first call whose shares differ.
  bool operator<(const PathShares& other) const {
    for (std::size_t b = difference(other, 0); b != kNone; b = difference(other, b + 1)) {
      const Block &mine = block(b), &its = other.block(b);
      if (mine != its) return mine < its;
    }
    return false;
  }

  // Whether one gained at each call since `before` what another did since `its_before`.
  static bool gains_alike(const PathShares& before, const PathShares& now,
                          const PathShares& its_before, const PathShares& its_now) {
    const auto next = [&](std::size_t b) {
      return std::min(now.difference(before, b), its_now.difference(its_before, b));
    };
    for (std::size_t b = next(0); b != kNone; b = next(b + 1)) {
      const Block &then = before.block(b), &mine = now.block(b);
      const Block &its_then = its_before.block(b), &its = its_now.block(b);
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        if (mine[i] - then[i] != its[i] - its_then[i]) return false;
      }
    }
    return true;
  }

  // Adds `times` what was gained since `before`.
  void extrapolate(const PathShares& before, std::int64_t times) {
    const PathShares now = *this;
    for (std::size_t b = now.difference(before, 0); b != kNone; b = now.difference(before, b + 1)) {
      const Block &mine = now.block(b), &then = before.block(b);
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        if (mine[i] == then[i]) continue;
        own(static_cast<std::uint32_t>(b * kBlock + i)).extrapolate(then[i], times);
      }
    }
  }

 private:
  static constexpr std::uint32_t kBlock = 16;  // calls
  static constexpr std::uint32_t kGroup = 32;  // blocks
  static constexpr std::size_t kNone = ~std::size_t{0};
  using Block = std::array<PathShare, kBlock>;
  using Group = std::vector<std::shared_ptr<Block>>;
  using Groups = std::vector<std::shared_ptr<Group>>;

  template <class T>
  static T& unshared(std::shared_ptr<T>& part) {
    if (!part) {
      part = std::make_shared<T>();
    } else if (part.use_count() > 1) {
      part = std::make_shared<T>(*part);
    }
    return *part;
  }
  template <class T>
  static T& at(std::vector<std::shared_ptr<T>>& parts, std::size_t index) {
    if (parts.size() <= index) parts.resize(index + 1);
    return unshared(parts[index]);
  }

  std::size_t blocks() const { return groups_ ? groups_->size() * kGroup : 0; }
  // Null: all zero.
  const Group* group(std::size_t g) const {
    return groups_ && g < groups_->size() ? (*groups_)[g].get() : nullptr;
  }
  const Block& block(std::size_t b) const {
    static const Block kNothing{};
    const Group* its = group(b / kGroup);
    const std::size_t index = b % kGroup;
    return its && index < its->size() && (*its)[index] ? *(*its)[index] : kNothing;
  }
  // The first block from `b` on that is not in common; kNone if there is none.
  std::size_t difference(const PathShares& other, std::size_t b) const {
    const std::size_t end = std::max(blocks(), other.blocks());
    if (groups_ == other.groups_) return kNone;
    while (b < end) {
      if (group(b / kGroup) == other.group(b / kGroup)) {
        b += kGroup - b % kGroup;
      } else if (&block(b) == &other.block(b)) {
        ++b;
      } else {
        return b;
      }
    }
    return kNone;
  }

  std::shared_ptr<Groups> groups_;  // null: all zero
};

}  // namespace reprise::simulate
