#include "convert/perfetto/export.hpp"

#include <tuple>

#include "convert/flat/message_reader.hpp"
#include "convert/perfetto/track_file.hpp"
#include "convert/sorter.hpp"

namespace reprise::convert::perfetto {
namespace {

// An end of a message at the call that it belongs to.
struct FlowEnd {
  std::uint32_t rank = 0;
  bool is_receive = false;
  std::uint64_t call = 0;  // of the rank
  std::uint64_t id = 0;
  std::int64_t peer = 0, tag = 0, bytes = 0;

  bool operator<(const FlowEnd& other) const {
    return std::tie(rank, call, is_receive, id) <
           std::tie(other.rank, other.call, other.is_receive, other.id);
  }
};

// Streams are ranks: traces whose ranks have several threads are refused before.
class RankWriter {
 public:
  RankWriter(const trace::Trace& trace, const FlatComms& comms, const FlatRange& range,
             const std::string& path)
      : trace_(trace),
        comms_(comms),
        range_(range),
        path_(path),
        to_(trace, path),
        flows_(path + ".flows") {}

  std::uint64_t find_flows() {
    MessageEnds ends(path_ + ".messages");
    for_each_rank(trace_, comms_, nullptr, [&](std::uint64_t rank, FlatCalls& calls) {
      MessageReader messages(comms_, rank, ends);
      while (const FlatCall* const call = calls.next()) messages.read(*call, has(rank, *call));
    });
    std::uint64_t id = 0;
    const std::uint64_t lost = ends.join([&](const MessageEnd& s, const MessageEnd& r) {
      ++id;
      flows_.add({s.key.sender, false, s.call, id, s.key.receiver, s.key.tag, s.bytes});
      flows_.add({s.key.receiver, true, r.call, id, s.key.sender, s.key.tag, s.bytes});
    });
    error_ = ends.error();
    flows_.sort();
    next_flow_ = flows_.next();
    return lost;
  }

  void write_rank(std::uint64_t rank, FlatCalls& calls) {
    rank_ = rank;
    std::int64_t last = range_.from;
    for (std::uint64_t number = 0; const FlatCall* const call = calls.next(); ++number) {
      if (!has(rank, *call)) continue;
      if (call->begin > last) write_computation(last, call->begin);
      last = call->end;
      write_call(*call, number);
    }
  }

  Status close() {
    if (Status ok = to_.close(); !ok) return ok;
    const int error = error_ != 0 ? error_ : flows_.error();
    if (error != 0) return cannot_sort(path_, error);
    return {};
  }

 private:
  bool has(std::uint64_t rank, const FlatCall& call) const {
    return range_.has_rank(rank) && range_.has_time(call.begin, call.end);
  }

  void write_computation(std::int64_t begin, std::int64_t end) {
    to_.add(to_.begin_of_computation(rank_), begin);
    to_.add(to_.end(rank_), end);
  }

  // The next end of a message at a call of the rank; null: there is none.
  const FlowEnd* take_flow(std::uint64_t call, bool is_receive) {
    while (next_flow_ && std::tie(next_flow_->rank, next_flow_->call) <
                             std::tuple(static_cast<std::uint32_t>(rank_), call))
      next_flow_ = flows_.next();
    if (!next_flow_ || next_flow_->rank != rank_ || next_flow_->call != call ||
        next_flow_->is_receive != is_receive)
      return nullptr;
    flow_ = *next_flow_;
    next_flow_ = flows_.next();
    return &flow_;
  }

  void write_call(const FlatCall& call, std::uint64_t number) {
    TrackEvent begin = to_.begin_of_call(rank_, call.event->call);
    while (const FlowEnd* const sent = take_flow(number, false)) {
      begin.begin_flow(sent->id);
      describe_message(begin, *sent);
    }
    if (const FlatCollective* const c = collective_of(call)) {
      begin.add_argument(Argument::communicator, static_cast<std::int64_t>(c->comm));
      if (c->root) begin.add_argument(Argument::root, *c->root);
      begin.add_argument(Argument::sent, static_cast<std::int64_t>(c->buffers.sent));
      begin.add_argument(Argument::received, static_cast<std::int64_t>(c->buffers.received));
    }
    to_.add(begin, call.begin);
    while (const FlowEnd* const received = take_flow(number, true)) {
      TrackEvent message = to_.message(rank_);
      message.end_flow(received->id);
      describe_message(message, *received);
      to_.add(message, call.end);
    }
    to_.add(to_.end(rank_), call.end);
  }

  static void describe_message(TrackEvent& event, const FlowEnd& end) {
    event.add_argument(Argument::peer, end.peer);
    event.add_argument(Argument::tag, end.tag);
    event.add_argument(Argument::bytes, end.bytes);
  }

  const trace::Trace& trace_;
  const FlatComms& comms_;
  const FlatRange& range_;
  std::string path_;
  TrackFile to_;
  Sorter<FlowEnd> flows_;
  const FlowEnd* next_flow_ = nullptr;
  FlowEnd flow_;
  std::uint64_t rank_ = 0;
  int error_ = 0;  // errno of sorting the messages
};

}  // namespace

std::vector<std::string> files_of(const std::string& path) { return {path}; }

Result<FlatLosses> export_trace(const trace::Trace& trace, const std::string& path,
                                const FlatRange& range, const RanksWalked& progress) {
  const auto comms = FlatComms::of(trace);
  if (!comms) return comms.error();
  RankWriter writer(trace, *comms, range, path);
  FlatLosses losses;
  losses.messages = writer.find_flows();
  for_each_rank(trace, *comms, progress,
                [&](std::uint64_t rank, FlatCalls& calls) { writer.write_rank(rank, calls); });
  if (const Status ok = writer.close(); !ok) return ok.error();
  return losses;
}

}  // namespace reprise::convert::perfetto
