#include "trace/look_ahead.hpp"

#include "trace/special.hpp"

namespace reprise::trace {

std::optional<ReceiveColumns> receive_columns(const Function& f) {
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].name != "source") continue;
    for (std::size_t t = c + 1; t < f.scalars.size(); ++t) {
      if (f.scalars[t].kind == Kind::tag) return ReceiveColumns{c, t};
    }
  }
  return std::nullopt;
}

namespace {

bool is_posted(const Function& f) {
  return (f.traits & traits::kRecv) && (f.traits & (traits::kNonblocking | traits::kPersistent)) &&
         receive_columns(f);
}

bool is_wild(const Event& e) {
  const auto columns = receive_columns(*e.function);
  return columns &&
         (e.scalars[columns->source] == kAnySource || e.scalars[columns->tag] == kAnyTag);
}

Match match_of(std::int64_t source, std::int64_t tag) {
  if (source == kForeign) return {};
  if (source == kNone || source == kCancelled) return {Match::Kind::nobody, 0, 0};
  return {Match::Kind::message, source, tag};
}

}  // namespace

bool LookAhead::is_needed(const Trace& trace) {
  for (const Call& call : trace.calls) {
    const Function& f = function(call.function);
    if (!is_posted(f)) continue;
    const auto columns = receive_columns(f);
    for (const std::size_t c : {columns->source, columns->tag}) {
      const Value& v = call.columns[c];
      if (!v.is_constant() || is_special(v.by_stream.at(0))) return true;
    }
  }
  return false;
}

Match LookAhead::next() {
  while (!at_end_ && (activations_.empty() || !activations_.front().known)) {
    if (activations_.size() >= kMaxAhead || !advance()) break;
  }
  if (activations_.empty()) return {};
  const Activation front = activations_.front();
  activations_.pop_front();
  ++first_;
  if (front.known) return front.match;
  return at_end_ ? Match{Match::Kind::nobody, 0, 0} : Match{};
}

bool LookAhead::advance() {
  const Event* event = calls_->next();
  if (!event) {
    at_end_ = true;
    return false;
  }
  const Event& e = *event;
  const std::uint32_t does = e.function->traits;
  if (does & (traits::kNonblocking | traits::kPersistent)) {
    Request request;
    request.wildcard = is_posted(*e.function) && is_wild(e);
    if (request.wildcard && (does & traits::kNonblocking)) activate(request);
    pending_.add(request, (does & traits::kPersistent) != 0);
  } else if (does & traits::kStart) {
    for (const std::int64_t number : requests_of(e, scratch_)) {
      Request* r = pending_.at(number);
      if (r && r->wildcard) activate(*r);
    }
  } else {
    complete(e);
  }
  return true;
}

void LookAhead::activate(Request& request) {
  request.activation = first_ + activations_.size();
  activations_.push_back({});
}

void LookAhead::settle(Request& request, Match match) {
  if (request.activation == kNotWild) return;
  if (request.activation >= first_) activations_[request.activation - first_] = {true, match};
  request.activation = kNotWild;
}

void LookAhead::complete(const Event& e) {
  const Function& f = *e.function;
  if (!f.ends_requests) return;
  if (f.traits & traits::kFree) {
    pending_.pass(e, [&](Request& r) { settle(r, {}); });
    return;
  }
  // The match of the one request that completed, or those of all wildcard receives in order.
  std::size_t at = 0;
  const std::size_t none = f.scalars.size();
  std::size_t source = none;
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].name == "matched_source") source = c;
  }
  const std::vector<std::int64_t>* sources = nullptr;
  const std::vector<std::int64_t>* tags = nullptr;
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    if (f.lists[l].name == "matched_source") sources = &e.lists[l];
    if (f.lists[l].name == "matched_tag") tags = &e.lists[l];
  }
  pending_.pass(e, [&](Request& r) {
    if (!r.wildcard) return;
    if (source != none) {
      settle(r, match_of(e.scalars[source], e.scalars[source + 1]));
    } else if (sources && tags && at < sources->size() && at < tags->size()) {
      settle(r, match_of((*sources)[at], (*tags)[at]));
      ++at;
    }
  });
}

}  // namespace reprise::trace
