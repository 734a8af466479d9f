#include "replay/calls/arguments.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "replay/files.hpp"
#include "replay/process/clock.hpp"
#include "replay/process/stream.hpp"
#include "trace/calls/posix.hpp"

namespace reprise::replay {

using trace::Event;
using trace::Kind;

Arguments::Arguments(Process& process, std::uint64_t stream)
    : process_(process),
      stream_(stream),
      lists_(std::make_unique<Lists>()),
      sent_(process.options.seed + 4 * stream),
      received_(process.options.seed + 4 * stream + 1),
      other_(process.options.seed + 4 * stream + 2),
      absolute_(process.options.seed + 4 * stream + 3),
      scratch_(process.options.seed),
      steering_(reprise_steering()) {
  last_end_ = now_ns();
}

void Arguments::begin(const Event& event) {
  event_ = &event;
  handles_.clear();
  named_.clear();
  wildcard_ = to_nobody_ = false;
  chosen_ = -1;
  if (process_.sharing.threads) types_.forget();
}

void Arguments::end() {
  pending_.pass(*event_);
  base_.reset();
  scratch_.forget();
  if (!lists_->empty()) *lists_ = {};
  if (!process_.sharing.threads) return;
  const std::lock_guard lock(process_.sharing.mutex);
  auto& uses = process_.uses[stream_ % process_.trace.threads];
  for (const std::int64_t id : used_comms(*event_)) {
    if (--uses[id] == 0) process_.sharing.changed.notify_all();
  }
}

int Arguments::constant(std::int64_t position, const int* constants, std::size_t n) {
  if (position < 0) return trace::is_special(position) ? 0 : static_cast<int>(position);
  const auto p = static_cast<std::size_t>(position);
  return p < n ? constants[p] : static_cast<int>(p - n);
}

std::int64_t Arguments::scaled(std::int64_t count, Scale scale) const {
  const double factor = process_.options.message_scale;
  if (trace::is_special(count)) return 0;
  if (scale == Scale::none || factor == 1 || count == 0) return count;
  const double exact = factor * static_cast<double>(count);
  switch (scale) {
    // A sent message never exceeds its receive buffer, whatever the datatypes.
    case Scale::sent: return static_cast<std::int64_t>(std::floor(exact));
    case Scale::received:
      return static_cast<std::int64_t>(std::max(static_cast<double>(count), std::ceil(exact)));
    default: return static_cast<std::int64_t>(std::ceil(exact));
  }
}

int Arguments::rank_of(std::int64_t v) {
  switch (v) {
    case trace::kNone: return 0;
    case trace::kProcNull: return MPI_PROC_NULL;
    case trace::kAnySource: return MPI_ANY_SOURCE;
    case trace::kRoot: return MPI_ROOT;
    default: return static_cast<int>(v);
  }
}

int Arguments::tag_of(std::int64_t v) {
  return v == trace::kAnyTag ? MPI_ANY_TAG : v == trace::kNone ? 0 : static_cast<int>(v);
}

int Arguments::rank(int c) const { return rank_of(scalar(c)); }

int Arguments::peer(int c) {
  const int peer = rank(c);
  if (peer == MPI_PROC_NULL) to_nobody_ = true;
  return peer;
}

int Arguments::tag(int c) const { return tag_of(scalar(c)); }

int Arguments::color(int c) const {
  return scalar(c) == trace::kUndefined ? MPI_UNDEFINED : number<int>(c);
}

int (*Arguments::ranges(int l))[3] { return reinterpret_cast<int(*)[3]>(numbers<int>(l)); }

int* Arguments::ranks(int l) {
  int* out = numbers<int>(l);
  for (std::size_t i = 0; i < list(l).size(); ++i) out[i] = rank_of(list(l)[i]);
  return out;
}

int* Arguments::weights(int l) {
  if (list(l).size() == 1 && list(l)[0] == trace::kUnweighted) return MPI_UNWEIGHTED;
  if (list(l).size() == 1 && list(l)[0] == trace::kEmptyWeights) return MPI_WEIGHTS_EMPTY;
  return numbers<int>(l);
}

MPI_Datatype* Arguments::datatypes(int l) {
  std::vector<MPI_Datatype>& out = lists_->types.emplace_back();
  for (const std::int64_t v : list(l)) out.push_back(type_of(v));
  out.resize(std::max<std::size_t>(1, out.size()), MPI_BYTE);
  return out.data();
}

const char* Arguments::text(int l) {
  text_.assign(list(l).begin(), list(l).end());
  return text_.c_str();
}

const char* Arguments::path(int l) {
  text(l);
  const auto columns = event_->function->scalars;
  bool creates = false;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name == "amode") creates = event_->scalars[c] >> 3 & 1;  // MPI_MODE_CREATE
  }
  // A file of POSIX becomes larger as it is read (steering_posix.cpp).
  creates |= trace::is_posix(*event_->function);
  path_ = scratch_path(process_.scratch, text_);
  if (!creates) ensure_file(path_);
  steering_->path = path_.c_str();
  steering_->name = text_.c_str();
  return text_.c_str();
}

std::int64_t Arguments::start_call() { return now_ns(); }

void Arguments::end_call(std::int64_t start, int outcome) {
  last_end_ = now_ns();
  totals_.calls += 1;
  totals_.mpi += 1e-9 * static_cast<double>(last_end_ - start);
  steering_->match = steering_->choose = false;
  steering_->path = steering_->name = nullptr;
  if (outcome == MPI_SUCCESS) return;
  char why[MPI_MAX_ERROR_STRING] = "";
  int n = 0;
  MPI_Error_string(outcome, why, &n);
  give_up(process_,
          std::string(event_->function->name) + " failed (" + why +
              ") though it did not when it was recorded; replay it where it was recorded");
}

void Arguments::end_posix(std::int64_t start, std::int64_t outcome) {
  const int error = errno;
  steering_->posix = false;
  steering_->descriptor = -1;
  end_call(start, MPI_SUCCESS);
  if (outcome >= 0) return;
  give_up(process_, std::string(event_->function->name) + " failed (" + std::strerror(error) +
                        ") though it did not when it was recorded; give another folder with "
                        "--scratch");
}

void Arguments::let_others_run() { sched_yield(); }

}  // namespace reprise::replay
