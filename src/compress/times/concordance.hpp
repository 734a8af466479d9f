// Whether streams are slow at the same time: the share of a delta's variation over executions that
// all of them have in common. Where computation follows the data of a time step, its long
// executions coincide everywhere, and waiting is short; where it follows noise, each rank waits for
// the slowest of all. A histogram alone cannot tell the two apart, and a replay must.
//
// Every stream keeps the values of some executions, the same ones everywhere: those whose number
// has a hash that ends in `level` zeros, the level rising as the sample fills. Constant space;
// one comparison a value.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace reprise::compress {

// The values of one stream, as they come.
class ExecutionSample {
 public:
  static constexpr std::size_t kMost = 32;

  void add(std::int64_t value) {
    if (executions_++ == next_) take(value);
  }
  // Every value times `factor`, as from one unit of time into another. `factor` > 0.
  void scale(double factor);

  // sample := varint level, varint taken, (varint execution, signed value){taken}
  void encode(ByteWriter& out) const;
  static ExecutionSample decode(ByteReader& in);

 private:
  friend class Concordance;

  struct Taken {
    std::uint64_t execution;
    std::int64_t value;
  };

  void take(std::int64_t value);

  std::vector<Taken> taken_;
  std::uint64_t executions_ = 0;
  std::uint64_t next_ = 0;  // to be taken
  unsigned level_ = 0;
};

// The samples of any number of streams.
class Concordance {
 public:
  Concordance() = default;
  // Values count relative to `mean`, so that a stream that is always slow does not matter.
  Concordance(const ExecutionSample& sample, double mean);

  void merge(const Concordance& other);

  // The intraclass correlation of one-way analysis of variance, ICC(1) (Shrout & Fleiss 1979),
  // where executions are the classes; 0 to 1. 0 if nothing varies, or for a single stream.
  double share() const;

  // concordance := varint level, varint rows, (varint execution, varint streams, float sum,
  //                float squares){rows}
  void encode(ByteWriter& out) const;
  static Concordance decode(ByteReader& in);

 private:
  struct Row {
    std::uint64_t execution = 0;
    std::uint64_t streams = 0;
    double sum = 0, squares = 0;
  };

  void raise(unsigned level);

  std::vector<Row> rows_;  // by execution
  unsigned level_ = 0;
};

}  // namespace reprise::compress
