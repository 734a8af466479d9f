// One parameter of a call, or the trips of a loop, as a function of (stream, execution).
//
// A stream is what one thread of one rank did, in order; stream = rank x threads + thread. Streams
// whose series are the same share it. This is the (value, ranklist) pairs of the literature, kept
// as "which series does each stream follow", itself a folded sequence: the ranks of one value
// form strided sections, and so do the values over the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/series/series.hpp"

namespace reprise::trace {

// A stream's place in a communicator or window. Of an inter-communicator the size is that of the
// remote group, whose ranks peers are.
struct Membership {
  std::int64_t rank = 0, size = 0;

  bool is_known() const { return size > 0; }
  bool operator==(const Membership&) const = default;
};

// How ranks of a communicator are written down; `rank` and `size` are the stream's there. Special
// values stand for themselves in every encoding.
enum class Encoding : std::uint8_t {
  absolute = 0,      // v
  relative = 1,      // (v - rank) mod size
  exclusive_or = 2,  // v xor rank
};

// The rank that `written` stands for. Negative numbers are written as themselves, and so are, in
// the relative encoding, those from `size` on.
std::int64_t decode_rank(Encoding encoding, std::int64_t written, Membership of);
std::int64_t encode_rank(Encoding encoding, std::int64_t value, Membership of);

struct Value {
  Encoding encoding = Encoding::absolute;
  // Without classes: the value of each stream, the same in all of its executions.
  // With two classes or more: the class that each stream follows. With one class: empty.
  Series by_stream;
  std::vector<Series> classes;  // each over the executions of a stream

  static Value constant(std::int64_t v) {
    return {.by_stream = Series::constant(v), .classes = {}};
  }

  // Every stream and every execution has the value that `by_stream.at(0)` tells.
  bool is_constant() const { return classes.empty() && by_stream.is_constant(); }
  // The series that a stream follows, or null when the value is one number a stream.
  const Series* series_of(std::uint64_t stream) const;
  // The stream's value. REQUIRES: series_of(stream) is null.
  std::int64_t constant_of(std::uint64_t stream) const { return by_stream.at(stream); }

  bool operator==(const Value&) const = default;

  // value := head byte, then by form
  //   128 + v           the constant v < 112 everywhere, absolute
  //   encoding << 2 | 0 series by_stream
  //   encoding << 2 | 1 value: the same everywhere
  //   encoding << 2 | 2 series: that every stream follows
  //   encoding << 2 | 3 varint classes, series{classes}, series by_stream
  void encode(ByteWriter& out) const;
  static Value decode(ByteReader& in);
};

// Walks the executions of one stream.
class ValueCursor {
 public:
  ValueCursor() = default;
  ValueCursor(const Value& value, std::uint64_t stream) {
    if (const Series* series = value.series_of(stream)) {
      series_ = SeriesCursor(*series);
      constant_ = false;
    } else {
      value_ = value.constant_of(stream);
    }
  }

  bool is_constant() const { return constant_; }
  // The next value; 0 behind the end.
  std::int64_t next() { return constant_ ? value_ : series_.next(); }

 private:
  SeriesCursor series_;
  std::int64_t value_ = 0;
  bool constant_ = true;
};

}  // namespace reprise::trace
