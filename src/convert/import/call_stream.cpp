#include "convert/import/call_stream.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "compress/fold/event_record.hpp"
#include "trace/cursors/call_source.hpp"
#include "trace/values/special.hpp"

namespace reprise::convert {

namespace traits = trace::traits;

namespace {

trace::FunctionId function_named(const char* name) { return *trace::find_function(name); }

bool has(const trace::Function& f, std::uint32_t trait) { return (f.traits & trait) != 0; }

bool is_message(const trace::Function& f) {
  return has(f, traits::kSend | traits::kRecv) &&
         !has(f, traits::kPersistent | traits::kPartitioned | traits::kCollective | traits::kStart);
}

std::int64_t count_of(std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 56;  // more is damage
  return static_cast<std::int64_t>(std::min(bytes, kMost));
}

// "MPI_Ibcast" of "MPI_Bcast".
trace::FunctionId nonblocking_of(trace::FunctionId function) {
  std::string name(trace::function(function).name);
  if (name.size() > 4) {
    name[4] = static_cast<char>(name[4] - 'A' + 'a');
    name.insert(4, 1, 'I');
  }
  return trace::find_function(name).value_or(function);
}

}  // namespace

CallStream::CallStream(RankComms& comms, Creation creation, const compress::TimeOptions& times,
                       LossCounts& losses)
    : comms_(comms), creation_(creation), losses_(losses), times_(times) {}

void CallStream::enter_call(trace::FunctionId function, std::uint32_t callpath, std::int64_t time) {
  call_.emplace();
  call_->function = function;
  call_->callpath = callpath;
  call_->begin = std::max(time, last_);
  compute_ += call_->begin - last_;
}

void CallStream::sent(const Message& message, std::optional<RequestKey> request) {
  if (call_) call_->sent.emplace_back(message, request);
}
void CallStream::received(const Message& message) {
  if (call_) call_->received.push_back(message);
}
void CallStream::posted(RequestKey request) {
  if (call_) call_->posted.push_back(request);
}
void CallStream::completed_send(RequestKey request) {
  if (call_) call_->completed.push_back({request, {}, {}});
}
void CallStream::completed_receive(RequestKey request, const Message& message) {
  if (call_) call_->completed.push_back({request, message, {}});
}
void CallStream::completed_collective(RequestKey request, const Collective& collective) {
  if (call_) call_->completed.push_back({request, {}, collective});
}
void CallStream::cancelled(RequestKey request) {
  if (!call_) return;
  call_->completed.push_back({request, {}, {}, true});
  ++losses_["cancelled requests, which stand as messages to or from MPI_PROC_NULL"];
}
void CallStream::collective(const Collective& collective) {
  if (call_) call_->collective = collective;
}
void CallStream::made_comm(CommIndex comm) {
  if (call_) call_->made.push_back(comm);
}
void CallStream::made_comm_on(CommIndex parent) {
  if (call_) call_->made_on = parent;
}
void CallStream::freed_comm(CommIndex comm) {
  if (call_) call_->freed.push_back(comm);
}

void CallStream::leave_call(std::int64_t time) {
  if (!call_) return;
  OpenCall open = std::move(*call_);
  call_.reset();
  last_ = std::max(time, open.begin);
  mpi_ += last_ - open.begin;
  const trace::Function& f = trace::function(open.function);
  if (trace::ends_mpi(f)) finalize_begin_ = open.begin;
  if (!trace::begins_mpi(f)) make_comms_at_init(open.callpath);
  const bool is_first = first_queued_ + queue_.size() == 0;
  // As in a recording, time before MPI_Init is not counted: the tool and MPI start in it.
  if (is_first && trace::begins_mpi(f)) compute_ = 0;
  if (trace::begins_mpi(f) || trace::ends_mpi(f) || has(f, traits::kAbort)) {
    add(open.function, open.callpath);
    if (trace::begins_mpi(f)) init_end_ = last_;
  } else if (is_message(f)) {
    add_message_call(open);
  } else if (has(f, traits::kStart)) {
    add_started(open);
  } else if (has(f, traits::kComplete)) {
    add_completions(open);
  } else if (has_derivable_counts(f)) {
    add_collective(open);
  } else if (trace::made_column(f, trace::Kind::comm) && (open.made_on || !open.made.empty())) {
    add_creation(open);
  } else if (has(f, traits::kFree) && !open.freed.empty()) {
    add_free(open);
  } else {
    add_from_records(open);
  }
  emit_whole();
}

CallStream::QueuedCall& CallStream::add(trace::FunctionId function, std::uint32_t callpath) {
  QueuedCall& call = queue_.emplace_back();
  call.event = CallLayout::of(function).blank();
  call.event.scalars[0] = std::exchange(polls_, 0);
  call.callpath = callpath;
  call.times = {.compute = std::exchange(compute_, 0), .communicate = std::exchange(mpi_, 0)};
  return call;
}

std::int64_t CallStream::number_of(CommIndex comm) {
  const auto number = comms_.number(comm);
  if (!number) misses_comms_ = true;
  return number.value_or(trace::kForeign);
}

void CallStream::set_sent(const CallLayout& layout, const Message& m, trace::Event& event) {
  layout.set(event, Slot::comm, number_of(m.comm));
  layout.set(event, Slot::dest, m.peer);
  layout.set(event, Slot::tag, m.tag);
  const std::int64_t bytes = count_of(m.bytes);
  layout.set(event, Slot::count, bytes);
  layout.set(event, Slot::send_count, bytes);
}

void CallStream::set_received(const CallLayout& layout, const Message& m, trace::Event& event) {
  layout.set(event, Slot::comm, number_of(m.comm));
  layout.set(event, Slot::source, m.peer);
  layout.set(event, layout.has(Slot::receive_tag) ? Slot::receive_tag : Slot::tag, m.tag);
  const std::int64_t bytes = count_of(m.bytes);
  if (!layout.has(Slot::dest) || layout.get(event, Slot::dest) == trace::kProcNull)
    layout.set(event, Slot::count, bytes);
  layout.set(event, Slot::receive_count, bytes);
}

void CallStream::set_collective(const CallLayout& layout, const Collective& c,
                                trace::Event& event) {
  layout.set(event, Slot::comm, number_of(c.comm));
  layout.set(event, Slot::root, c.root);
  const trace::Membership own = comms_.membership(c.comm);
  if (!own.is_known()) return;
  if (fill_counts(layout, c.bytes, own, event) == Counts::shared_evenly)
    ++losses_["calls whose blocks differ in size by an unknown amount, shared evenly"];
}

void CallStream::add_message_call(OpenCall& open) {
  const trace::Function& f = trace::function(open.function);
  const bool is_nonblocking = has(f, traits::kNonblocking);
  const bool sends = has(f, traits::kSend), receives = has(f, traits::kRecv);
  // MPI_Mrecv and the like have no columns for what their records say.
  const CallLayout& layout = CallLayout::of(open.function);
  const bool fits = (!sends || layout.has(Slot::dest)) && (!receives || layout.has(Slot::source)) &&
                    !(is_nonblocking && sends && receives);
  if (!fits) return add_from_records(open);
  QueuedCall& call = add(open.function, open.callpath);
  if (!open.sent.empty()) set_sent(layout, open.sent.front().first, call.event);
  if (!open.received.empty()) set_received(layout, open.received.front(), call.event);
  if (!is_nonblocking) return;
  std::optional<RequestKey> key;
  if (!open.sent.empty()) key = open.sent.front().second;
  if (!open.posted.empty()) key = open.posted.front();
  add_pending(key, receives && key.has_value());
}

// The last call that was added makes a request.
void CallStream::add_pending(std::optional<RequestKey> key, bool waits) {
  const std::uint64_t number = first_queued_ + queue_.size() - 1;
  if (key == kUntoldRequest) key.reset();
  if (waits) queue_.back().is_whole = false;
  pending_.push_back({key, waits ? number : kNoCall});
}

// Sources tell of a persistent request only what was started: it is one that is made then.
void CallStream::add_started(OpenCall& open) {
  if (open.sent.empty() && open.posted.empty()) {
    ++losses_["starts of unknown persistent requests"];
    return;
  }
  ++losses_["starts of persistent requests, imported as MPI_Isend, MPI_Irecv and similar calls"];
  add_from_records(open);
}

// Calls that do what the records say, whatever the function was.
void CallStream::add_from_records(OpenCall& open) {
  static const trace::FunctionId kSend = function_named("MPI_Send"),
                                 kIsend = function_named("MPI_Isend"),
                                 kRecv = function_named("MPI_Recv"),
                                 kIrecv = function_named("MPI_Irecv"),
                                 kWaitall = function_named("MPI_Waitall");
  bool is_empty = true;
  for (const auto& [message, request] : open.sent) {
    const trace::FunctionId function = request ? kIsend : kSend;
    QueuedCall& call = add(function, open.callpath);
    set_sent(CallLayout::of(function), message, call.event);
    if (request) add_pending(request, false);
    is_empty = false;
  }
  for (const Message& message : open.received) {
    QueuedCall& call = add(kRecv, open.callpath);
    set_received(CallLayout::of(kRecv), message, call.event);
    is_empty = false;
  }
  for (const RequestKey request : open.posted) {
    add(kIrecv, open.callpath);
    add_pending(request, true);
    is_empty = false;
  }
  if (!open.completed.empty()) {
    open.function = kWaitall;
    add_completions(open);
    is_empty = false;
  }
  if (is_empty) lose(open);
}

void CallStream::lose(const OpenCall& open) {
  ++losses_["calls of " + std::string(trace::function(open.function).name) +
            ", of which the source says too little"];
}

std::optional<std::size_t> CallStream::find_pending(RequestKey key) const {
  for (std::size_t i = pending_.size(); i-- > 0;)
    if (pending_[i].key == key) return i;
  return std::nullopt;
}

std::int64_t CallStream::age_of(const Completion& completion) {
  const auto found = find_pending(completion.request);
  if (found) return static_cast<std::int64_t>(pending_.size() - 1 - *found);
  ++losses_["requests that another thread made, or that were made before the trace begins"];
  return trace::kForeign;
}

// A call that waited for its completion is whole.
void CallStream::resolve(const Completion& completion) {
  const auto found = find_pending(completion.request);
  if (!found) return;
  const std::uint64_t number = pending_[*found].call;
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(*found));
  if (number == kNoCall || number < first_queued_) return;
  QueuedCall& call = queue_[number - first_queued_];
  call.is_whole = true;
  if (completion.message) {
    const CallLayout& layout = CallLayout::of(trace::function_of(call.event));
    set_received(layout, *completion.message, call.event);
  } else if (completion.collective) {
    const Collective& c = *completion.collective;
    // Of one that MPI_Start began, only now is it known what it is.
    if (!has_derivable_counts(*call.event.function) && c.function) {
      trace::Event event = CallLayout::of(nonblocking_of(*c.function)).blank();
      event.scalars[0] = call.event.scalars[0];
      call.event = std::move(event);
    }
    const CallLayout& layout = CallLayout::of(trace::function_of(call.event));
    set_collective(layout, c, call.event);
  }
}

void CallStream::add_completions(OpenCall& open) {
  const trace::Function& f = trace::function(open.function);
  if (open.completed.empty() && has(f, traits::kPoll)) {
    ++polls_;
    return;
  }
  const CallLayout& layout = CallLayout::of(open.function);
  const bool has_list = layout.has(Slot::requests);
  if (!has_list && !layout.has(Slot::request)) return lose(open);
  std::vector<std::int64_t> ages;
  for (const Completion& c : open.completed) ages.push_back(age_of(c));
  // Requests to or from MPI_PROC_NULL leave no record, and of others some sources do not tell: a
  // wait that could be theirs ends them.
  bool has_silent = false;
  const bool waits_for_one = !has_list || layout.has(Slot::index);
  for (std::size_t i = 0; i < pending_.size() && !(waits_for_one && !ages.empty()); ++i) {
    if (pending_[i].key) continue;
    ages.push_back(static_cast<std::int64_t>(pending_.size() - 1 - i));
    pending_[i].is_done = true;
    has_silent = true;
  }
  // Where they stand among the others is not known: in the order in which they were made.
  if (has_silent) std::ranges::sort(ages, std::greater());
  if (!has_list) {
    QueuedCall& call = add(open.function, open.callpath);
    layout.set(call.event, Slot::request, ages.empty() ? trace::kNull : ages.front());
  } else if (!layout.has(Slot::index)) {
    layout.list(add(open.function, open.callpath).event, Slot::requests) = ages;
  } else {
    // A call of MPI_Waitsome is one for each request that it completed (docs/trace_format.md).
    const std::size_t calls = std::max<std::size_t>(1, ages.size());
    for (std::size_t i = 0; i < calls; ++i) {
      QueuedCall& call = add(open.function, open.callpath);
      layout.list(call.event, Slot::requests) = ages;
      layout.set(call.event, Slot::index,
                 ages.empty() ? trace::kUndefined : static_cast<std::int64_t>(i));
      if (i >= ages.size()) continue;
      for (std::int64_t& later : ages)
        if (later >= 0 && later > ages[i]) --later;
      ages[i] = trace::kNull;
    }
  }
  for (const Completion& c : open.completed) resolve(c);
  std::erase_if(pending_, [](const PendingRequest& r) { return r.is_done; });
}

void CallStream::add_collective(OpenCall& open) {
  const trace::Function& f = trace::function(open.function);
  if (has(f, traits::kNonblocking)) {
    QueuedCall& call = add(open.function, open.callpath);
    if (open.collective) {
      set_collective(CallLayout::of(open.function), *open.collective, call.event);
      return add_pending(std::nullopt, false);
    }
    const bool is_known = !open.posted.empty();
    add_pending(is_known ? std::optional(open.posted.front()) : std::nullopt, is_known);
    if (!is_known) ++losses_["nonblocking collectives of which only the call is known"];
    return;
  }
  if (!open.collective) return lose(open);
  QueuedCall& call = add(open.function, open.callpath);
  set_collective(CallLayout::of(open.function), *open.collective, call.event);
}

namespace {

void set_made(const CallLayout& layout, const RankComms::Made& made, trace::Event& event) {
  layout.set(event, Slot::comm, made.parent);
  layout.set(event, Slot::color, made.color);
  layout.set(event, Slot::key, made.key);
  const std::size_t at = *trace::made_column(*event.function, trace::Kind::comm);
  event.scalars[at] = made.number;
  event.scalars[at + 1] = made.membership.rank;
  event.scalars[at + 2] = made.membership.size;
}

}  // namespace

void CallStream::add_creation(OpenCall& open) {
  static const trace::FunctionId kSplit = function_named("MPI_Comm_split"),
                                 kDuplicate = function_named("MPI_Comm_dup");
  if (creation_ == Creation::at_init) return lose(open);
  // Others are not called by all of one parent, or are not done when they return.
  const trace::Function& f = trace::function(open.function);
  const bool is_by_all = has(f, traits::kCollective) &&
                         !has(f, traits::kInter | traits::kIntra | traits::kNonblocking);
  if (!is_by_all) {
    misses_comms_ = misses_comms_ || !open.made.empty();
    return lose(open);
  }
  std::optional<CommIndex> comm;
  if (!open.made.empty()) comm = open.made.front();
  if (!open.made_on && comm) open.made_on = comms_.source().at(*comm).parent;
  const CommIndex parent = *open.made_on;
  if (!comms_.number(parent) || (comm && !comms_.membership(*comm).is_known())) {
    misses_comms_ = true;
    return;
  }
  if (!comm) comm = comms_.next_unmarked(parent);
  const bool is_duplicate =
      open.function == kDuplicate && comm && comms_.source().has_same_members(parent, *comm);
  const trace::FunctionId function = is_duplicate ? kDuplicate : kSplit;
  QueuedCall& call = add(function, open.callpath);
  set_made(CallLayout::of(function), comms_.make(parent, comm), call.event);
}

void CallStream::add_free(OpenCall& open) {
  static const trace::FunctionId kFree = function_named("MPI_Comm_free");
  const auto number = comms_.number(open.freed.front());
  if (!number) return lose(open);
  QueuedCall& call = add(kFree, open.callpath);
  CallLayout::of(kFree).set(call.event, Slot::comm, *number);
}

// Before the first call behind MPI_Init, by the first thread of the rank.
void CallStream::make_comms_at_init(std::uint32_t callpath) {
  static const trace::FunctionId kSplit = function_named("MPI_Comm_split");
  if (creation_ != Creation::at_init || comms_.has_made_some()) return;
  for (const SourceComms::Layer& layer : comms_.source().layers()) {
    if (!comms_.number(layer.parent)) continue;
    QueuedCall& call = add(kSplit, callpath);
    set_made(CallLayout::of(kSplit), comms_.make(layer.parent, comms_.own_in(layer)), call.event);
  }
}

void CallStream::set_whole(QueuedCall& call) {
  call.is_whole = true;
  ++losses_["nonblocking receives and collectives whose completion is not known"];
}

void CallStream::emit_whole() {
  while (!queue_.empty()) {
    if (!queue_.front().is_whole) {
      if (queue_.size() <= kMostWaiting) return;
      set_whole(queue_.front());
    }
    emit(queue_.front());
    queue_.pop_front();
    ++first_queued_;
  }
}

void CallStream::emit(const QueuedCall& call) {
  compress::lay_out_record(call.event, record_);
  const compress::Step step = folder_.add({trace::function_of(call.event), call.callpath},
                                          compress::layout_of(*call.event.function), record_);
  times_.add(step.from, step.to, call.times);
}

std::int64_t CallStream::duration() const {
  const std::int64_t to = finalize_begin_ >= 0 ? finalize_begin_ : last_;
  return std::max<std::int64_t>(0, to - init_end_);
}

compress::FoldedStream CallStream::finish() {
  if (call_) leave_call(last_);
  for (QueuedCall& call : queue_)
    if (!call.is_whole) set_whole(call);
  emit_whole();
  compress::FoldedStream stream = folder_.finish();
  std::vector<compress::FoldedTimes> times = times_.finish(1);
  for (std::size_t i = 0; i < std::min(times.size(), stream.sites.size()); ++i)
    stream.sites[i].times = std::move(times[i]);
  return stream;
}

}  // namespace reprise::convert
