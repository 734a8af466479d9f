#include "replay/arguments.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>

#include "replay/clock.hpp"
#include "replay/files.hpp"
#include "replay/stream.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

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

int Arguments::scaled(std::int64_t count, Scale scale) const {
  const double factor = process_.options.message_scale;
  if (trace::is_special(count)) return 0;
  if (scale == Scale::none || factor == 1 || count == 0) return static_cast<int>(count);
  const double exact = factor * static_cast<double>(count);
  switch (scale) {
    // What is sent never outgrows the place where it is received, whatever the types.
    case Scale::sent: return static_cast<int>(std::floor(exact));
    case Scale::received:
      return static_cast<int>(std::max(static_cast<double>(count), std::ceil(exact)));
    default: return static_cast<int>(std::ceil(exact));
  }
}

int Arguments::count(int c, Scale scale) const { return scaled(scalar(c), scale); }

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

Match Arguments::look_ahead() {
  if (process_.options.matching == Matching::free) return {};
  if (!ahead_) ahead_ = std::make_unique<LookAhead>(process_.trace, stream_);
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

// A receive that never received anything takes nothing from others: nobody sends this tag.
void Arguments::steer_match(const Match& match, int source) {
  if (match.kind == Match::Kind::unknown) return;
  const bool nobody = match.kind == Match::Kind::nobody;
  steering_->match = true;
  steering_->source = nobody ? source : rank_of(match.source);
  steering_->tag = nobody ? kUnusedTag : tag_of(match.tag);
}

int* Arguments::ints(int l) {
  std::vector<int>& out = lists_->ints.emplace_back();
  for (const std::int64_t v : list(l)) out.push_back(static_cast<int>(v));
  out.resize(std::max<std::size_t>(1, out.size()));
  return out.data();
}

int* Arguments::counts(int l, Scale scale) {
  int* out = ints(l);
  for (std::size_t i = 0; i < list(l).size(); ++i) out[i] = scaled(list(l)[i], scale);
  return out;
}

MPI_Aint* Arguments::aints(int l) {
  std::vector<MPI_Aint>& out = lists_->aints.emplace_back(list(l).begin(), list(l).end());
  out.resize(std::max<std::size_t>(1, out.size()));
  return out.data();
}

bool Arguments::is_absolute(int l) const {
  return !list(l).empty() && list(l).front() == trace::kBottom;
}

MPI_Aint* Arguments::lay_out(int l, const std::vector<Room>& blocks) {
  Room all;
  for (std::size_t i = 0; i < blocks.size(); ++i) all.include(blocks[i], list(l)[i + 1]);
  std::byte* memory = absolute_.at_least(static_cast<std::size_t>(all.high - all.low));
  MPI_Aint base = 0;
  MPI_Get_address(memory, &base);
  std::vector<MPI_Aint>& out = lists_->aints.emplace_back();
  for (std::size_t i = 0; i < blocks.size(); ++i)
    out.push_back(base - static_cast<MPI_Aint>(all.low) + static_cast<MPI_Aint>(list(l)[i + 1]));
  return out.data();
}

int (*Arguments::ranges(int l))[3] { return reinterpret_cast<int(*)[3]>(ints(l)); }

int* Arguments::ranks(int l) {
  int* out = ints(l);
  for (std::size_t i = 0; i < list(l).size(); ++i) out[i] = rank_of(list(l)[i]);
  return out;
}

int* Arguments::weights(int l) {
  if (list(l).size() == 1 && list(l)[0] == trace::kUnweighted) return MPI_UNWEIGHTED;
  if (list(l).size() == 1 && list(l)[0] == trace::kEmptyWeights) return MPI_WEIGHTS_EMPTY;
  return ints(l);
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
  path_ = scratch_path(process_.scratch, text_);
  if (!creates) ensure_file(path_);
  steering_->path = path_.c_str();
  return text_.c_str();
}

template <class Handle>
Handle Arguments::object(Table<Handle>& table, std::int64_t number, Handle null, const char* what) {
  if (number == trace::kNull || number == trace::kNone) return null;
  const std::optional<Handle> found = table.find(number);
  if (found) return *found;
  give_up(process_, "the trace is damaged (" + std::string(event_->function->name) + " uses " +
                        what + " " + std::to_string(number) +
                        ", which nothing has made); record it again");
}

MPI_Comm Arguments::comm(int c) {
  return object(process_.objects.comms, scalar(c), MPI_COMM_NULL, "communicator");
}
MPI_Group Arguments::group(int c) {
  return object(process_.objects.groups, scalar(c), MPI_GROUP_NULL, "group");
}
MPI_Op Arguments::op(int c) {
  return object(process_.objects.ops, scalar(c), MPI_OP_NULL, "operation");
}
MPI_Win Arguments::win(int c) {
  return object(process_.objects.windows, scalar(c), MPI_WIN_NULL, "window");
}
MPI_File Arguments::file(int c) {
  return object(process_.objects.files, scalar(c), MPI_FILE_NULL, "file");
}
MPI_Datatype Arguments::datatype(int c) { return type_of(scalar(c)); }

MPI_Datatype Arguments::type_of(std::int64_t number) {
  if (number == trace::kNone) return MPI_BYTE;  // not significant here
  if (number == trace::kForeign && !found_types_.empty()) {
    const MPI_Datatype found = found_types_.back();
    found_types_.pop_back();
    return found;
  }
  if (number >= 0 && number < trace::kFirstMadeType && !process_.objects.types.has(number)) {
    give_up(process_,
            std::string(event_->function->name) + " needs " + trace::type_name(number) +
                " (this MPI library does not have it); replay with that of the recording");
  }
  return object(process_.objects.types, number, MPI_DATATYPE_NULL, "datatype");
}

// The oldest message of that size: traces do not say which of several is meant.
MPI_Message Arguments::message(int c, int count, MPI_Datatype type) {
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
    if (event_->function->traits & trace::traits::kStart && request->wildcard) start_wild(*request);
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

// What was completed in place of the recorded one leaves its place to that.
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
  Request made{request, wildcard_, nullptr};
  if (!lists_->empty()) {
    made.lists = std::move(lists_);
    lists_ = std::make_unique<Lists>();
  }
  pending_.add(std::move(made), persistent);
}

void* Arguments::buffer(int c, Slot slot, const Room& room, bool sends) {
  const std::int64_t what = scalar(c);
  if (sends && !to_nobody_) totals_.bytes += static_cast<double>(room.bytes);
  if (what == trace::kInPlace) return MPI_IN_PLACE;
  if (what == trace::kBottom) return MPI_BOTTOM;
  Arena& arena = slot == Slot::sent ? sent_ : slot == Slot::received ? received_ : other_;
  const std::int64_t before = (std::max<std::int64_t>(0, -room.low) + 15) / 16 * 16;
  const std::int64_t after = std::max<std::int64_t>(0, room.high);
  return arena.at_least(static_cast<std::size_t>(before + after)) + before;
}

void* Arguments::base(int c, std::int64_t size) {
  if (scalar(c) == trace::kBottom) return MPI_BOTTOM;
  base_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(std::max<std::int64_t>(1, size)));
  void* const address = base_.get();
  // What becomes of no window is kept until it is given back.
  if (!(event_->function->traits & trace::traits::kCreate))
    process_.given[address] = std::move(base_);
  return address;
}

std::byte* Arguments::scratch_memory() {
  std::size_t numbers = 4096;
  for (const std::int64_t v : event_->scalars) {
    if (v > 0 && v < 1 << 24) numbers += static_cast<std::size_t>(v);
  }
  // A block of its own each time: a call may have several.
  return scratch_.fresh(16 * numbers);
}

std::int64_t Arguments::members(MPI_Comm comm) {
  int inter = 0, n = 0;
  if (comm == MPI_COMM_NULL) return 0;
  MPI_Comm_test_inter(comm, &inter);
  inter ? MPI_Comm_remote_size(comm, &n) : MPI_Comm_size(comm, &n);
  return n;
}

std::int64_t Arguments::local_members(MPI_Comm comm) {
  int n = 0;
  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &n);
  return n;
}

namespace {

std::int64_t degree(MPI_Comm comm, [[maybe_unused]] bool in) {
  int topology = MPI_UNDEFINED, n = 0;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (topology == MPI_GRAPH) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Graph_neighbors_count(comm, rank, &n);
    return n;
  }
#ifndef SMPI_H
  int sources = 0, destinations = 0, weighted = 0;
  if (topology == MPI_DIST_GRAPH)
    MPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
  return in ? sources : destinations;
#else
  return 0;
#endif
}

}  // namespace

std::int64_t Arguments::indegree(MPI_Comm comm) { return degree(comm, true); }
std::int64_t Arguments::outdegree(MPI_Comm comm) { return degree(comm, false); }

bool Arguments::is_root(int c, MPI_Comm comm) const {
  if (scalar(c) == trace::kRoot) return true;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  return !inter && rank == scalar(c);
}

MPI_Comm* Arguments::new_comm(int c) {
  if (trace::is_special(scalar(c))) return &(no_comm_ = MPI_COMM_NULL);
  return process_.objects.comms.place(scalar(c));
}

void Arguments::made_comm(int c, MPI_Comm comm) {
  const bool none = trace::is_special(scalar(c));
  if (none != (comm == MPI_COMM_NULL)) {
    give_up(process_, std::string(event_->function->name) + " gave " + (none ? "a" : "no") +
                          " communicator (it did otherwise when it was recorded); replay with the "
                          "MPI library of the recording");
  }
  if (!none) process_.objects.comms.made(scalar(c));
}

void Arguments::new_type(int c, MPI_Datatype type) {
  types_.forget();
  process_.objects.types.make(scalar(c), type);
}

void Arguments::freed_type(int c) {
  types_.forget();
  if (!trace::is_special(scalar(c))) process_.objects.types.free(scalar(c));
}

void Arguments::new_win(int c, MPI_Win win) {
  process_.objects.windows.make(scalar(c), win);
  const std::lock_guard lock(process_.sharing.mutex);
  process_.window_memory[scalar(c)] = std::move(base_);
}

void Arguments::freed_win(int c) {
  process_.objects.windows.free(scalar(c));
  const std::lock_guard lock(process_.sharing.mutex);
  process_.window_memory.erase(scalar(c));
}

// Types with a name of their own are not to be freed, and are not.
void Arguments::found_types(MPI_Datatype* types, int n) {
  for (int i = 0; i < n; ++i) {
    int integers = 0, addresses = 0, inner = 0, combiner = MPI_COMBINER_NAMED;
    MPI_Type_get_envelope(types[i], &integers, &addresses, &inner, &combiner);
    if (combiner != MPI_COMBINER_NAMED) found_types_.push_back(types[i]);
  }
}

void Arguments::wait_for_users(int c) {
  if (!process_.sharing.threads) return;
  const std::int64_t id = scalar(c);
  const std::uint64_t me = stream_ % process_.trace.threads;
  std::unique_lock lock(process_.sharing.mutex);
  process_.sharing.changed.wait(lock, [&] {
    for (std::uint64_t t = 0; t < process_.uses.size(); ++t) {
      const auto found = process_.uses[t].find(id);
      if (t != me && found != process_.uses[t].end() && found->second > 0) return false;
    }
    return true;
  });
}

std::int64_t Arguments::start_call() { return now_ns(); }

void Arguments::end_call(std::int64_t start, int outcome) {
  last_end_ = now_ns();
  totals_.calls += 1;
  totals_.mpi += 1e-9 * static_cast<double>(last_end_ - start);
  steering_->match = steering_->choose = false;
  steering_->path = nullptr;
  if (outcome == MPI_SUCCESS) return;
  char why[MPI_MAX_ERROR_STRING] = "";
  int n = 0;
  MPI_Error_string(outcome, why, &n);
  give_up(process_,
          std::string(event_->function->name) + " failed (" + why +
              ") though it did not when it was recorded; replay it where it was recorded");
}

void Arguments::let_others_run() { sched_yield(); }

}  // namespace reprise::replay
