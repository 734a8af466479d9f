// The values that streams read of a value of a trace, and the streams that read the same.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "analyze/totals/memberships.hpp"
#include "program/laws/numbers.hpp"
#include "program/nodes/nest.hpp"

namespace reprise::program {

// The place where values are read: the streams that execute it, how often, and the loops around.
struct ValueSite {
  StreamSet streams;                                         // at least one
  std::function<std::uint64_t(std::uint64_t stream)> times;  // executions
  const Nest* nest = nullptr;                                // around the place
};

// The communicator of the ranks of a value.
struct PeerMeaning {
  bool is_world = false;
  std::function<analyze::PeerRange(std::uint64_t stream)> range;  // if it is not
};

// Streams that have the same of something that varies.
struct Alike {
  trace::Series series;
  std::uint64_t length = 0;  // most values on one of the streams
  Streams streams;
  trace::Encoding encoding = trace::Encoding::absolute;
};

// One number for ever, by stream, or series.
struct Split {
  std::vector<Sample> numbers;
  std::vector<Alike> series;
};

// Keeps the answers of analyze::recurs: many streams share a series. REQUIRES: the series outlive
// this, unchanged.
class Recurrences {
 public:
  // As analyze::recurs.
  bool recurs(const trace::Series& series, std::uint64_t period, std::uint64_t n);

 private:
  std::map<std::tuple<const trace::Series*, std::uint64_t, std::uint64_t>, bool> known_;
};

// `encoding`: in which ranks are written, and left.
Split split(const trace::Value& value, const ValueSite& site, trace::Encoding encoding);

// Turns numbers to ranks of the communicator where it is known, and to series of the numbers as
// they are written where it is not. Returns the places of the streams in it, by number.
Places decode(Split& split, trace::Encoding encoding, const ValueSite& site,
              const PeerMeaning& peers, std::int64_t ranks, std::uint64_t threads);

// A series, and to which executions its first values belong.
struct Entered {
  Alike alike;
  Entry entry;
};

std::vector<Entered> entered(std::vector<Alike> groups, const ValueSite& site);

// Streams that read a shorter part of the same series are in one group with those that read more.
std::vector<Entered> join_prefixes(std::vector<Entered> groups);

}  // namespace reprise::program
