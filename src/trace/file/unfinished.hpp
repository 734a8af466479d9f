// Calls that had not returned when the run ended: where each rank was blocked. They are no part of
// the program that cursors walk, but a section of the trace (docs/trace_format.md, section 11).
#pragma once

#include <optional>
#include <vector>

#include "trace/program.hpp"

namespace reprise::trace {

inline constexpr std::string_view kUnfinishedSection = "unfinished";
inline constexpr std::uint64_t kUnfinishedVersion = 2;
inline constexpr std::int64_t kMaxSignal = 64;  // of Linux
// In place of a signal: the process called exit; it ended and left no word of it, as after SIGKILL,
// _exit or a fatal error of MPI; it was still running when its part was read; it left no part; it
// left no word either, and whether it was running could not be seen where its part was read.
inline constexpr std::int64_t kExited = 65, kVanished = 66, kRunning = 67, kNoPart = 68,
                              kUnseen = 69;

// A call that streams had begun and not completed. What would have come out of it is kNone.
struct UnfinishedCall {
  Call call;
  Value trips;  // by stream: 1 where it is the stream's last call, else 0
};

struct Unfinished {
  std::vector<UnfinishedCall> calls;
  // By stream: how long the call had been under way when that was last looked at [s].
  Value waited = Value::constant(0);
  // By stream: completed calls between the last one in the trace and the end.
  Value missing = Value::constant(0);
  // By stream: the signal that ended its process, if it came to this thread, or kExited if this
  // thread called exit; kVanished to kUnseen stand with the first thread; else 0.
  Value signal = Value::constant(0);
  // By stream: 1 where it came to a thread of the process that made no calls, and stands with the
  // first one.
  Value is_signal_elsewhere = Value::constant(0);

  bool empty() const;
  // unfinished := value waited, value missing, value signal, value is_signal_elsewhere, varint
  // calls,
  //               (text function, varint columns, varint callpath, value{columns}, value trips)*
  void encode(ByteWriter& out) const;
  // Version 1 of the section has no signals.
  static Unfinished decode(ByteReader& in, std::size_t callpaths, std::uint64_t version);
};

// What a trace says of the end of its run; none: every call of it returned.
std::optional<Unfinished> unfinished_of(const Trace& trace);
// Puts it into the trace, in place of what is there.
void set_unfinished(Trace& trace, const Unfinished& unfinished);
// Why the section of a trace that was read makes no sense; empty if it does.
std::string problem_of_unfinished(const Trace& trace);

// The program with each unfinished call as the last one of its streams, and without the section.
Trace with_unfinished(const Trace& trace);
// A program of the unfinished calls alone.
Trace only_unfinished(const Trace& trace);

}  // namespace reprise::trace
