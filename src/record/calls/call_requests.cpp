// Calls that complete requests: which ones they are about, and what became of them.
#include <algorithm>

#include "record/calls/call.hpp"
#include "trace/calls/requests.hpp"

namespace reprise::record {

using trace::kForeign;
using trace::kNone;
using trace::kNull;
using Place = PendingRequests::Place;
using Request = PendingRequests::Request;

// A request that the trace knows.
const Request* Call::recorded(const Place& place) {
  const Request* request = place.table ? place.table->at(place) : nullptr;
  return request && request->recorded ? request : nullptr;
}

std::int64_t Call::name_of(const Place& place, const Request* request) {
  if (!request) return kForeign;
  if (place.table == &stream_->requests) return place.table->age(*request);
  const int thread = place.table->thread();
  if (thread >= trace::kMaxRequestThreads) return kForeign;
  return trace::encode_request({thread, static_cast<std::int64_t>(request->serial)});
}

// The variable of the program in which it keeps one of the handles that it passed.
Home Call::home(const MPI_Request* requests, std::int64_t index) const {
  return home_of(requests, index, stream_->depth == 1);
}

PendingRequests::Place Call::find_at(MPI_Request request, const Home& now) {
  ProgramMemory memory(&stream_->callpaths);
  const Place place = stream_->requests.find_at(handle_bits(request), now.address, memory);
  if (place.table || session_->threads() == 1) return place;
  if (!std::exchange(elsewhere_, true)) session_->begin_lookup_elsewhere(*stream_);
  return session_->find_elsewhere(handle_bits(request), now, *stream_, false);
}

PendingRequests::Place Call::find_moved(MPI_Request request, Home now) {
  now.frame = stream_->callpaths.frame_of(now.address);
  ProgramMemory memory(&stream_->callpaths);
  const Place place = stream_->requests.find_moved(handle_bits(request), now, memory);
  if (place.table || session_->threads() == 1) return place;
  if (!std::exchange(elsewhere_, true)) session_->begin_lookup_elsewhere(*stream_);
  return session_->find_elsewhere(handle_bits(request), now, *stream_, true);
}

std::int64_t Call::name_found(const Place& place) {
  if (!place.table) return known(kForeign, "handles of unknown requests");
  const Request* known = recorded(place);
  watched_ = watched_ || (known && known->watched());
  return name_of(place, known);
}

void Call::wait_request(const MPI_Request* request) {
  stream_->requests.begin_lookup();
  Place& place = frame_->waited.emplace_back();
  if (*request == MPI_REQUEST_NULL) return put(kNull);
  const Home now = home(request, 0);
  place = find_at(*request, now);
  if (!place.table) place = find_moved(*request, now);
  put(name_found(place));
}

// The handle alone, not where it is kept.
void Call::peek_request(MPI_Request request) {
  stream_->requests.begin_lookup();
  Place& place = frame_->waited.emplace_back();
  if (request == MPI_REQUEST_NULL) return put(kNull);
  place = find_moved(request, {});
  put(name_found(place));
}

// Requests whose handles are where they were put come first: what is left was copied.
void Call::wait_requests(const MPI_Request* requests, std::int64_t n) {
  stream_->requests.begin_lookup();
  put_list_length(n);
  const std::size_t first = frame_->record.size();
  bool all = true;
  for (std::int64_t i = 0; i < n; ++i) {
    Place& place = frame_->waited.emplace_back();
    if (requests[i] == MPI_REQUEST_NULL) {
      add(kNull);
      continue;
    }
    place = find_at(requests[i], home(requests, i));
    all = all && place.table;
    add(place.table ? name_found(place) : kForeign);
  }
  for (std::int64_t i = 0; i < n && !all; ++i) {
    const auto index = static_cast<std::size_t>(i);
    Place& place = frame_->waited[index];
    if (requests[i] == MPI_REQUEST_NULL || place.table) continue;
    place = find_moved(requests[i], home(requests, i));
    frame_->record[first + index] = name_found(place);
  }
}

MPI_Status* Call::status(MPI_Status* wanted) {
  return wanted == MPI_STATUS_IGNORE ? &own_status_ : wanted;
}

MPI_Status* Call::statuses(MPI_Status* wanted) {
  if (wanted != MPI_STATUSES_IGNORE || !watched_) return wanted;
  frame_->statuses.resize(std::max<std::size_t>(1, frame_->waited.size()));
  return frame_->statuses.data();
}

// The one place where what an implementation says becomes what the trace says. An empty status, as
// of an inactive request, has the wildcards.
Call::Match Call::met(const MPI_Status& status) {
  Match m{status.MPI_SOURCE, status.MPI_TAG};
  if (status.MPI_SOURCE == MPI_PROC_NULL) m.source = trace::kProcNull;
  if (status.MPI_SOURCE == MPI_ANY_SOURCE) m.source = trace::kAnySource;
  if (status.MPI_TAG == MPI_ANY_TAG) m.tag = trace::kAnyTag;
  return m;
}

Call::Match Call::match(const Request* request, const MPI_Status* status) {
  if (!request || !status) return {};
  if (request->cancel) {
    int cancelled = 0;
    PMPI_Test_cancelled(status, &cancelled);
    if (cancelled) return {trace::kCancelled, kNone};
  }
  if (!request->receive.wildcard) return {};
  if (request->receive.untold) return {kForeign, kForeign};
  // MPICH leaves the status as it is.
  if (request->receive.nobody) return {trace::kProcNull, trace::kAnyTag};
  return met(*status);
}

void Call::put_match(const Match& match) {
  put(match.source);
  put(match.tag);
}

void Call::put_matches(const std::vector<Match>& matches) {
  put_list_length(std::ssize(matches));
  for (const Match& m : matches) add(m.source);
  put_list_length(std::ssize(matches));
  for (const Match& m : matches) add(m.tag);
}

void Call::matched(const MPI_Status* status) {
  put_match(receive_.wildcard ? met(*status) : Match{});
}

void Call::retire(const Place& place) {
  const Request* request = place.table ? place.table->at(place) : nullptr;
  if (!request) return;
  if (request->persistent) {
    ended_ = ended_ || (request->recorded && request->started);
    place.table->mark_started(place, false);
    return place.table->mark_cancel(place, false);
  }
  ended_ = ended_ || request->recorded;
  if (place.table == &stream_->requests) {
    place.table->remove(place);
  } else {
    place.table->give_up(place);
  }
}

void Call::completed_slot(std::size_t index, const MPI_Status* status, bool done) {
  const Place place = index < frame_->waited.size() ? frame_->waited[index] : Place{};
  put_match(match(recorded(place), status));
  if (done) retire(place);
}

void Call::completed_any(int index, const MPI_Status* status) {
  put(index == MPI_UNDEFINED ? trace::kUndefined : index);
  if (index == MPI_UNDEFINED) return no_value(2);
  completed_slot(static_cast<std::size_t>(index), status, true);
}

// One call for each completion, all but the last committed here; the requests that are done are
// null in the calls that follow.
void Call::completed_some(int count, const int* indices, const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return completed_any(MPI_UNDEFINED, nullptr);
  for (int i = 0; i < count; ++i) {
    scalar_ = scalars_ - 3;
    const MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i];
    completed_any(indices[i], status);
    if (i + 1 == count) return;
    commit();
    forget_completed(static_cast<std::size_t>(indices[i]));
  }
}

// Names the requests anew for a further call, in which one of them is null.
void Call::forget_completed(std::size_t index) {
  const std::size_t first = scalars_ + 1;  // of the list of requests
  frame_->waited[index] = {};
  for (std::size_t k = 0; k < frame_->waited.size(); ++k) {
    std::int64_t& name = frame_->record[first + k];
    name = k == index      ? kNull
           : name == kNull ? kNull
                           : name_of(frame_->waited[k], recorded(frame_->waited[k]));
  }
}

void Call::completed_all(const MPI_Status* statuses) {
  std::vector<Match> matches;
  for (std::size_t k = 0; watched_ && k < frame_->waited.size(); ++k) {
    const Request* request = recorded(frame_->waited[k]);
    if (request && request->watched()) matches.push_back(match(request, &statuses[k]));
  }
  put_matches(matches);
  for (const Place& place : frame_->waited) retire(place);
}

namespace {

int error_class(int outcome) {
  int out = outcome;
  PMPI_Error_class(outcome, &out);
  return out;
}

}  // namespace

void Call::failed_one(int, MPI_Request now) {
  aside_ = nullptr;
  if (now == MPI_REQUEST_NULL) completed_slot(0, nullptr, true);
  failed();
  if (ended_) commit();
}

void Call::failed_any(int, const MPI_Request* now, std::int64_t n) {
  failed();
  aside_ = nullptr;
  for (std::int64_t k = 0; k < n && k < std::ssize(frame_->waited); ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (!frame_->waited[index].table || now[k] != MPI_REQUEST_NULL) continue;
    scalar_ = scalars_ - 3;
    completed_any(static_cast<int>(k), nullptr);
    if (std::exchange(ended_, false)) commit();
    forget_completed(index);
  }
}

// Recorded as the completion of those that ended; the others are null in it.
void Call::failed_all(int outcome, const MPI_Request* now, std::int64_t n,
                      const MPI_Status* statuses) {
  failed();
  aside_ = nullptr;
  const bool said = error_class(outcome) == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;
  std::vector<Match> matches;
  for (std::int64_t k = 0; k < n && k < std::ssize(frame_->waited); ++k) {
    const auto index = static_cast<std::size_t>(k);
    const int error = said ? statuses[k].MPI_ERROR : MPI_ERR_PENDING;
    const bool ended = now[k] == MPI_REQUEST_NULL || error_class(error) != MPI_ERR_PENDING;
    if (!ended) {
      frame_->record[scalars_ + 1 + index] = kNull;
      continue;
    }
    const Place place = frame_->waited[index];
    const Request* request = recorded(place);
    if (request && request->watched())
      matches.push_back(error == MPI_SUCCESS ? match(request, &statuses[k]) : Match{});
    retire(place);
  }
  put_matches(matches);
  if (ended_) commit();
}

}  // namespace reprise::record
