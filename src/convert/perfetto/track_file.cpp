#include "convert/perfetto/track_file.hpp"

#include "base/printable.hpp"
#include "trace/calls/places.hpp"

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

constexpr const char* kArguments[] = {"peer", "tag",  "bytes",   "communicator",
                                      "root", "sent", "received"};

std::uint64_t track_of(std::uint64_t stream) { return stream + 1; }

std::string track_name(const trace::Trace& trace, std::uint64_t stream) {
  const std::string rank = "rank " + std::to_string(stream / trace.threads);
  if (trace.threads == 1) return rank;
  return rank + " thread " + std::to_string(stream % trace.threads);
}

}  // namespace

TrackEvent::TrackEvent(std::uint64_t type, std::uint64_t track) {
  message_.number(event::kType, type);
  message_.number(event::kTrack, track);
}

void TrackEvent::add_argument(Argument argument, std::int64_t value) {
  Message annotation;
  annotation.number(event::kAnnotationNameId, static_cast<std::uint64_t>(argument));
  annotation.number(event::kAnnotationInt, static_cast<std::uint64_t>(value));
  message_.message(event::kAnnotation, annotation);
}

void TrackEvent::begin_flow(std::uint64_t number) { message_.fixed(event::kFlow, number); }

void TrackEvent::end_flow(std::uint64_t number) { message_.fixed(event::kTerminatingFlow, number); }

TrackFile::TrackFile(const trace::Trace& trace, const std::string& path)
    : trace_(trace), to_(path) {
  add_process();
  for (std::uint64_t stream = 0; stream < trace.streams(); ++stream) add_track(stream);
}

TrackEvent TrackFile::named(std::uint64_t type, std::uint64_t stream, std::uint64_t name) const {
  TrackEvent out(type, track_of(stream));
  out.message_.number(event::kNameId, name);
  return out;
}

TrackEvent TrackFile::begin_of_call(std::uint64_t stream, std::uint32_t call) const {
  return named(event::kBegin, stream, call + std::uint64_t{1});
}

TrackEvent TrackFile::begin_of_computation(std::uint64_t stream) const {
  return named(event::kBegin, stream, computation_name());
}

TrackEvent TrackFile::end(std::uint64_t stream) const { return {event::kEnd, track_of(stream)}; }

TrackEvent TrackFile::message(std::uint64_t stream) const {
  return named(event::kInstant, stream, message_name());
}

void TrackFile::add(const TrackEvent& event, std::int64_t time) {
  Message packet;
  packet.number(packet::kTimestamp, static_cast<std::uint64_t>(time));
  packet.number(packet::kSequence, kWriter);
  packet.number(packet::kSequenceFlags, packet::kNeedsState);
  packet.message(packet::kTrackEvent, event.message_);
  to_.add(packet);
}

Message TrackFile::names() const {
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
  add(interned::kEventNames, computation_name(), "compute");
  add(interned::kEventNames, message_name(), "message");
  for (std::size_t a = 0; a < std::size(kArguments); ++a)
    add(interned::kAnnotationNames, a + 1, kArguments[a]);
  return out;
}

void TrackFile::add_process() {
  Message process, descriptor, packet;
  process.number(track::kProcessPid, kPid);
  process.text(track::kProcessName, printable(trace_.program));
  descriptor.number(track::kUuid, track_of(trace_.streams()));
  descriptor.message(track::kProcess, process);
  packet.number(packet::kSequence, kWriter);
  packet.number(packet::kSequenceFlags, packet::kStateCleared);
  packet.message(packet::kTrackDescriptor, descriptor);
  packet.message(packet::kInterned, names());
  to_.add(packet);
}

void TrackFile::add_track(std::uint64_t stream) {
  const std::string name = track_name(trace_, stream);
  Message thread, descriptor, packet;
  thread.number(track::kThreadPid, kPid);
  thread.number(track::kThreadTid, track_of(stream));
  thread.text(track::kThreadName, name);
  descriptor.number(track::kUuid, track_of(stream));
  descriptor.text(track::kName, name);
  descriptor.message(track::kThread, thread);
  packet.number(packet::kSequence, kWriter);
  packet.message(packet::kTrackDescriptor, descriptor);
  to_.add(packet);
}

}  // namespace reprise::convert::perfetto
