// One column, or the trips of one item, over consecutive streams: what a merge unifies.
//
// Streams with equal series share one. Ranks of a communicator are held in every encoding at once
// (absolute, relative, exclusive or), since which of them makes the streams alike is known only
// when all have been seen; an encoding that falls far behind is dropped on the way.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/values/value.hpp"

namespace reprise::compress {

// A sequence of series, one a stream, without repeating equal ones.
class SharedSeries {
 public:
  SharedSeries() = default;
  SharedSeries(trace::Series series, std::uint64_t streams) { add(std::move(series), streams); }

  // Puts the streams of `next` behind those here. Cost: near-linear in its classes and runs.
  void append(SharedSeries&& next);
  void add(trace::Series series, std::uint64_t streams);
  void add_absent(std::uint64_t streams) { add_run(kAbsent, streams); }

  std::size_t classes() const { return series_.size(); }
  trace::Value finish(trace::Encoding encoding) const& {
    return SharedSeries(*this).finish(encoding);
  }
  // Gives its series away.
  trace::Value finish(trace::Encoding encoding) &&;

  // shared := varint classes, series{classes}, varint runs, (varint class + 1 or 0, varint n){runs}
  void encode(ByteWriter& out) const;
  static SharedSeries decode(ByteReader& in);

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};  // streams that never execute it

  void add_run(std::uint32_t index, std::uint64_t streams);
  trace::Series spread(const std::vector<std::int64_t>& value_of_class) const;

  // Up to so many series are compared one by one.
  static constexpr std::size_t kMostCompared = 8;

  std::uint32_t class_of(const trace::Series& series);

  std::vector<trace::Series> series_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;     // hash of a series -> its class
  std::vector<std::pair<std::uint32_t, std::uint64_t>> runs_;  // (class, streams)
};

class StreamValues {
 public:
  StreamValues() = default;
  // A column that is the same in every encoding, on so many streams.
  explicit StreamValues(trace::Series series, std::uint64_t streams = 1);
  // A column of ranks: the series in each encoding, in the order of `Encoding`.
  explicit StreamValues(std::vector<trace::Series> encoded);

  // A column of streams that never execute it.
  static StreamValues absent(std::uint64_t streams = 1);

  void append(StreamValues&& next);
  // The shortest of the encodings that are left.
  trace::Value finish() const& { return StreamValues(*this).finish(); }
  // Gives its series away.
  trace::Value finish() &&;

  // values := varint forms, varint absent, (byte encoding, shared){forms}
  void encode(ByteWriter& out) const;
  static StreamValues decode(ByteReader& in);

 private:
  struct Form {
    trace::Encoding encoding;
    SharedSeries shared;
  };

  void drop_hopeless();

  std::vector<Form> forms_;   // none if no stream executes it
  std::uint64_t absent_ = 0;  // streams, while there are no forms
};

}  // namespace reprise::compress
