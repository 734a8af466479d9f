// Requests in the plain log: what is pending, and what completions say of it.
#include <algorithm>
#include <cstring>
#include <optional>

#include "record/flat_log.hpp"
#include "record/flat_state.hpp"
#include "record/handles.hpp"

namespace reprise::record {
namespace {

// Whose status says nothing of the message that was received.
bool is_untold([[maybe_unused]] const char* function) {
#ifdef MPICH_VERSION
  return std::strncmp(function, "MPI_Isendrecv", 13) == 0;
#else
  return false;
#endif
}

}  // namespace

void FlatCall::request_freed(const char* name, MPI_Request request) {
  wait_request(name, request);
  frees_request_ = true;
}

void FlatCall::new_request(MPI_Request request, bool persistent) {
  if (request == MPI_REQUEST_NULL) return;
  ThreadLog& log = thread_log(thread_);
  const bool logged = !aside_ || lasting_;
  log.pending.push_back({g_flat_log->next_request++, handle_bits(request), wildcard_, nobody_,
                         is_untold(function_), persistent, logged, logged ? log.made++ : 0});
}

// How many requests were made after it by this thread; or, if another one made it, which and how
// many before.
std::string FlatCall::name_of(std::uint64_t request) const {
  const auto [log, pending] = find_pending(request);
  if (!pending || !pending->logged) return "unknown";
  if (log->thread != thread_)
    return "thread" + std::to_string(log->thread) + "/" + std::to_string(pending->number);
  return std::to_string(std::ranges::count_if(
      log->pending, [&](const PendingRequest& p) { return p.logged && p.id > request; }));
}

// The oldest of its own that has this handle and is not waited for by this call already; only then
// those of others.
std::string FlatCall::request_text(MPI_Request request) {
  std::uint64_t& waited = waited_.emplace_back(0);
  if (request == MPI_REQUEST_NULL) return "NULL";
  std::vector<ThreadLog*> logs{&thread_log(thread_)};
  for (ThreadLog* log : g_flat_log->threads) {
    if (log->thread != thread_) logs.push_back(log);
  }
  for (const ThreadLog* log : logs) {
    for (const PendingRequest& p : log->pending) {
      if (p.handle != handle_bits(request) || p.elsewhere) continue;
      if (std::ranges::find(waited_, p.id) != waited_.end()) continue;
      waited = p.id;
      return name_of(waited);
    }
  }
  return "unknown";
}

void FlatCall::wait_request(const char* name, MPI_Request request) {
  put(name, request_text(request));
}

void FlatCall::wait_requests(const char* name, const MPI_Request* requests, std::int64_t n) {
  requests_name_ = name;
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(request_text(requests[i]));
  put_list(name, all);
}

namespace {

using MatchText = std::pair<std::string, std::string>;

MatchText met(const MPI_Status* status) {
  return {rank_text(status->MPI_SOURCE), tag_text(status->MPI_TAG)};
}

// What the completion of a request says of it; nothing if it is not asked.
std::optional<MatchText> outcome_of(std::uint64_t request, const MPI_Status* status) {
  const PendingRequest* p = find_pending(request).second;
  if (!p || !p->logged || !(p->wildcard || p->cancel)) return std::nullopt;
  int cancelled = 0;
  if (p->cancel && status) PMPI_Test_cancelled(status, &cancelled);
  if (cancelled) return MatchText{"cancelled", "-"};
  if (!p->wildcard || !status) return MatchText{"-", "-"};
  if (p->untold) return MatchText{"unknown", "unknown"};
  return p->nobody ? MatchText{"MPI_PROC_NULL", "MPI_ANY_TAG"} : met(status);
}

int class_of(int outcome) {
  int out = outcome;
  PMPI_Error_class(outcome, &out);
  return out;
}

}  // namespace

void FlatCall::put_match(const MatchText& match) {
  put("matched_source", match.first);
  put("matched_tag", match.second);
}

void FlatCall::matched(const MPI_Status* status) {
  put_match(wildcard_ ? met(status) : MatchText{"-", "-"});
}

void FlatCall::peeked(const MPI_Status* status) {
  put_match(outcome_of(waited_.empty() ? 0 : waited_[0], status).value_or(MatchText{"-", "-"}));
}

// The request is pending no more, unless it can be started again.
void FlatCall::finish(std::size_t index) {
  if (index >= waited_.size()) return;
  const auto [log, pending] = find_pending(waited_[index]);
  if (!pending) return;
  if (pending->persistent && !frees_request_) {
    pending->cancel = false;
    return;
  }
  ended_ = ended_ || pending->logged;
  pending->elsewhere = log->thread != thread_ && pending->logged;
  if (!pending->elsewhere)
    std::erase_if(log->pending, [&](const auto& p) { return p.id == waited_[index]; });
  while (!log->pending.empty() && log->pending.front().elsewhere) log->pending.pop_front();
}

void FlatCall::completed_one(const MPI_Status* status) {
  peeked(status);
  finish(0);
}

void FlatCall::completed_any(int index, const MPI_Status* status) {
  if (index == MPI_UNDEFINED) {
    put("index", "MPI_UNDEFINED");
    return put_match({"-", "-"});
  }
  put("index", std::to_string(index));
  const auto at = static_cast<std::size_t>(index);
  put_match(outcome_of(waited_[at], status).value_or(MatchText{"-", "-"}));
  finish(at);
}

// The next completion finds the requests as this one left them.
void FlatCall::forget(std::size_t index) {
  std::vector<std::string> all;
  waited_[index] = 0;
  lists_ = lists_.substr(lists_.find('[') + 1);
  for (std::size_t k = 0; k < waited_.size(); ++k) {
    const std::size_t end = lists_.find_first_of(",]");
    const std::string before = lists_.substr(0, end);
    lists_ = lists_.substr(end + 1);
    all.push_back(k == index || before == "NULL" ? "NULL" : name_of(waited_[k]));
  }
  lists_.clear();
  put_list(requests_name_, all);
}

void FlatCall::completed_some(int count, const int* indices, const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return completed_any(MPI_UNDEFINED, nullptr);
  for (int i = 0; i < count; ++i) {
    scalars_.clear();
    completed_any(indices[i], statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i]);
    if (i + 1 == count) return;
    commit();
    forget(static_cast<std::size_t>(indices[i]));
  }
}

void FlatCall::completed_all(const MPI_Status* statuses) {
  std::vector<std::string> sources, tags;
  for (std::size_t i = 0; i < waited_.size(); ++i) {
    const MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i];
    if (const auto match = outcome_of(waited_[i], status)) {
      sources.push_back(match->first);
      tags.push_back(match->second);
    }
  }
  put_list("matched_source", sources);
  put_list("matched_tag", tags);
  for (std::size_t i = 0; i < waited_.size(); ++i) finish(i);
}

// Completions that failed are logged if they ended a request, as if they had been asked for no
// other.
void FlatCall::failed_one(int, MPI_Request now) {
  if (now != MPI_REQUEST_NULL) return;
  completed_one(nullptr);
  if (ended_) log();
}

void FlatCall::failed_any(int, const MPI_Request* now, std::int64_t n) {
  for (std::int64_t k = 0; k < n && k < std::ssize(waited_); ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (waited_[index] == 0 || now[k] != MPI_REQUEST_NULL) continue;
    scalars_.clear();
    completed_any(static_cast<int>(k), nullptr);
    if (ended_) log();
    ended_ = false;
    forget(index);
  }
}

void FlatCall::failed_all(int outcome, const MPI_Request* now, std::int64_t n,
                          const MPI_Status* statuses) {
  const bool said = class_of(outcome) == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;
  std::vector<std::string> sources, tags, names;
  std::string rest = lists_.substr(lists_.find('[') + 1);
  for (std::int64_t k = 0; k < n && k < std::ssize(waited_); ++k) {
    const auto index = static_cast<std::size_t>(k);
    const std::size_t end = rest.find_first_of(",]");
    names.push_back(rest.substr(0, end));
    rest = rest.substr(end + 1);
    const bool over = said && class_of(statuses[k].MPI_ERROR) != MPI_ERR_PENDING;
    if (now[k] != MPI_REQUEST_NULL && !over) {
      names.back() = "NULL";
      continue;
    }
    const bool good = said && statuses[k].MPI_ERROR == MPI_SUCCESS;
    if (auto match = outcome_of(waited_[index], good ? &statuses[k] : nullptr)) {
      sources.push_back(match->first);
      tags.push_back(match->second);
    }
    finish(index);
  }
  lists_.clear();
  put_list(requests_name_, names);
  put_list("matched_source", sources);
  put_list("matched_tag", tags);
  if (ended_) log();
}

}  // namespace reprise::record
