#include "convert/paraver/thread_calls.hpp"

#include <algorithm>

namespace reprise::convert::paraver {

namespace traits = trace::traits;

namespace {

bool has_trait(const trace::Function& f, std::uint32_t trait) { return (f.traits & trait) != 0; }

bool is_level_of(std::uint32_t type, std::uint32_t first) {
  return type > first && type <= first + kMostLevels;
}

constexpr std::size_t kAll = ~std::size_t{0};

}  // namespace

RegionIndex CallerRegions::index(std::int64_t function, std::int64_t line) {
  const auto [entry, is_new] =
      known_.emplace(std::pair(function, line), static_cast<RegionIndex>(regions_.size()));
  if (is_new) regions_.push_back(names_.caller(function, line));
  return entry->second;
}

void ThreadCalls::take(const Record& record) {
  switch (record.kind) {
    case Record::Kind::sent: sent_.push_back(record); break;
    case Record::Kind::posted: posted_.push_back(record); break;
    case Record::Kind::completed: completed_.push_back(record); break;
    case Record::Kind::event: take_event(record); break;
  }
}

void ThreadCalls::take_event(const Record& record) {
  const auto type = static_cast<std::uint32_t>(record.values[0]);
  const std::int64_t value = record.values[1];
  if (type > static_cast<std::uint32_t>(CallType::io)) {
    if (open_ && open_->begin == record.time) take_detail(type, value);
  } else if (value == 0) {
    if (open_ && open_->type == type) close(record.time);
  } else {
    if (open_) {
      ++rank_.losses["calls that are not left before the next one is entered"];
      close(record.time);
    }
    open_.emplace();
    open_->function = source_.names.function(type, value);
    open_->type = type;
    open_->begin = record.time;
  }
}

void ThreadCalls::take_detail(std::uint32_t type, std::int64_t value) {
  switch (type) {
    case kSentSize: open_->buffers.sent = static_cast<std::uint64_t>(value); return;
    case kReceivedSize: open_->buffers.received = static_cast<std::uint64_t>(value); return;
    case kRoot: open_->is_root = value != 0; return;
    case kCommunicator: open_->comm = value; return;
    default: break;
  }
  if (is_level_of(type, kCaller)) open_->frames[type - kCaller].first = value;
  if (is_level_of(type, kCallerLine)) open_->frames[type - kCallerLine].second = value;
}

std::uint32_t ThreadCalls::path() {
  std::uint32_t out = RegionPaths::kOutside;
  for (auto level = open_->frames.rbegin(); level != open_->frames.rend(); ++level) {
    const auto [function, line] = level->second;
    if (function != 0) out = rank_.paths.enter(out, regions_.index(function, line));
  }
  return out;
}

Message ThreadCalls::message_of(const Record& record) {
  constexpr CommIndex kWorld = 0;
  return {record.values[0], kWorld, record.values[1], static_cast<std::uint64_t>(record.values[2])};
}

void ThreadCalls::drop_before(std::int64_t begin) {
  for (; !sent_.empty() && sent_.front().time < begin; sent_.pop_front())
    ++rank_.losses["messages that were sent outside of calls"];
  for (; !posted_.empty() && posted_.front().time < begin; posted_.pop_front())
    ++rank_.losses["receives that were posted outside of calls"];
  std::erase_if(completed_,
                [&](const Record& c) { return c.time < begin && !pending_.contains(c.number); });
}

void ThreadCalls::close(std::int64_t end) {
  const auto collective = count_collective();
  if (open_->function) {
    const trace::Function& f = trace::function(*open_->function);
    stream_.enter_call(*open_->function, path(), open_->begin);
    drop_before(open_->begin);
    tell_messages(f, end);
    if (collective && has_derivable_counts(f))
      tell_collective(f, collective->first, collective->second);
    stream_.leave_call(end);
  }
  open_.reset();
}

void ThreadCalls::tell_messages(const trace::Function& f, std::int64_t end) {
  const bool is_message =
      !has_trait(f, traits::kCollective | traits::kProbe | traits::kRma | traits::kIo);
  if (has_trait(f, traits::kStart)) {
    // MPI_Start starts one request, MPI_Startall any number.
    const bool is_one = !CallLayout::of(*open_->function).has(Slot::requests);
    const bool has_sent = tell_sent(f, is_one ? 1 : kAll) > 0;
    if (!is_one || !has_sent) tell_posted(is_one ? 1 : kAll);
  } else if (has_trait(f, traits::kComplete)) {
    tell_completed(!CallLayout::of(*open_->function).has(Slot::requests));
  } else if (is_message && !has_trait(f, traits::kPersistent)) {
    if (has_trait(f, traits::kSend)) tell_sent(f, 1);
    if (has_trait(f, traits::kRecv) && has_trait(f, traits::kNonblocking)) tell_posted(1);
    if (has_trait(f, traits::kRecv) && !has_trait(f, traits::kNonblocking)) tell_received(end);
  }
}

std::size_t ThreadCalls::tell_sent(const trace::Function& f, std::size_t most) {
  const bool has_request = has_trait(f, traits::kNonblocking | traits::kStart);
  std::size_t told = 0;
  for (; told < most && !sent_.empty(); ++told, sent_.pop_front()) {
    stream_.sent(message_of(sent_.front()),
                 has_request ? std::optional(kUntoldRequest) : std::nullopt);
  }
  return told;
}

void ThreadCalls::tell_posted(std::size_t most) {
  for (; most > 0 && !posted_.empty(); --most, posted_.pop_front()) {
    pending_.emplace(posted_.front().number, receives_++);
    stream_.posted(posted_.front().number);
  }
}

// What the open call received: what was posted in it and is completed as it ends.
void ThreadCalls::tell_received(std::int64_t end) {
  for (auto p = posted_.begin(); p != posted_.end(); ++p) {
    const auto c = std::ranges::find(completed_, p->number, &Record::number);
    if (c == completed_.end() || c->time > end) continue;
    stream_.received(message_of(*c));
    completed_.erase(c);
    posted_.erase(p);
    return;
  }
}

void ThreadCalls::tell_completed(bool is_single) {
  // The source has no order within a call: that in which receives were posted.
  std::vector<std::pair<std::uint64_t, Record>> done;
  for (const Record& c : completed_)
    if (const auto found = pending_.find(c.number); found != pending_.end())
      done.emplace_back(found->second, c);
  std::ranges::sort(done, {}, [](const auto& d) { return d.first; });
  if (is_single && done.size() > 1) done.resize(1);
  for (const auto& [order, c] : done) {
    stream_.completed_receive(c.number, message_of(c));
    pending_.erase(c.number);
    const std::uint64_t number = c.number;
    std::erase_if(completed_, [&](const Record& other) { return other.number == number; });
  }
}

// The communicator of the open call, and how many collectives the rank had entered on it before.
std::optional<std::pair<CommIndex, std::uint64_t>> ThreadCalls::count_collective() {
  if (!open_->comm) return std::nullopt;
  const auto& comm_of = source_.records.header.comm_of;
  const auto comm = comm_of.find(*open_->comm);
  if (comm != comm_of.end()) return std::pair(comm->second, rank_.collectives[comm->second]++);
  ++rank_.losses["collectives on communicators that are not defined"];
  return std::nullopt;
}

void ThreadCalls::tell_collective(const trace::Function& f, CommIndex comm, std::uint64_t number) {
  const trace::Membership own = source_.comms.membership(comm, task_);
  if (!own.is_known()) {
    ++rank_.losses["collectives on communicators in which the rank is not"];
    return;
  }
  const bool is_self = source_.comms.at(comm).kind == CommDefinition::Kind::self;
  const std::uint32_t root = is_self ? task_ : source_.records.roots.at(comm, number);
  const trace::Membership of_root = source_.comms.membership(comm, root);
  stream_.collective({.function = std::nullopt,
                      .comm = comm,
                      .root = of_root.is_known() ? of_root.rank : 0,
                      .bytes = bytes_of_buffers(f, open_->buffers, root == task_, own)});
}

void ThreadCalls::finish() {
  if (open_) {
    ++rank_.losses["calls that are not left"];
    close(open_->begin);
  }
  drop_before(std::numeric_limits<std::int64_t>::max());
}

}  // namespace reprise::convert::paraver
