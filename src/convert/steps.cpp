#include "convert/steps.hpp"

#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "convert/scratch_file.hpp"
#include "simulate/lower/call_shape.hpp"

namespace reprise::convert {
namespace {

using simulate::Channel;
using simulate::Picoseconds;

class Collector : public simulate::Observer {
 public:
  explicit Collector(Steps& steps) : steps_(steps) {}

  void computes(std::uint64_t stream, simulate::Interval during) override {
    // What rounding leaves over goes to the next.
    const Picoseconds all = during.to - during.from + rest_[stream];
    const std::int64_t ns = all / simulate::kPicosecondsPerNanosecond;
    rest_[stream] = all % simulate::kPicosecondsPerNanosecond;
    if (ns <= 0) return;
    steps_.add(stream, {.what = Step::Do::compute, .span = ns});
  }
  void spends(std::uint64_t stream, simulate::Interval during) override {
    computes(stream, during);
  }
  void calls(std::uint64_t, mpi::SiteId, simulate::Interval) override {}
  void message(const simulate::Flight&) override {}

  void sends(std::uint64_t stream, const Channel& c, std::int64_t bytes, simulate::SendMode mode,
             std::uint32_t operation) override {
    place_[operation] = {stream, steps_.size(stream)};
    const Step step{.what = Step::Do::send,
                    .is_synchronous = mode == simulate::SendMode::synchronous,
                    .peer = c.receiver,
                    .tag = tag_of(c),
                    .number = numbers_[{c.source, c.receiver}]++,
                    .bytes = bytes};
    steps_.add(stream, step);
    sent_[{c.source, c.receiver, step.tag}].push_back({bytes, step.number});
  }
  void receives(std::uint64_t stream, const Channel& c, std::uint32_t operation) override {
    place_[operation] = {stream, steps_.size(stream)};
    steps_.add(stream, {.what = Step::Do::receive, .peer = c.source});
  }
  void meets(std::uint32_t operation, const Channel& c) override {
    const auto [stream, at] = place_[operation];
    Step step = steps_.at(stream, at);
    step.peer = c.source;
    step.tag = tag_of(c);
    const auto sent = sent_.find({c.source, c.receiver, step.tag});
    if (sent != sent_.end()) {
      step.bytes = sent->second.front().bytes;
      step.number = sent->second.front().number;
      sent->second.pop_front();
      if (sent->second.empty()) sent_.erase(sent);
    }
    steps_.put(stream, at, step);
  }
  void waits(std::uint64_t stream, std::uint32_t operation) override {
    const auto found = place_.find(operation);
    if (found == place_.end() || found->second.first != stream) return;
    const std::uint64_t at = found->second.second;
    Step step = steps_.at(stream, at);
    if (at + 1 == steps_.size(stream)) {
      step.is_blocking = true;
      steps_.put(stream, at, step);
    } else {
      step.is_of_send = step.what == Step::Do::send;
      step.what = Step::Do::wait;
      step.operation = at;
      steps_.add(stream, step);
    }
    place_.erase(found);
  }
  void joins(std::uint64_t stream, const simulate::MeetingCall& call, bool is_blocking) override {
    const bool makes = call.makes != simulate::Makes::nothing;
    const bool is_free = makes && call.cost.fan_in.steps == simulate::Steps::none;
    has_unblocking_ = has_unblocking_ || (call.kind && !is_blocking);
    if (is_free || !is_blocking) return;
    has_meetings_ = true;
    steps_.add(stream, {.what = Step::Do::meet,
                        .is_root = call.is_root,
                        .kind = call.kind ? static_cast<std::uint8_t>(*call.kind)
                                : makes   ? Step::kMaking
                                          : Step::kFree,
                        .peer = communicator_of(call),
                        .bytes = call.sent,
                        .received = call.received});
  }

  bool has_meetings() const { return has_meetings_; }
  bool has_unblocking() const { return has_unblocking_; }

 private:
  struct Sent {
    std::int64_t bytes = 0;
    std::uint32_t number = 0;
  };
  using Pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  std::uint32_t tag_of(const Channel& c) {
    const auto next = static_cast<std::uint32_t>(tags_.size());
    return tags_.emplace(std::pair(c.context, c.tag), next).first->second;
  }
  // A part of a communicator, as where MPI_Comm_create_group makes one, is known when all have
  // come.
  std::uint32_t communicator_of(const simulate::MeetingCall& call) {
    const simulate::Group* group = call.of.get();
    const bool is_part = !group || call.expected != group->size + group->others.size();
    const std::pair key(call.group, is_part ? call.number : 0);
    const auto next = static_cast<std::uint32_t>(steps_.communicators.size());
    const auto [at, is_new] = communicators_.emplace(key, next);
    if (is_new) steps_.communicators.emplace_back();
    std::vector<std::uint32_t>& members = steps_.communicators[at->second];
    if (is_part) {
      members.push_back(call.rank);
    } else if (is_new) {
      members = group->listed();
      members.insert(members.end(), group->others.begin(), group->others.end());
    }
    return at->second;
  }

  Steps& steps_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> tags_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> communicators_;
  std::unordered_map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> place_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;
  std::map<Pair, std::deque<Sent>> sent_;
  std::unordered_map<std::uint64_t, Picoseconds> rest_;
  bool has_meetings_ = false, has_unblocking_ = false;
};

// Makes ranks wait for each other by messages where the machine makes them wait.
void synchronize_by_messages(simulate::Machine& machine) {
  const simulate::Exchanges all = {{simulate::Collective::allreduce}};
  if (machine.file_exchanges.empty()) machine.file_exchanges = all;
  simulate::Making& making = machine.making;
  if (making.steps == simulate::Steps::none) return;
  making.steps = simulate::Steps::none;
  for (simulate::Exchanges* e : {&making.split, &making.communicator, &making.window}) {
    if (e->empty()) *e = all;
  }
}

}  // namespace

std::unique_ptr<Steps> Steps::beside(const std::string& path, std::uint64_t ranks) {
  std::FILE* const file = open_scratch_file(path + ".steps");
  if (!file) return nullptr;
  return std::unique_ptr<Steps>(new Steps(file, ranks));
}

Steps::~Steps() { std::fclose(file_); }

bool Steps::seek(std::uint64_t at) const {
  return std::fseek(file_, static_cast<long>(at * sizeof(Step)), SEEK_SET) == 0;
}

void Steps::check(bool is_done) const {
  if (!is_done && error_ == 0) error_ = std::feof(file_) ? EIO : errno;
}

void Steps::add(std::uint64_t rank, const Step& step) {
  OfRank& of = of_[rank];
  if (of.last.size() == kChunk) {
    check(error_ == 0 && seek(written_) &&
          std::fwrite(of.last.data(), sizeof(Step), kChunk, file_) == kChunk);
    of.chunks.push_back(written_);
    written_ += kChunk;
    of.last.clear();
  }
  of.last.push_back(step);
  ++of.size;
}

Step Steps::at(std::uint64_t rank, std::uint64_t index) const {
  const OfRank& of = of_[rank];
  if (index / kChunk >= of.chunks.size()) return of.last[index % kChunk];
  Step out;
  check(error_ == 0 && seek(of.chunks[index / kChunk] + index % kChunk) &&
        std::fread(&out, sizeof(Step), 1, file_) == 1);
  return out;
}

void Steps::put(std::uint64_t rank, std::uint64_t index, const Step& step) {
  OfRank& of = of_[rank];
  if (index / kChunk >= of.chunks.size()) {
    of.last[index % kChunk] = step;
    return;
  }
  check(error_ == 0 && seek(of.chunks[index / kChunk] + index % kChunk) &&
        std::fwrite(&step, sizeof(Step), 1, file_) == 1);
}

const Step& Steps::Reader::at(std::uint64_t index) {
  const OfRank& of = steps_.of_[rank_];
  if (index / kChunk >= of.chunks.size()) return of.last[index % kChunk];
  if (chunk_.empty() || index / kChunk != first_ / kChunk) {
    first_ = index - index % kChunk;
    chunk_.resize(kChunk);
    steps_.check(steps_.error_ == 0 && steps_.seek(of.chunks[index / kChunk]) &&
                 std::fread(chunk_.data(), sizeof(Step), kChunk, steps_.file_) == kChunk);
  }
  return chunk_[index % kChunk];
}

Status collect(const trace::Trace& trace, const simulate::Machine& machine, const Collecting& how,
               Steps& out) {
  if (trace.threads > 1) {
    return Error{
        "the trace has several threads for a rank (these formats know ranks only); record the "
        "program with one"};
  }
  for (const trace::Call& call : trace.calls) {
    if (simulate::shape_of(call.function).family != simulate::CallShape::Family::access) continue;
    return Error{std::string(trace::function(call.function).name) +
                 " is one-sided (these formats have nothing that a process does at another one); "
                 "there is no way to export it"};
  }
  simulate::Machine simulated = machine;
  if (!how.has_meetings) {
    simulated.collectives = simulate::CollectiveModel::algorithms;
    synchronize_by_messages(simulated);
  }
  Collector collector(out);
  simulate::Options watched = how.options;
  watched.observer = &collector;
  const auto result = simulate::simulate(trace, simulated, watched);
  if (!result) return result.error();
  if (!result->blocked.empty())
    return Error{"its simulation ended in a deadlock; `reprise simulate` shows where"};
  if (!how.has_meetings && (collector.has_meetings() || collector.has_unblocking())) {
    return Error{
        "a collective in it is of an inter-communicator (which cannot be expressed as messages, "
        "and this format has nothing else); try --format dimemas"};
  }
  if (how.has_meetings && collector.has_unblocking()) {
    return Error{
        "a collective in it does not block (Dimemas charges a start-up for it, and the machine "
        "does not); leave --set collectives.model=dimemas out, so that it is written as messages"};
  }
  if (const int error = out.error(); error != 0) {
    return Error{std::string("its steps cannot be kept beside the output (") +
                 std::strerror(error) + "); choose an output in another folder"};
  }
  return {};
}

}  // namespace reprise::convert
