// The times of calls in the file.
//
//   times     := delta communicate, varint paths, path{paths}, value arrivals if paths > 1
//   path      := varint from, delta compute, varint modes, then unless 0: delta{modes}, value
//   mode_of delta     := varint classes x 8 + concordant x 4 + sums, then unless there are no
//   classes:
//                shared counts, shared class_of if classes > 1, series if sums > 0,
//                histogram{classes}, varint min_stream, varint max_stream, byte concordance x 255
//                if concordant
//   shared    := varint n: the n-th shared series so far, counted from 1, or 0 and a series, which
//                becomes the next
//   histogram := varint bins, then exact bins, or rounded ones if the trace has a precision
#pragma once

#include <map>
#include <vector>

#include "trace/times/rounding.hpp"
#include "trace/times/times.hpp"

namespace reprise::trace {

class TimesWriter {
 public:
  TimesWriter(ByteWriter& out, const Timing& timing, std::uint64_t streams);

  // Calls come in the order of their numbers. REQUIRES, where the timing has a precision: a delta's
  // bins hold as many durations as its counts.
  void write(const CallTimes& times);

 private:
  void write(const DeltaTimes& delta);
  void write_shared(const Series& series);
  void write_path(const Path& path);

  ByteWriter& out_;
  Rounding rounding_;
  std::uint64_t streams_;
  std::uint64_t call_ = 0;
  std::map<std::vector<std::uint8_t>, std::uint64_t> shared_;
};

class TimesReader {
 public:
  // `calls`: of the trace.
  TimesReader(ByteReader& in, const Timing& timing, std::uint64_t calls, std::uint64_t streams);

  CallTimes read();

 private:
  DeltaTimes read_delta(std::uint64_t sum_step);
  Series read_shared();
  Path read_path();

  ByteReader& in_;
  const Timing& timing_;
  Rounding rounding_;
  std::uint64_t calls_, streams_;
  std::uint64_t call_ = 0;
  std::vector<Series> shared_;
};

}  // namespace reprise::trace
