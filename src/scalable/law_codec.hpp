// The laws of numbers and of times, as bytes within the section of laws (docs/trace_format.md).
// What is read is not trusted: sizes, nesting, indices and real numbers are bounded.
#pragma once

#include "base/bytes.hpp"
#include "extrapolate/scalable.hpp"
#include "extrapolate/times/scalable_times.hpp"

namespace reprise::scalable {

// What laws may refer to.
struct Bounds {
  std::size_t grids = 0, sites = 0, descents = 0;
  std::size_t variables = 0;  // of times: the number of ranks, and sizes
};

// law    := form:byte encoding:byte depth:varint? then by form; + 128 to the form of a law that the
//           user gave, + 64 if it is local, + 32 if there is a depth: 2 x descent, + 1 for that of
//           rank 0
//   0 series: series   1 terms: terms   2 indexed: number   3 distribution: n:varint curve{n}
//   4 none: series
// terms  := n:varint (value:number step:number count:number terms){n}
// number := expression flags:byte grid:varint
//   flags: 1 if ranks differ, + 2 x standing; grid: 0 for none, or 1 + its index
void encode_law(ByteWriter& out, const extrapolate::Law& law);
extrapolate::Law decode_law(ByteReader& in, const Bounds& bounds);

// descent := site:varint first:number goes_on:number
void encode_descent(ByteWriter& out, const extrapolate::Descent& descent);
extrapolate::Descent decode_descent(ByteReader& in, const Bounds& bounds);

// times := model:byte why:text, and unless the model is none:
//   timing sums:byte n:varint site:varint{n} stretch:curve n:varint time_law{n}
// `variables` are not in it: they are the number of ranks, and the sizes.
void encode_times(ByteWriter& out, const extrapolate::ScalableTimes& times);
extrapolate::ScalableTimes decode_times(ByteReader& in, const Bounds& bounds);

// curve := n:varint (coefficient:real n:varint (variable:varint exponent:real logs:varint){n}){n}
// real  := fixed64, IEEE 754
void encode_curve(ByteWriter& out, const fit::Curve& curve);
fit::Curve decode_curve(ByteReader& in, const Bounds& bounds);

void encode_real(ByteWriter& out, double value);
// A number from `least` to `most`, both included; anything else fails the reader.
double decode_real(ByteReader& in, double least, double most);

}  // namespace reprise::scalable
