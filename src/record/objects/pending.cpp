#include "record/objects/pending.hpp"

#include <algorithm>
#include <bit>

namespace reprise::record {

void PendingRequests::add(std::uint64_t handle, const Home& home, Receive receive, bool persistent,
                          bool recorded) {
  if (slots_.size() >= 64 && count_ < slots_.size() / 2) compact();
  put({.handle = handle,
       .home = home,
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
  if (slot / 64 >= alive_.size()) {
    alive_.push_back(0);
    counted_.push_back(0);
  }
  const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
  alive_[slot / 64] |= bit;
  if (request.recorded) counted_[slot / 64] |= bit;
  ++count_;
  if (request.home.address != 0) move_in(slot, request.home);
  if (is_chained_) chain(slot);
}

// Only one request lives at an address: the program has overwritten the handle of any other.
void PendingRequests::move_in(std::uint32_t slot, const Home& home) {
  const std::uint32_t former = at_home_.find(home.address);
  if (former != FlatMap::kMissing) slots_[former].home.address = 0;
  slots_[slot].home = home;
  at_home_.set(home.address, slot);
}

void PendingRequests::move_out(std::uint32_t slot) {
  std::uintptr_t& address = slots_[slot].home.address;
  if (address != 0) at_home_.erase(address);
  address = 0;
}

void PendingRequests::chain(std::uint32_t slot) {
  Request& request = slots_[slot];
  request.previous = youngest_.find(request.handle);
  request.next = kNone;
  if (request.previous == kNone) {
    oldest_.set(request.handle, slot);
  } else {
    slots_[request.previous].next = slot;
  }
  youngest_.set(request.handle, slot);
}

void PendingRequests::unchain(std::uint32_t slot) {
  const Request& gone = slots_[slot];
  if (gone.next != kNone) {
    slots_[gone.next].previous = gone.previous;
  } else if (gone.previous != kNone) {
    youngest_.set(gone.handle, gone.previous);
  } else {
    youngest_.erase(gone.handle);
  }
  if (gone.previous != kNone) {
    slots_[gone.previous].next = gone.next;
  } else if (gone.next != kNone) {
    oldest_.set(gone.handle, gone.next);
  } else {
    oldest_.erase(gone.handle);
  }
}

void PendingRequests::chain_all() {
  is_chained_ = true;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (alive(static_cast<std::uint32_t>(slot))) chain(static_cast<std::uint32_t>(slot));
  }
}

void PendingRequests::begin_lookup() {
  ++claim_;
  reads_ = 0;
  resume_ = kNone;
}

PendingRequests::Place PendingRequests::claim(std::uint32_t slot) {
  slots_[slot].claim = claim_;
  return {this, slot, slots_[slot].id};
}

PendingRequests::Place PendingRequests::find_at(std::uint64_t handle, std::uintptr_t address,
                                                HomeInspector& inspector) {
  const std::uint32_t slot = at_home_.find(address);
  if (slot == FlatMap::kMissing) return {};
  const Request& request = slots_[slot];
  if (request.handle != handle || request.claim == claim_) return {};
  if (request.home.frame.address != 0 && !inspector.is_alive(request.home)) return {};
  return claim(slot);
}

// Whether the program can still find the request where the call that made it put it. What has left
// does not come back.
bool PendingRequests::is_at_home(std::uint32_t slot, HomeInspector& inspector) {
  const Request& request = slots_[slot];
  if (request.home.address == 0) return false;
  const bool is_alive = request.home.frame.address == 0 || inspector.is_alive(request.home);
  if (is_alive && (++reads_ > kMaxReads || inspector.holds(request.home, request.handle)))
    return true;
  move_out(slot);
  return false;
}

PendingRequests::Place PendingRequests::find_moved(std::uint64_t handle, const Home& now,
                                                   HomeInspector& inspector) {
  if (!is_chained_) chain_all();
  const bool resumes = resume_ != kNone && resume_handle_ == handle;
  std::uint32_t first = resumes ? resume_ : oldest_.find(handle);
  while (first != kNone && slots_[first].claim == claim_) first = slots_[first].next;
  resume_handle_ = handle;
  resume_ = first;
  if (first == kNone) return {};
  const auto unclaimed = [this](std::uint32_t slot) {
    while (slot != kNone && slots_[slot].claim == claim_) slot = slots_[slot].next;
    return slot;
  };
  std::uint32_t found = first;
  if (unclaimed(slots_[first].next) != kNone) {
    while (found != kNone && is_at_home(found, inspector)) found = unclaimed(slots_[found].next);
    if (found == kNone) found = first;
  }
  if (now.address != 0) {
    move_out(found);
    move_in(found, now);
  }
  return claim(found);
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

void PendingRequests::mark_started(const Place& place, bool recorded) {
  if (Request* request = look(place)) request->started = recorded;
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
  move_out(slot);
  if (is_chained_) {
    if (resume_ == slot) resume_ = kNone;
    unchain(slot);
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
  at_home_ = {};
  oldest_ = {};
  youngest_ = {};
  resume_ = kNone;
  count_ = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old_alive[i / 64] >> (i % 64) & 1) put(old[i]);
  }
}

}  // namespace reprise::record
