#include "simulate/engine/matcher.hpp"

#include <algorithm>
#include <compare>
#include <tuple>

namespace reprise::simulate {
namespace {

constexpr std::size_t kSmallest = 64;

}  // namespace

// Makes room: empty queues go, and the table doubles if it is still more than half full.
void Matcher::grow() {
  std::size_t busy = 0;
  for (const Queue& q : table_) busy += q.is_used && q.first != kNone;
  std::size_t size = std::max(kSmallest, table_.size());
  while (4 * (busy + 1) > size) size *= 2;
  std::vector<Queue> old(size);
  old.swap(table_);
  used_ = busy;
  for (const Queue& q : old) {
    if (!q.is_used || q.first == kNone) continue;
    std::size_t at = q.channel.hash() & (size - 1);
    while (table_[at].is_used) at = (at + 1) & (size - 1);
    table_[at] = q;
  }
}

const Matcher::Queue* Matcher::find(const Channel& channel) const {
  if (table_.empty()) return nullptr;
  const std::size_t mask = table_.size() - 1;
  std::size_t at = channel.hash() & mask;
  while (table_[at].is_used && !(table_[at].channel == channel)) at = (at + 1) & mask;
  return table_[at].is_used ? &table_[at] : nullptr;
}

bool Matcher::remove(Queue& q, std::uint32_t id) {
  std::uint32_t before = kNone;
  for (std::uint32_t e = q.first; e != kNone; before = e, e = entries_[e].next) {
    if (entries_[e].id != id) continue;
    if (before == kNone) return pop(q), true;
    entries_[before].next = entries_[e].next;
    if (q.last == e) q.last = before;
    if (q.holds_messages && has_wildcards_)
      boxes_[box_key(q.channel)].messages.erase(entries_[e].order);
    entries_[e].next = free_;
    free_ = e;
    --waiting_;
    return true;
  }
  return false;
}

std::uint32_t Matcher::arrive_at_wild(const Channel& channel, std::uint64_t order) {
  const auto box = boxes_.find(box_key(channel));
  if (box == boxes_.end()) return kNone;
  auto& wild = box->second.receives;
  const auto found =
      std::ranges::find_if(wild, [&](const WildReceive& w) { return w.channel.accepts(channel); });
  if (found == wild.end() || found->order > order) return kNone;
  const std::uint32_t receive = found->id;
  wild.erase(found);
  --waiting_;
  return receive;
}

std::uint32_t Matcher::post_wild(const Channel& channel, std::uint32_t receive) {
  Box& box = boxes_[box_key(channel)];
  for (const auto& [order, waiting] : box.messages) {
    if (channel.accepts(waiting.first)) return pop(queue(waiting.first));
  }
  box.receives.push_back({channel, receive, order_++});
  ++waiting_;
  return kNone;
}

std::uint32_t Matcher::peek(const Channel& channel) const {
  if (channel.is_wild()) {
    const auto box = boxes_.find(box_key(channel));
    if (box == boxes_.end()) return kNone;
    for (const auto& [order, waiting] : box->second.messages) {
      if (channel.accepts(waiting.first)) return waiting.second;
    }
    return kNone;
  }
  const Queue* q = find(channel);
  return q && q->first != kNone && q->holds_messages ? entries_[q->first].id : kNone;
}

bool Matcher::withdraw_receive(const Channel& channel, std::uint32_t receive) {
  if (channel.is_wild()) {
    auto& wild = boxes_[box_key(channel)].receives;
    const auto found =
        std::ranges::find_if(wild, [&](const WildReceive& w) { return w.id == receive; });
    if (found == wild.end()) return false;
    wild.erase(found);
    --waiting_;
    return true;
  }
  Queue& q = queue(channel);
  return q.first != kNone && !q.holds_messages && remove(q, receive);
}

bool Matcher::withdraw_message(const Channel& channel, std::uint32_t message) {
  Queue& q = queue(channel);
  return q.first != kNone && q.holds_messages && remove(q, message);
}

std::vector<Matcher::Waiting> Matcher::all() const {
  std::vector<std::pair<std::uint64_t, Waiting>> ordered;
  for (const Queue& q : table_) {
    if (!q.is_used) continue;
    std::uint64_t nth = 0;
    for (std::uint32_t e = q.first; e != kNone; e = entries_[e].next)
      ordered.push_back({nth++, {q.channel, entries_[e].id, q.holds_messages}});
  }
  for (const auto& [key, box] : boxes_) {
    for (const WildReceive& w : box.receives)
      ordered.push_back({w.order, {w.channel, w.id, false}});
  }
  std::ranges::sort(ordered, [](const auto& a, const auto& b) {
    return std::tie(a.second.channel, a.first) < std::tie(b.second.channel, b.first);
  });
  std::vector<Waiting> out;
  out.reserve(ordered.size());
  for (const auto& [nth, waiting] : ordered) out.push_back(waiting);
  return out;
}

}  // namespace reprise::simulate
