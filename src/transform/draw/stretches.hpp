// Stretches of point-to-point calls that all ranks come to equally often and that are closed: what
// is sent in them is received in them, each time.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/program.hpp"

namespace reprise::transform {

// A message of a stretch. Its round is the length of the longest chain of messages of the stretch
// that its sender had received before, each sent by a rank that had received the one before.
struct StretchMessage {
  std::int64_t sender = 0, receiver = 0;
  std::int64_t bytes = 0;
  std::size_t round = 0;
};

struct Stretch {
  const trace::Item* body = nullptr;               // whose children they are
  std::size_t first = 0, end = 0;                  // of the children
  std::vector<std::uint32_t> calls;                // within, in order
  std::uint64_t executions = 0, polls = 0;         // of its calls, on all streams; those that poll
  std::vector<std::vector<StretchMessage>> times;  // the messages of each time
};

// Walks the calls of a stream, and tells of the times that it comes to stretches.
class StretchWalk {
 public:
  // REQUIRES: both outlive it.
  StretchWalk(const trace::Trace& trace, const std::vector<Stretch>& stretches);

  struct Visitor {
    virtual ~Visitor() = default;
    virtual void begin(std::size_t stretch) = 0;
    virtual void call(const trace::Event& event) = 0;
    virtual void end(std::size_t stretch) = 0;
  };
  // False: the trace is damaged.
  bool run(std::uint64_t stream, Visitor& visitor) const;

 private:
  struct Walking;
  bool item(const trace::Item& item, Walking& walking) const;

  const trace::Trace& trace_;
  const std::vector<Stretch>& stretches_;
  std::unordered_map<const trace::Item*, std::vector<std::size_t>> of_body_;
};

// The shortest closed ones of which a call is irregular. Fails if there are irregular messages that
// are in none, and says why. REQUIRES: one thread a rank. Cost: all calls, a few times.
Result<std::vector<Stretch>> find_stretches(
    const trace::Trace& trace, const std::function<bool(std::uint32_t call)>& is_irregular);

}  // namespace reprise::transform
