#include "convert/steps.hpp"

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "simulate/call_shape.hpp"

namespace reprise::convert {
namespace {

using simulate::Channel;
using simulate::Picoseconds;

class Collector : public simulate::Observer {
 public:
  explicit Collector(std::uint64_t ranks) : steps(ranks) {}

  void computes(std::uint64_t stream, simulate::Interval during) override {
    // What rounding leaves over goes to the next.
    const Picoseconds all = during.to - during.from + rest_[stream];
    const std::int64_t ns = all / simulate::kPicosecondsPerNanosecond;
    rest_[stream] = all % simulate::kPicosecondsPerNanosecond;
    if (ns > 0) steps[stream].push_back({.what = Step::Do::compute, .span = ns});
  }
  void spends(std::uint64_t stream, simulate::Interval during) override {
    computes(stream, during);
  }
  void calls(std::uint64_t, mpi::SiteId, simulate::Interval) override {}
  void message(const simulate::Flight&) override {}

  void sends(std::uint64_t stream, const Channel& c, std::int64_t bytes, simulate::SendMode mode,
             std::uint32_t operation) override {
    place_[operation] = {stream, steps[stream].size()};
    steps[stream].push_back({.what = Step::Do::send,
                             .peer = c.receiver,
                             .tag = tag_of(c),
                             .number = numbers_[{c.source, c.receiver}]++,
                             .bytes = bytes,
                             .is_synchronous = mode == simulate::SendMode::synchronous});
    const Step& step = steps[stream].back();
    sent_[{c.source, c.receiver, step.tag}].push_back({bytes, step.number});
  }
  void receives(std::uint64_t stream, const Channel& c, std::uint32_t operation) override {
    place_[operation] = {stream, steps[stream].size()};
    steps[stream].push_back({.what = Step::Do::receive, .peer = c.source, .tag = 0});
  }
  void meets(std::uint32_t operation, const Channel& c) override {
    const auto [stream, at] = place_[operation];
    Step& step = steps[stream][at];
    step.peer = c.source;
    step.tag = tag_of(c);
    auto& sent = sent_[{c.source, c.receiver, step.tag}];
    if (sent.empty()) return;
    step.bytes = sent.front().bytes;
    step.number = sent.front().number;
    sent.pop_front();
  }
  void waits(std::uint64_t stream, std::uint32_t operation) override {
    const auto found = place_.find(operation);
    if (found == place_.end() || found->second.first != stream) return;
    const std::size_t at = found->second.second;
    if (at + 1 == steps[stream].size()) {
      steps[stream][at].is_blocking = true;
    } else {
      steps[stream].push_back({.what = Step::Do::wait, .operation = at});
    }
    place_.erase(found);
  }

  Steps steps;

 private:
  struct Sent {
    std::int64_t bytes = 0;
    std::uint64_t number = 0;
  };
  using Pair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  std::uint32_t tag_of(const Channel& c) {
    const auto next = static_cast<std::uint32_t>(tags_.size());
    return tags_.emplace(std::pair(c.context, c.tag), next).first->second;
  }

  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> tags_;
  std::unordered_map<std::uint32_t, std::pair<std::uint64_t, std::size_t>> place_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> numbers_;
  std::map<Pair, std::deque<Sent>> sent_;
  std::unordered_map<std::uint64_t, Picoseconds> rest_;
};

// So that nobody goes on before all have come, where the machine makes them wait.
void synchronise_by_messages(simulate::Making& making) {
  if (making.steps == simulate::Steps::none) return;
  making.steps = simulate::Steps::none;
  const simulate::Exchanges all = {{simulate::Collective::allreduce}};
  for (simulate::Exchanges* e : {&making.split, &making.communicator, &making.window}) {
    if (e->empty()) *e = all;
  }
}

}  // namespace

Result<Steps> steps_of(const trace::Trace& trace, const simulate::Machine& machine,
                       const simulate::Options& options) {
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
  simulate::Machine by_messages = machine;
  by_messages.collectives = simulate::CollectiveModel::algorithms;
  synchronise_by_messages(by_messages.making);
  Collector collector(trace.ranks);
  simulate::Options watched = options;
  watched.observer = &collector;
  const auto out = simulate::simulate(trace, by_messages, watched);
  if (!out) return out.error();
  if (!out->blocked.empty())
    return Error{"its simulation came to a deadlock; `reprise simulate` says where"};
  return std::move(collector.steps);
}

}  // namespace reprise::convert
