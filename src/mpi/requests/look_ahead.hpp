// What receives meet that are posted with a wildcard and learn it only when they complete: a second
// walk runs ahead of the replay, on the same stream, to where each of them completes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "mpi/requests/pending.hpp"
#include "trace/cursors/call_source.hpp"

namespace reprise::mpi {

struct Match {
  enum class Kind {
    unknown,  // it was not recorded, or completes too far ahead
    message,  // from `source` with `tag`
    nobody,   // it never received anything
  };
  Kind kind = Kind::unknown;
  std::int64_t source = 0, tag = 0;
};

// An *activation* is a wildcard receive that is posted: MPI_Irecv, or the start of a persistent
// one. Cost: the stream is walked once more. Memory: O(nodes), and the activations between one and
// its completion, of which there may be kMaxAhead.
class LookAhead {
 public:
  static constexpr std::size_t kMaxAhead = std::size_t{1} << 20;

  LookAhead(const trace::Trace& trace, std::uint64_t stream)
      : LookAhead(std::make_unique<trace::TraceSource>(trace, stream)) {}
  // All calls of the stream, from the first on.
  explicit LookAhead(std::unique_ptr<trace::CallSource> calls) : calls_(std::move(calls)) {}

  // Whether a trace has such receives at all.
  static bool is_needed(const trace::Trace& trace);

  // What the next activation of the stream meets, in the order in which they are made.
  Match next();

 private:
  static constexpr std::uint64_t kNotWild = ~std::uint64_t{0};

  struct Request {
    bool wildcard = false;
    std::uint64_t activation = kNotWild;  // counted from the stream's beginning
  };
  struct Activation {
    bool known = false;
    Match match;
  };

  bool advance();
  void activate(Request& request);
  void settle(Request& request, Match match);
  void complete(const trace::Event& event);

  std::unique_ptr<trace::CallSource> calls_;
  Pending<Request> pending_;
  std::deque<Activation> activations_;  // not yet asked for
  std::uint64_t first_ = 0;             // number of the front of `activations_`
  std::vector<std::int64_t> scratch_;
  bool at_end_ = false;
};

}  // namespace reprise::mpi
