// Requests in the plain log: what is pending, and what completions say of it.
#include <fcntl.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "record/flat/flat_log.hpp"
#include "record/flat/flat_state.hpp"
#include "record/objects/handles.hpp"
#include "record/objects/request_homes.hpp"

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

struct Stack {
  std::vector<StackFrame> frames;
};

_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* stack) {
  if (_Unwind_GetIP(context) == 0) return _URC_END_OF_STACK;
  static_cast<Stack*>(stack)->frames.push_back(
      {static_cast<std::uintptr_t>(_Unwind_GetCFA(context)),
       static_cast<std::uintptr_t>(_Unwind_GetIP(context))});
  return _URC_NO_REASON;
}

// The frames of the calling thread, the innermost first.
std::vector<StackFrame> present_stack() {
  Stack stack;
  _Unwind_Backtrace(take_frame, &stack);
  return stack.frames;
}

// The caller of the function that has a local variable at this address, as far as it was unwound.
std::optional<StackFrame> caller_of_owner(std::uintptr_t variable) {
  const std::vector<StackFrame> stack = present_stack();
  if (stack.empty() || variable < stack.front().bottom) return std::nullopt;
  for (const StackFrame& f : stack) {
    if (f.bottom > variable) return f;
  }
  return std::nullopt;
}

// Whether the function that had the request's handle in a local variable has returned.
bool has_returned(const PendingRequest& p) {
  if (!p.caller_of_owner) return false;
  const std::vector<StackFrame> stack = present_stack();
  return std::ranges::find(stack, *p.caller_of_owner) == stack.end();
}

// Whether a variable has a handle in it. Memory that is no more has nothing.
bool contains(std::uintptr_t address, bool is_fortran, std::uint64_t handle) {
  const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (memory < 0) return true;
  const auto request = (MPI_Request)(handle);  // NOLINT: an integer or a pointer
  bool out = false;
  if (is_fortran) {
    MPI_Fint found = 0;
    out = ::pread(memory, &found, sizeof found, static_cast<off_t>(address)) == sizeof found &&
          found == PMPI_Request_c2f(request);
  } else {
    MPI_Request found = MPI_REQUEST_NULL;
    out = ::pread(memory, &found, sizeof found, static_cast<off_t>(address)) == sizeof found &&
          found == request;
  }
  ::close(memory);
  return out;
}

// The variables of the program in which the handles that it passes are, each with its number.
std::uintptr_t variable(const MPI_Request* requests, std::int64_t i) {
  return g_fortran_requests ? reinterpret_cast<std::uintptr_t>(g_fortran_requests + i)
                            : reinterpret_cast<std::uintptr_t>(requests + i);
}

}  // namespace

void FlatCall::request_freed(const char* name, const MPI_Request* request) {
  wait_request(name, request);
  frees_request_ = true;
}

void FlatCall::new_request(const MPI_Request* request, bool persistent) {
  if (*request == MPI_REQUEST_NULL) return;
  ThreadLog& log = thread_log(thread_);
  const bool logged = !aside_ || lasting_;
  PendingRequest made{.id = g_flat_log->next_request++,
                      .handle = handle_bits(*request),
                      .wildcard = wildcard_,
                      .nobody = nobody_,
                      .untold = is_untold(function_),
                      .persistent = persistent,
                      .logged = logged,
                      .number = logged ? log.made++ : 0,
                      .kept_at = variable(request, 0),
                      .is_fortran = g_fortran_requests != nullptr};
  made.caller_of_owner = caller_of_owner(made.kept_at);
  for (PendingRequest& p : log.pending) {
    if (p.kept_at == made.kept_at) p.kept_at = 0;
  }
  log.pending.push_back(made);
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

// Its own and then those of others, each with the oldest first, that have this handle, are pending
// and not waited for by this call already.
std::vector<PendingRequest*> FlatCall::candidates(std::uint64_t handle, bool of_others) const {
  std::vector<PendingRequest*> out;
  for (ThreadLog* log : g_flat_log->threads) {
    if ((log->thread != thread_) != of_others) continue;
    for (PendingRequest& p : log->pending) {
      if (p.handle == handle && !p.elsewhere && std::ranges::find(waited_, p.id) == waited_.end())
        out.push_back(&p);
    }
    if (of_others && !out.empty()) break;
  }
  return out;
}

// The request whose handle has been at this address since it was made.
std::uint64_t FlatCall::unmoved(std::uint64_t handle, std::uintptr_t at) const {
  for (const bool of_others : {false, true}) {
    for (const PendingRequest* p : candidates(handle, of_others)) {
      if (p->kept_at == at && (of_others || !has_returned(*p))) return p->id;
    }
  }
  return 0;
}

bool FlatCall::is_still_there(const PendingRequest& p, bool is_of_other) {
  if (p.kept_at == 0 || (!is_of_other && has_returned(p))) return false;
  return ++looked_at_ > kMostLooks || contains(p.kept_at, p.is_fortran, p.handle);
}

// A request whose handle was copied to this address: the oldest that is not where it was, if that
// can be told, or else the oldest.
std::uint64_t FlatCall::moved(std::uint64_t handle, std::uintptr_t at) {
  for (const bool of_others : {false, true}) {
    const std::vector<PendingRequest*> all = candidates(handle, of_others);
    if (all.empty()) continue;
    PendingRequest* chosen = all.front();
    for (PendingRequest* p : all.size() > 1 ? all : std::vector<PendingRequest*>{}) {
      if (is_still_there(*p, of_others)) continue;
      p->kept_at = 0;
      chosen = p;
      break;
    }
    if (at == 0) return chosen->id;
    for (PendingRequest& p : find_pending(chosen->id).first->pending) {
      if (p.kept_at == at) p.kept_at = 0;
    }
    chosen->kept_at = at;
    chosen->is_fortran = g_fortran_requests != nullptr;
    chosen->caller_of_owner = of_others ? std::nullopt : caller_of_owner(at);
    return chosen->id;
  }
  return 0;
}

void FlatCall::wait_request(const char* name, const MPI_Request* request) {
  find_all(request, 1);
  put(name, *request == MPI_REQUEST_NULL ? "NULL" : name_of(waited_[0]));
}

void FlatCall::peek_request(const char* name, MPI_Request request) {
  if (request != MPI_REQUEST_NULL) {
    const std::uint64_t found = moved(handle_bits(request), 0);
    waited_.push_back(found);
    return put(name, name_of(found));
  }
  waited_.push_back(0);
  put(name, "NULL");
}

void FlatCall::find_all(const MPI_Request* requests, std::int64_t n) {
  waited_.assign(static_cast<std::size_t>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    if (requests[i] != MPI_REQUEST_NULL)
      waited_[i] = unmoved(handle_bits(requests[i]), variable(requests, i));
  }
  for (std::int64_t i = 0; i < n; ++i) {
    if (requests[i] != MPI_REQUEST_NULL && waited_[i] == 0)
      waited_[i] = moved(handle_bits(requests[i]), variable(requests, i));
  }
}

void FlatCall::wait_requests(const char* name, const MPI_Request* requests, std::int64_t n) {
  requests_name_ = name;
  find_all(requests, n);
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i)
    all.push_back(requests[i] == MPI_REQUEST_NULL ? "NULL" : name_of(waited_[i]));
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
void FlatCall::complete(std::size_t index) {
  if (index >= waited_.size()) return;
  const auto [log, pending] = find_pending(waited_[index]);
  if (!pending) return;
  if (pending->persistent && !frees_request_) {
    ended_ = ended_ || (pending->logged && pending->started);
    pending->started = pending->cancel = false;
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
  complete(0);
}

void FlatCall::completed_any(int index, const MPI_Status* status) {
  if (index == MPI_UNDEFINED) {
    put("index", "MPI_UNDEFINED");
    return put_match({"-", "-"});
  }
  put("index", std::to_string(index));
  const auto at = static_cast<std::size_t>(index);
  put_match(outcome_of(waited_[at], status).value_or(MatchText{"-", "-"}));
  complete(at);
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
  for (std::size_t i = 0; i < waited_.size(); ++i) complete(i);
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
    complete(index);
  }
  lists_.clear();
  put_list(requests_name_, names);
  put_list("matched_source", sources);
  put_list("matched_tag", tags);
  if (ended_) log();
}

}  // namespace reprise::record
