// What each call site has on the critical path to a moment.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulate/units.hpp"

namespace reprise::simulate {

// What one call site has on the critical path [ps].
struct PathShare {
  Picoseconds compute = 0, transfer = 0;

  auto operator<=>(const PathShare&) const = default;

  Picoseconds total() const { return compute + transfer; }
};

// Shares by call, of which copies cost nothing: they have blocks of calls in common until one of
// them adds to one. Cost of adding to a copy: a block, and calls / 64 pointers.
class PathShares {
 public:
  // One of this copy alone. The reference holds until the next one is asked for.
  PathShare& own(std::uint32_t call) {
    const std::size_t block = call / kBlock;
    if (!blocks_) {
      blocks_ = std::make_shared<Blocks>();
    } else if (blocks_.use_count() > 1) {
      blocks_ = std::make_shared<Blocks>(*blocks_);
    }
    if (blocks_->size() <= block) blocks_->resize(block + 1);
    std::shared_ptr<Block>& its = (*blocks_)[block];
    if (!its) {
      its = std::make_shared<Block>();
    } else if (its.use_count() > 1) {
      its = std::make_shared<Block>(*its);
    }
    return (*its)[call % kBlock];
  }

  // By call; what lies behind the end is zero.
  std::vector<PathShare> all() const {
    std::vector<PathShare> out;
    for (std::size_t b = 0; b < blocks(); ++b) {
      out.insert(out.end(), block(b).begin(), block(b).end());
    }
    return out;
  }

  // Orders by what is spent at the first call whose shares differ.
  bool operator<(const PathShares& other) const {
    if (blocks_ == other.blocks_) return false;
    for (std::size_t b = 0; b < std::max(blocks(), other.blocks()); ++b) {
      const Block &mine = block(b), &its = other.block(b);
      if (&mine != &its && mine != its) return mine < its;
    }
    return false;
  }

  // Adds `times` what was gained since `before`.
  void extrapolate(const PathShares& before, std::int64_t times) {
    for (std::size_t b = 0; b < std::max(blocks(), before.blocks()); ++b) {
      const Block then = before.block(b), now = block(b);
      for (std::uint32_t i = 0; i < kBlock; ++i) {
        if (now[i] == then[i]) continue;
        PathShare& share = own(static_cast<std::uint32_t>(b * kBlock + i));
        share.compute += times * (now[i].compute - then[i].compute);
        share.transfer += times * (now[i].transfer - then[i].transfer);
      }
    }
  }

 private:
  static constexpr std::uint32_t kBlock = 64;  // calls
  using Block = std::array<PathShare, kBlock>;
  using Blocks = std::vector<std::shared_ptr<Block>>;

  std::size_t blocks() const { return blocks_ ? blocks_->size() : 0; }
  const Block& block(std::size_t b) const {
    static const Block kNothing{};
    return b < blocks() && (*blocks_)[b] ? *(*blocks_)[b] : kNothing;
  }

  std::shared_ptr<Blocks> blocks_;  // null: all zero
};

}  // namespace reprise::simulate
