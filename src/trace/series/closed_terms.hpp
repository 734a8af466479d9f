// The closed terms of a series that is being folded, and where to look for a repeat of the last.
//
// Memory: 20 bytes for each of the last terms of a single value; older ones are packed in blocks,
// and then take little more than in the file. Cost: O(1) per term and flat however many there are:
// a table of a fixed size, which stays in the cache, knows the contexts (the last 1, 8 or 64 terms)
// that stood lately, and finds short periods at once; a table of every 16th context of 64 terms,
// chosen by its hash and so the same in every pass, finds long ones a few terms later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/series/series.hpp"

namespace reprise::trace {

// Where a hash was seen last. Direct-mapped: what is new displaces what is old.
class PlaceTable {
 public:
  struct Slots {
    std::size_t most;       // a power of two
    std::size_t per_place;  // at least, until there are as many as that
  };
  explicit PlaceTable(Slots slots) : wanted_(slots) {}

  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  std::uint32_t find(std::uint64_t hash) const;
  void set(std::uint64_t hash, std::uint32_t place);

 private:
  struct Slot {
    std::uint32_t tag = 0;  // of the hash
    std::uint32_t place = kNowhere;
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }

  Slots wanted_;
  std::size_t taken_ = 0;
  std::vector<Slot> slots_;
};

class ClosedTerms {
 public:
  std::size_t size() const { return packed() + firsts_.size(); }
  // The first value of a term.
  std::int64_t first(std::size_t i) const {
    return i < packed() ? unpacked(i).firsts[i % kBlock] : firsts_[i - packed()];
  }
  // The term is more than a single value, or than two.
  bool is_large(std::size_t i) const;

  void push(Term term);
  // Takes away the terms from index `begin` on.
  std::vector<Term> take(std::size_t begin);

  // Calls `accept` with the distances at which the last term may repeat, shortest contexts first,
  // until it returns true. If it never does, the last term is remembered.
  template <class Accept>
  bool any_period(Accept&& accept);

  // Whether the last `passes` windows of `period` terms are one body, moved by a constant step.
  bool windows_match(std::size_t period, std::size_t passes) const;
  // Whether term b is term a, moved by `shift`.
  bool same_moved(std::size_t a, std::size_t b, std::int64_t shift) const;

 private:
  // What is not a single value.
  struct Rich {
    Term term;
    std::uint64_t shape;  // hash of all but its position
  };

  static constexpr std::size_t kContexts[] = {1, 8, 64};
  static constexpr std::size_t kRecent = 1 << 13;  // slots
  static constexpr std::size_t kBlock = 64;        // terms that are packed together
  static constexpr std::size_t kLoose = 1 << 10;   // terms that are packed at a time; as many stay
  static constexpr std::size_t kPage = 1 << 16;    // of packed blocks [bytes]

  // What is kept of a block, as it was before it was packed.
  struct Unpacked {
    std::size_t block = ~std::size_t{0};
    std::int64_t firsts[kBlock];
    std::uint64_t prefixes[kBlock];
    std::uint32_t rich_of[kBlock];
  };

  static bool is_sampled(std::size_t context, std::uint64_t hash) {
    return context == 64 && hash >> 60 == 0;
  }

  std::size_t packed() const { return kBlock * blocks_.size(); }
  std::uint64_t prefix(std::size_t i) const {
    return i < packed() ? unpacked(i).prefixes[i % kBlock] : prefixes_[i - packed()];
  }
  // Index into rich_ + 1, or 0 for a single value.
  std::uint32_t rich_of(std::size_t i) const {
    return i < packed() ? unpacked(i).rich_of[i % kBlock] : rich_of_[i - packed()];
  }
  std::uint64_t shape(std::size_t i) const { return shape_of(rich_of(i)); }
  std::uint64_t shape_of(std::uint32_t rich) const;
  const Unpacked& unpacked(std::size_t i) const;
  void unpack(Unpacked& to) const;
  void pack();
  void pack_block(std::size_t loose);
  void cut(std::size_t begin);
  bool hashes_match(std::size_t first, std::size_t second, std::size_t length) const;
  std::uint64_t window_hash(std::size_t end, std::size_t length) const;
  std::uint64_t context_hash(std::size_t context) const;

  // The first terms, packed: where each block begins, as page * kPage + offset.
  std::vector<std::uint32_t> blocks_;
  std::vector<std::vector<std::uint8_t>> pages_;
  // Two that were used lately, since windows are compared in pairs; none before the first use.
  mutable std::vector<Unpacked> unpacked_;
  mutable std::size_t newest_ = 0;  // of these

  // The terms behind those.
  std::vector<std::int64_t> firsts_;
  // Polynomial hash, over all terms up to this one, of shape and distance from the term before.
  std::vector<std::uint64_t> prefixes_;
  std::vector<std::uint32_t> rich_of_;
  std::vector<Rich> rich_;  // in the order of their terms
  PlaceTable recent_{{.most = kRecent, .per_place = 4}};
  PlaceTable sampled_{{.most = std::size_t{1} << 31, .per_place = 2}};
};

template <class Accept>
bool ClosedTerms::any_period(Accept&& accept) {
  const std::size_t last = size() - 1;
  for (const std::size_t context : kContexts) {
    if (last + 1 < context) break;
    const std::uint64_t hash = context_hash(context);
    std::uint32_t place = recent_.find(hash);
    // A fold takes terms away, and leaves their places behind.
    if (place >= last && is_sampled(context, hash)) place = sampled_.find(hash);
    if (place < last && accept(last - place)) return true;
  }
  for (const std::size_t context : kContexts) {
    if (last + 1 < context) break;
    const std::uint64_t hash = context_hash(context);
    recent_.set(hash, static_cast<std::uint32_t>(last));
    if (is_sampled(context, hash)) sampled_.set(hash, static_cast<std::uint32_t>(last));
  }
  return false;
}

}  // namespace reprise::trace
