#include "record/pending.hpp"

#include <algorithm>
#include <bit>

namespace reprise::record {

void PendingRequests::add(std::uint64_t handle, Receive receive, bool persistent, bool recorded) {
  if (slots_.size() >= 64 && count_ < slots_.size() / 2) compact();
  put({.handle = handle,
       .id = made_++,
       .serial = recorded_,
       .receive = receive,
       .persistent = persistent,
       .recorded = recorded});
  recorded_ += recorded;
}

void PendingRequests::put(const Request& request) {
  const auto slot = static_cast<std::uint32_t>(slots_.size());
  slots_.push_back(request);
  slots_.back().next = kNone;
  slots_.back().last = slot;
  if (slot / 64 >= alive_.size()) {
    alive_.push_back(0);
    counted_.push_back(0);
  }
  const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
  alive_[slot / 64] |= bit;
  if (request.recorded) counted_[slot / 64] |= bit;
  ++count_;
  const std::uint32_t head = oldest_.find(request.handle);
  if (head == FlatMap::kMissing) {
    oldest_.set(request.handle, slot);
  } else {
    slots_[slots_[head].last].next = slot;
    slots_[head].last = slot;
  }
}

PendingRequests::Place PendingRequests::find(std::uint64_t handle) {
  std::uint32_t slot = oldest_.find(handle);
  while (slot != kNone && slots_[slot].claim == claim_) slot = slots_[slot].next;
  if (slot == kNone) return {};
  slots_[slot].claim = claim_;
  return {this, slot, slots_[slot].id};
}

// The table was compacted since the request was found.
PendingRequests::Request* PendingRequests::search(std::uint64_t id) {
  const auto found = std::ranges::lower_bound(slots_, id, {}, &Request::id);
  if (found == slots_.end() || found->id != id) return nullptr;
  return alive(static_cast<std::uint32_t>(found - slots_.begin())) ? &*found : nullptr;
}

std::int64_t PendingRequests::age(const Request& request) const {
  const auto slot = static_cast<std::size_t>(&request - slots_.data());
  const std::size_t word = slot / 64;
  // Shifted twice, since a shift by 64 is undefined.
  std::int64_t younger = std::popcount(counted_[word] >> (slot % 64) >> 1);
  for (std::size_t w = word + 1; w < counted_.size(); ++w) younger += std::popcount(counted_[w]);
  if (given_up_ > 0) {
    for (std::size_t s = slot; s < slots_.size(); ++s) younger += slots_[s].given_up;
  }
  return younger;
}

void PendingRequests::mark_cancel(const Place& place, bool asked) {
  if (Request* request = look(place)) request->cancel = asked;
}

void PendingRequests::give_up(const Place& place) {
  Request* request = look(place);
  if (!request) return;
  if (request->recorded) {
    ++request->given_up;
    ++given_up_;
  }
  remove(place);
}

void PendingRequests::remove(const Place& place) {
  Request* found = look(place);
  if (!found) return;
  Request& gone = *found;
  const auto slot = static_cast<std::uint32_t>(found - slots_.data());
  const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
  alive_[slot / 64] &= ~bit;
  counted_[slot / 64] &= ~bit;
  --count_;
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
  if (gone.given_up > 0) {
    // Those count for what is older; if nothing is, for nobody.
    std::uint32_t older = slot;
    while (older > 0 && !alive(older - 1)) --older;
    if (older > 0) {
      slots_[older - 1].given_up += gone.given_up;
    } else {
      given_up_ -= gone.given_up;
    }
    gone.given_up = 0;
  }
  while (!slots_.empty() && !alive(static_cast<std::uint32_t>(slots_.size() - 1))) {
    slots_.pop_back();
    if (slots_.size() % 64 == 0) {
      alive_.pop_back();
      counted_.pop_back();
    }
  }
}

// Closes the gaps that completed requests left.
void PendingRequests::compact() {
  std::vector<Request> old;
  std::vector<std::uint64_t> old_alive;
  old.swap(slots_);
  old_alive.swap(alive_);
  counted_.clear();
  oldest_ = {};
  count_ = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old_alive[i / 64] >> (i % 64) & 1) put(old[i]);
  }
}

}  // namespace reprise::record
