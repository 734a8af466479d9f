#include "record/pending.hpp"

#include <bit>

namespace reprise::record {

void PendingRequests::add(std::uint64_t handle, bool wildcard, bool persistent) {
  if (slots_.size() >= 64 && count_ < slots_.size() / 2) compact();
  const auto slot = static_cast<std::uint32_t>(slots_.size());
  slots_.push_back({handle, wildcard, persistent, 0, kNone, slot});
  if (slot / 64 >= alive_.size()) alive_.push_back(0);
  alive_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  ++count_;
  wildcards_ += wildcard;
  const std::uint32_t head = oldest_.find(handle);
  if (head == FlatMap::kMissing) {
    oldest_.set(handle, slot);
  } else {
    slots_[slots_[head].last].next = slot;
    slots_[head].last = slot;
  }
}

std::uint32_t PendingRequests::find(std::uint64_t handle) {
  std::uint32_t slot = oldest_.find(handle);
  while (slot != kNone && slots_[slot].claim == claim_) slot = slots_[slot].next;
  if (slot != kNone) slots_[slot].claim = claim_;
  return slot;
}

std::int64_t PendingRequests::age(std::uint32_t slot) const {
  const std::size_t word = slot / 64;
  // Shifted twice, since a shift by 64 is undefined.
  std::int64_t younger = std::popcount(alive_[word] >> (slot % 64) >> 1);
  for (std::size_t w = word + 1; w < alive_.size(); ++w) younger += std::popcount(alive_[w]);
  return younger;
}

void PendingRequests::remove(std::uint32_t slot) {
  if (!alive(slot)) return;
  alive_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  --count_;
  Request& gone = slots_[slot];
  wildcards_ -= gone.wildcard;
  const std::uint32_t head = oldest_.find(gone.handle);
  if (head == slot) {
    if (gone.next == kNone) {
      oldest_.erase(gone.handle);
    } else {
      slots_[gone.next].last = gone.last;
      oldest_.set(gone.handle, gone.next);
    }
  } else {
    std::uint32_t before = head;
    while (slots_[before].next != slot) before = slots_[before].next;
    slots_[before].next = gone.next;
    if (slots_[head].last == slot) slots_[head].last = before;
  }
  while (!slots_.empty() && !alive(static_cast<std::uint32_t>(slots_.size() - 1))) {
    slots_.pop_back();
    if (slots_.size() % 64 == 0) alive_.pop_back();
  }
}

// Closes the gaps that completed requests left.
void PendingRequests::compact() {
  std::vector<Request> old;
  std::vector<std::uint64_t> old_alive;
  old.swap(slots_);
  old_alive.swap(alive_);
  oldest_ = {};
  count_ = wildcards_ = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old_alive[i / 64] >> (i % 64) & 1) add(old[i].handle, old[i].wildcard, old[i].persistent);
  }
}

}  // namespace reprise::record
