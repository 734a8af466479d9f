#include "mpi/requests/look_ahead.hpp"

#include "mpi/requests/matching.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Call;
using trace::Event;
using trace::Function;
using trace::Trace;
using trace::Value;
namespace traits = trace::traits;

namespace {

bool is_posted(const Function& f) {
  return (f.traits & traits::kRecv) && (f.traits & (traits::kNonblocking | traits::kPersistent)) &&
         receive_columns(f);
}

bool is_wild(const Event& e) {
  const auto columns = receive_columns(*e.function);
  return columns && mpi::is_wild(e, *columns);
}

Match match_of(MatchedMessage m) {
  if (m.source == trace::kForeign) return {};
  if (m.source == trace::kNone || m.source == trace::kCancelled) return {Match::Kind::nobody, 0, 0};
  return {Match::Kind::message, m.source, m.tag};
}

}  // namespace

bool LookAhead::is_needed(const Trace& trace) {
  for (const Call& call : trace.calls) {
    const Function& f = trace::function(call.function);
    if (!is_posted(f)) continue;
    const auto columns = receive_columns(f);
    for (const std::size_t c : {columns->source, columns->tag}) {
      const Value& v = call.columns[c];
      if (!v.is_constant() || trace::is_special(v.by_stream.at(0))) return true;
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
  Matches matches(e);
  pending_.pass(e, [&](Request& r) {
    if (r.wildcard && matches.has_next()) settle(r, match_of(matches.next()));
  });
}

}  // namespace reprise::mpi
