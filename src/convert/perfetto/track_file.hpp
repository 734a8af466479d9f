// A file of Perfetto's track events: a track for each stream of a trace, with slices for calls and
// computation, and flows for messages. All that Reprise shows in Perfetto is written here.
#pragma once

#include <cstdint>
#include <string>

#include "convert/perfetto/packets.hpp"
#include "trace/program.hpp"

namespace reprise::convert::perfetto {

// Arguments of events, by their interned names from 1 on.
enum class Argument : std::uint64_t { peer = 1, tag, bytes, communicator, root, sent, received };

// An event of a track while it is described.
class TrackEvent {
 public:
  void add_argument(Argument argument, std::int64_t value);
  // A flow connects two events with the same number.
  void begin_flow(std::uint64_t number);
  void end_flow(std::uint64_t number);

 private:
  friend class TrackFile;
  TrackEvent(std::uint64_t type, std::uint64_t track);

  Message message_;
};

class TrackFile {
 public:
  // Writes the tracks and the names of slices: those of calls are their functions and places.
  // REQUIRES: the trace outlives it and does not change.
  TrackFile(const trace::Trace& trace, const std::string& path);

  // A slice lasts from its begin to the next end on its track.
  TrackEvent begin_of_call(std::uint64_t stream, std::uint32_t call) const;
  TrackEvent begin_of_computation(std::uint64_t stream) const;
  TrackEvent end(std::uint64_t stream) const;
  // An event without duration, named "message".
  TrackEvent message(std::uint64_t stream) const;

  void add(const TrackEvent& event, std::int64_t time);  // [ns]

  // An error: not all of it could be written.
  Status close() { return to_.close(); }

 private:
  TrackEvent named(std::uint64_t type, std::uint64_t stream, std::uint64_t name) const;
  std::uint64_t computation_name() const { return trace_.calls.size() + 1; }
  std::uint64_t message_name() const { return trace_.calls.size() + 2; }
  Message names() const;
  void add_process();
  void add_track(std::uint64_t stream);

  const trace::Trace& trace_;
  PacketFile to_;
};

}  // namespace reprise::convert::perfetto
