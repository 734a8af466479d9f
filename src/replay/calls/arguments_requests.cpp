// Requests, matched messages, and matches of wildcards.
#include "replay/calls/arguments.hpp"

#include <algorithm>
#include <utility>

#include "trace/values/special.hpp"

namespace reprise::replay {

Match Arguments::look_ahead() {
  if (process_.options.matching == Matching::free) return {};
  if (!ahead_) {
    const std::uint64_t threads = process_.trace.threads;
    ahead_ =
        std::make_unique<LookAhead>(process_.recording.calls(stream_ / threads, stream_ % threads));
  }
  return ahead_->next();
}

void Arguments::match(int source_c, int tag_c, int matched_source, int matched_tag, int& source,
                      int& tag) {
  source = rank(source_c);
  tag = Arguments::tag(tag_c);
  wildcard_ = scalar(source_c) == trace::kAnySource || scalar(tag_c) == trace::kAnyTag;
  if (!wildcard_ || process_.options.matching == Matching::free) return;
  if (matched_source != kAhead) {
    if (scalar(matched_source) == trace::kNone || scalar(matched_source) == trace::kCancelled)
      return;
    steer_match({Match::Kind::message, scalar(matched_source), scalar(matched_tag)}, source);
  } else if (event_->function->traits & trace::traits::kNonblocking) {
    steer_match(look_ahead(), source);
  }
}

// A receive that never matched gets a tag that nobody sends, so that it takes no message from
// others.
void Arguments::steer_match(const Match& match, int source) {
  if (match.kind == Match::Kind::unknown) return;
  const bool nobody = match.kind == Match::Kind::nobody;
  steering_->match = true;
  steering_->source = nobody ? source : rank_of(match.source);
  steering_->tag = nobody ? kUnusedTag : tag_of(match.tag);
}

// The oldest message of that size: traces do not say which of several is meant.
MPI_Message Arguments::message(int c, std::int64_t count, MPI_Datatype type) {
  if (scalar(c) == trace::kNull || messages_.empty()) return MPI_MESSAGE_NULL;
  const std::int64_t bytes = room(count, type).bytes;
  auto found = std::ranges::find_if(messages_, [&](const Message& m) { return m.bytes == bytes; });
  if (found == messages_.end())
    found = std::ranges::find_if(messages_, [&](const Message& m) { return m.bytes <= bytes; });
  if (found == messages_.end()) found = messages_.begin();
  const MPI_Message handle = found->handle;
  messages_.erase(found);
  return handle;
}

void Arguments::new_message(int, MPI_Message message, const MPI_Status& status) {
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  messages_.push_back({message, bytes});
}

MPI_Request Arguments::request_of(std::int64_t number) {
  Request* request = pending_.at(number);
  named_.push_back(request);
  if (request) {
    if (event_->function->traits & trace::traits::kStart) {
      totals_.bytes += request->bytes;
      if (request->wildcard) start_wild(*request);
    }
    return request->handle;
  }
  if (number == trace::kNull) return MPI_REQUEST_NULL;
  give_up(process_, "the trace is damaged (" + std::string(event_->function->name) +
                        " uses a request that nothing has made); record it again");
}

void Arguments::start_wild(Request& request) {
  const Match match = look_ahead();
  if (match.kind == Match::Kind::unknown) return;
  const bool nobody = match.kind == Match::Kind::nobody;
  reprise_steer_start(request.handle, nobody ? MPI_ANY_SOURCE : rank_of(match.source),
                      nobody ? kUnusedTag : tag_of(match.tag));
}

MPI_Request* Arguments::request(int c) {
  handles_.push_back(request_of(scalar(c)));
  return handles_.data();
}

MPI_Request* Arguments::requests(int l, int chosen) {
  for (const std::int64_t number : list(l)) handles_.push_back(request_of(number));
  indices_.resize(handles_.size());
  if (chosen < 0) return handles_.data();
  const std::int64_t index = chosen_ = scalar(chosen);
  if (process_.options.matching == Matching::free) return handles_.data();
  if (index < 0 || index >= std::ssize(handles_)) return handles_.data();
  steering_->choose = true;
  steering_->index = static_cast<int>(index);
  return handles_.data();
}

int* Arguments::indices() { return indices_.data(); }

// If another request completed than recorded, it takes over the handle of the recorded one.
void Arguments::keep_requests() {
  const bool free = process_.options.matching == Matching::free;
  for (std::size_t i = 0; i < handles_.size(); ++i) {
    if (named_[i] && (free || handles_[i] != MPI_REQUEST_NULL)) named_[i]->handle = handles_[i];
  }
  if (!free || chosen_ < 0 || chosen_ >= std::ssize(handles_)) return;
  const MPI_Request left = handles_[static_cast<std::size_t>(chosen_)];
  for (std::size_t i = 0; left != MPI_REQUEST_NULL && i < handles_.size(); ++i) {
    if (!named_[i] || handles_[i] != MPI_REQUEST_NULL) continue;
    named_[i]->handle = left;
    return;
  }
}

void Arguments::new_request(MPI_Request request, bool persistent) {
  Request made{request, wildcard_, nullptr, std::exchange(bytes_, 0)};
  if (!lists_->empty()) {
    made.lists = std::move(lists_);
    lists_ = std::make_unique<Lists>();
  }
  pending_.add(std::move(made), persistent);
}

}  // namespace reprise::replay
