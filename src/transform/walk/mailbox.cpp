#include "transform/walk/mailbox.hpp"

#include <algorithm>

#include "trace/values/special.hpp"

namespace reprise::transform {

const EnvelopeQueues::Entry* EnvelopeQueues::front(Envelope envelope) const {
  const auto found = queues_.find(envelope);
  return found == queues_.end() ? nullptr : &found->second.front();
}

std::optional<EnvelopeQueues::Found> EnvelopeQueues::oldest_for(Envelope receive) const {
  const bool any_source = receive.source == trace::kAnySource;
  const bool any_tag = receive.tag == trace::kAnyTag;
  std::optional<Found> best;
  if (!any_source && !any_tag) {
    if (const Entry* e = front(receive)) best = Found{receive, *e};
    return best;
  }
  for (const auto& [envelope, queue] : queues_) {
    if (!any_source && envelope.source != receive.source) continue;
    if (!any_tag && envelope.tag != receive.tag) continue;
    if (!best || queue.front().order < best->entry.order) best = Found{envelope, queue.front()};
  }
  return best;
}

void EnvelopeQueues::pop(Envelope envelope) {
  const auto found = queues_.find(envelope);
  found->second.pop_front();
  if (found->second.empty()) queues_.erase(found);
}

void EnvelopeQueues::remove(Envelope envelope, std::uint32_t operation) {
  const auto found = queues_.find(envelope);
  if (found == queues_.end()) return;
  std::erase_if(found->second, [&](const Entry& e) { return e.operation == operation; });
  if (found->second.empty()) queues_.erase(found);
}

std::optional<EnvelopeQueues::Found> Mailbox::receive_for(Envelope message) const {
  std::optional<EnvelopeQueues::Found> best;
  for (const std::int64_t source : {message.source, trace::kAnySource}) {
    for (const std::int64_t tag : {message.tag, trace::kAnyTag}) {
      const Envelope envelope{source, tag};
      const EnvelopeQueues::Entry* e = receives.front(envelope);
      if (e != nullptr && (!best || e->order < best->entry.order)) best = {envelope, *e};
    }
  }
  return best;
}

}  // namespace reprise::transform
