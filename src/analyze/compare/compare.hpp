// Where two traces differ: stream by stream and call by call, whatever their folding.
//
// Both are walked side by side. Where they part, a place within a window where three calls in a row
// agree again is the continuation, and the calls before it on both sides are paired
// (alignment.hpp): a call that was changed, added or removed is one difference.
// Memory: O(nodes), and the window.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "trace/cursors/cursor.hpp"

namespace reprise::analyze {

// What a comparison does not look at.
struct Ignored {
  bool callpaths = false;
  bool threads = false;    // which thread of a rank did what
  bool handles = false;    // which request is meant of those that may share a handle
  bool proc_null = false;  // buffers, counts and datatypes of messages to or from MPI_PROC_NULL
  bool matches = false;    // whom wildcards met, and which requests Waitany and the like completed
  std::set<std::string, std::less<>> columns;

  // From a word of the command line: callpaths, times, polls, handles, proc_null, matches, threads,
  // or a column. False: there is no such thing.
  bool add(const std::string& word);

  // Whether a column of a function is compared.
  bool keeps(const trace::Function& function, const trace::Column& column) const;
};

struct FirstDifference {
  std::uint64_t rank = 0, thread = 0;
  std::uint64_t position = 0;        // calls of the stream before it
  std::optional<std::string> a, b;   // the calls in full; none: the stream has ended
  std::string place_a, place_b;      // their call paths
  std::vector<std::string> columns;  // in which they differ, if the function is the same
};

struct CallCounts {
  std::uint64_t a = 0, b = 0;
};

struct Comparison {
  std::uint64_t ranks_a = 0, ranks_b = 0;  // not compared any further if they are not the same
  std::uint64_t differing_ranks = 0;
  std::optional<FirstDifference> first;
  std::uint64_t changed = 0;  // of the same function, with other parameters or at another call path
  std::uint64_t only_a = 0, only_b = 0;         // calls
  std::map<std::string, CallCounts> functions;  // all that are called; empty if nothing was walked
  bool damaged_a = false, damaged_b = false;

  bool equal() const { return ranks_a == ranks_b && differing_ranks == 0; }
};

Comparison compare(const trace::Trace& a, const trace::Trace& b, const Ignored& ignored);

}  // namespace reprise::analyze
