// Where the calls of one stream come from: a trace, or a log that has a line for each of them.
#pragma once

#include <string>

#include "trace/cursors/cursor.hpp"

namespace reprise::trace {

inline FunctionId function_of(const Event& event) {
  return static_cast<FunctionId>(event.function - functions().data());
}

class CallSource {
 public:
  virtual ~CallSource() = default;

  // The next call, valid until the one after it is asked for. Null behind the last one, or where
  // what follows makes no sense.
  virtual const Event* next() = 0;

  // Why the walk ended early, worded *problem (why); suggestion*; empty if it did not.
  virtual std::string problem() const = 0;
};

// The calls of one stream of a trace. REQUIRES: the trace outlives it and does not change.
class TraceSource : public CallSource {
 public:
  TraceSource(const Trace& trace, std::uint64_t stream) : cursor_(trace, stream) {}

  const Event* next() override { return cursor_.next() ? &cursor_.event() : nullptr; }
  std::string problem() const override {
    return cursor_.damaged()
               ? "the trace is damaged (a value in it makes no sense); record it again"
               : "";
  }

 private:
  Cursor cursor_;
};

}  // namespace reprise::trace
