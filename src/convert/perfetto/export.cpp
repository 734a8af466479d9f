#include "convert/perfetto/export.hpp"

#include <algorithm>
#include <tuple>

#include "base/printable.hpp"
#include "convert/flat/message_reader.hpp"
#include "convert/perfetto/packets.hpp"
#include "convert/sorter.hpp"
#include "trace/places.hpp"

namespace reprise::convert::perfetto {
namespace {

// Fields of Perfetto's schema, by message.
namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12,
                        kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;
}  // namespace packet
namespace track {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4;
constexpr std::uint32_t kProcessPid = 1, kProcessName = 6;
constexpr std::uint32_t kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
}  // namespace track
namespace event {
constexpr std::uint32_t kAnnotation = 4, kType = 9, kNameId = 10, kTrack = 11, kFlow = 47,
                        kTerminatingFlow = 48;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3;
constexpr std::uint32_t kAnnotationNameId = 1, kAnnotationInt = 4;
}  // namespace event
namespace interned {
constexpr std::uint32_t kEventNames = 2, kAnnotationNames = 3, kId = 1, kName = 2;
}  // namespace interned

constexpr std::uint64_t kPid = 1, kWriter = 1;

// Arguments of slices, by their interned names from 1 on.
enum class Argument : std::uint64_t { peer = 1, tag, bytes, communicator, root, sent, received };
constexpr const char* kArguments[] = {"peer", "tag",  "bytes",   "communicator",
                                      "root", "sent", "received"};

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

class TrackWriter {
 public:
  TrackWriter(const trace::Trace& trace, const FlatComms& comms, const FlatRange& range,
              const std::string& path)
      : trace_(trace), comms_(comms), range_(range), to_(path), flows_(path + ".flows") {}

  std::uint64_t find_flows(const std::string& path) {
    MessageEnds ends(path + ".messages");
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
    good_ = good_ && ends.is_good();
    flows_.sort();
    next_flow_ = flows_.next();
    return lost;
  }

  void write_tracks() {
    Message process, descriptor;
    process.number(track::kProcessPid, kPid);
    process.text(track::kProcessName, printable(trace_.program));
    descriptor.number(track::kUuid, trace_.ranks + 1);
    descriptor.message(track::kProcess, process);
    Message first;
    first.number(packet::kSequence, kWriter);
    first.number(packet::kSequenceFlags, packet::kStateCleared);
    first.message(packet::kTrackDescriptor, descriptor);
    first.message(packet::kInterned, names());
    to_.add(first);
    for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank) {
      Message thread, of_rank, packet;
      thread.number(track::kThreadPid, kPid);
      thread.number(track::kThreadTid, rank + 1);
      thread.text(track::kThreadName, "rank " + std::to_string(rank));
      of_rank.number(track::kUuid, rank + 1);
      of_rank.text(track::kName, "rank " + std::to_string(rank));
      of_rank.message(track::kThread, thread);
      packet.number(packet::kSequence, kWriter);
      packet.message(packet::kTrackDescriptor, of_rank);
      to_.add(packet);
    }
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

  bool close() { return to_.close() && good_ && flows_.is_good(); }

 private:
  bool has(std::uint64_t rank, const FlatCall& call) const {
    return range_.has_rank(rank) && range_.has_time(call.begin, call.end);
  }

  std::uint64_t computation() const { return trace_.calls.size() + 1; }
  std::uint64_t message() const { return trace_.calls.size() + 2; }

  // Slices are named by their function and place.
  Message names() const {
    const trace::Places places(trace_);
    Message out;
    const auto add = [&](std::uint32_t field, std::uint64_t id, const std::string& name) {
      Message entry;
      entry.number(interned::kId, id);
      entry.text(interned::kName, name);
      out.message(field, entry);
    };
    for (std::size_t c = 0; c < trace_.calls.size(); ++c)
      add(interned::kEventNames, c + 1, printable(places.call_text(trace_.calls[c])));
    add(interned::kEventNames, computation(), "compute");
    add(interned::kEventNames, message(), "message");
    for (std::size_t a = 0; a < std::size(kArguments); ++a)
      add(interned::kAnnotationNames, a + 1, kArguments[a]);
    return out;
  }

  Message event_of(std::uint64_t type) const {
    Message out;
    out.number(event::kType, type);
    out.number(event::kTrack, rank_ + 1);
    return out;
  }

  void add(const Message& event, std::int64_t time) {
    Message packet;
    packet.number(packet::kTimestamp, static_cast<std::uint64_t>(time));
    packet.number(packet::kSequence, kWriter);
    packet.number(packet::kSequenceFlags, packet::kNeedsState);
    packet.message(packet::kTrackEvent, event);
    to_.add(packet);
  }

  static void argue(Message& event, Argument argument, std::int64_t value) {
    Message annotation;
    annotation.number(event::kAnnotationNameId, static_cast<std::uint64_t>(argument));
    annotation.number(event::kAnnotationInt, static_cast<std::uint64_t>(value));
    event.message(event::kAnnotation, annotation);
  }

  void write_computation(std::int64_t begin, std::int64_t end) {
    Message event = event_of(event::kBegin);
    event.number(event::kNameId, computation());
    add(event, begin);
    add(event_of(event::kEnd), end);
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
    Message begin = event_of(event::kBegin);
    begin.number(event::kNameId, call.event->call + 1);
    while (const FlowEnd* const sent = take_flow(number, false)) {
      begin.fixed(event::kFlow, sent->id);
      describe_message(begin, *sent);
    }
    if (const FlatCollective* const c = collective_of(call)) {
      argue(begin, Argument::communicator, static_cast<std::int64_t>(c->comm));
      if (c->root) argue(begin, Argument::root, *c->root);
      argue(begin, Argument::sent, static_cast<std::int64_t>(c->buffers.sent));
      argue(begin, Argument::received, static_cast<std::int64_t>(c->buffers.received));
    }
    add(begin, call.begin);
    while (const FlowEnd* const received = take_flow(number, true)) {
      Message instant = event_of(event::kInstant);
      instant.number(event::kNameId, message());
      instant.fixed(event::kTerminatingFlow, received->id);
      describe_message(instant, *received);
      add(instant, call.end);
    }
    add(event_of(event::kEnd), call.end);
  }

  static void describe_message(Message& event, const FlowEnd& end) {
    argue(event, Argument::peer, end.peer);
    argue(event, Argument::tag, end.tag);
    argue(event, Argument::bytes, end.bytes);
  }

  const trace::Trace& trace_;
  const FlatComms& comms_;
  const FlatRange& range_;
  PacketFile to_;
  Sorter<FlowEnd> flows_;
  const FlowEnd* next_flow_ = nullptr;
  FlowEnd flow_;
  std::uint64_t rank_ = 0;
  bool good_ = true;
};

}  // namespace

std::vector<std::string> files_of(const std::string& path) { return {path}; }

Result<FlatLosses> export_trace(const trace::Trace& trace, const std::string& path,
                                const FlatRange& range, const RanksWalked& progress) {
  const auto comms = FlatComms::of(trace);
  if (!comms) return comms.error();
  TrackWriter writer(trace, *comms, range, path);
  FlatLosses losses;
  losses.messages = writer.find_flows(path);
  writer.write_tracks();
  for_each_rank(trace, *comms, progress,
                [&](std::uint64_t rank, FlatCalls& calls) { writer.write_rank(rank, calls); });
  if (!writer.close()) return Error{path + " cannot be written (there is no room)"};
  return losses;
}

}  // namespace reprise::convert::perfetto
