// For tests: whether an explained program does what the trace does.
#pragma once

#include <gtest/gtest.h>

#include "analyze/text/describe.hpp"
#include "program/build.hpp"
#include "program/evaluate.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::program {

// The first difference; empty if there is none. Every call of every stream is compared, with every
// value, but for what comes after so many calls of a stream.
inline std::string first_difference(const trace::Trace& trace, std::uint64_t most) {
  const Program program = explain(trace);
  std::string out;
  for (std::uint64_t s = 0; s < trace.streams() && out.empty(); ++s) {
    trace::Cursor cursor(trace, s);
    std::uint64_t calls = 0;
    bool is_ahead = false;
    Execution x;
    x.membership = [&](std::uint32_t) {
      is_ahead = cursor.next();
      return is_ahead ? cursor.call_membership() : trace::Membership{};
    };
    x.call = [&](const trace::Event& event) {
      const std::string explained = analyze::describe_event(event);
      const std::string recorded =
          is_ahead ? analyze::describe_event(cursor.event()) : std::string("nothing");
      if (explained != recorded)
        out = "stream " + std::to_string(s) + "\n  explained " + explained + "\n  recorded  " +
              recorded;
      return out.empty() && ++calls < most;
    };
    execute(program, s, x);
    if (out.empty() && calls < most && cursor.next())
      out = "stream " + std::to_string(s) + " makes more than " + std::to_string(calls) + " calls";
  }
  return out;
}

inline void expect_exact(const trace::Trace& trace, std::uint64_t most = 20000) {
  EXPECT_EQ(first_difference(trace, most), "");
}

inline bool is_exact(const trace::Trace& trace, std::uint64_t most) {
  return first_difference(trace, most).empty();
}

}  // namespace reprise::program
