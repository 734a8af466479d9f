// For tests: whether the explained program of a scalable trace makes the calls of the trace that is
// instantiated.
#pragma once

#include <algorithm>
#include <string>

#include "analyze/text/describe.hpp"
#include "program/evaluate.hpp"
#include "scalable/explain.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::scalable {

// What a stream is in that which a call makes.
inline trace::Membership made_by(const trace::Event& event) {
  for (const trace::Kind kind : {trace::Kind::comm, trace::Kind::window}) {
    const auto made = trace::made_column(*event.function, kind);
    if (made) return {event.scalars[*made + 1], event.scalars[*made + 2]};
  }
  return {};
}

// How often a stream executes a call site.
inline std::int64_t executions(const ScalableTrace& scalable, const trace::Trace& trace,
                               std::uint32_t site, std::uint64_t stream) {
  const auto& order = scalable.program.order;
  const auto call = static_cast<std::uint32_t>(std::ranges::find(order, site) - order.begin());
  std::int64_t out = 0;
  for (trace::Cursor cursor(trace, stream); cursor.next();) out += cursor.event().call == call;
  return out;
}

// Where the two part; empty if they do not. At most so many calls of each rank are compared.
inline std::string first_difference(const ScalableTrace& scalable, const Wanted& wanted,
                                    std::uint64_t most = 20000) {
  const program::Program program = explain(scalable);
  const auto trace = instantiate(scalable, wanted);
  if (!trace) return trace.error().message;
  std::string out;
  for (std::uint64_t s = 0; s < trace->streams() && out.empty(); ++s) {
    trace::Cursor cursor(*trace, s);
    std::uint64_t calls = 0;
    bool is_ahead = false;
    program::Execution x;
    x.ranks = wanted.ranks;
    for (std::size_t p = 0; p < program.sizes.size(); ++p)
      x.sizes.push_back({program.sizes[p], program.domain->parameters[p].least});
    for (const auto& [name, value] : wanted.parameters) {
      for (expr::Value& size : x.sizes) {
        if (size.name == name) size.value = value;
      }
    }
    for (std::size_t r = 0; r < program.recursions.size(); ++r) {
      const std::uint32_t site = program.recursions[r].call;
      x.sizes.push_back({"depth" + std::to_string(r), executions(scalable, *trace, site, s)});
      x.sizes.push_back({"first" + std::to_string(r), executions(scalable, *trace, site, 0)});
    }
    x.membership = [&](std::uint32_t) {
      is_ahead = cursor.next();
      return is_ahead ? cursor.call_membership() : trace::Membership{};
    };
    x.made = [&](std::uint32_t) {
      return is_ahead ? made_by(cursor.event()) : trace::Membership{};
    };
    x.call = [&](const trace::Event& event) {
      const std::string explained = analyze::describe_event(event);
      const std::string expected =
          is_ahead ? analyze::describe_event(cursor.event()) : std::string("nothing");
      if (explained != expected)
        out = "rank " + std::to_string(s) + "\n  explained    " + explained + "\n  instantiated " +
              expected;
      return out.empty() && ++calls < most;
    };
    program::execute(program, s, x);
    if (out.empty() && calls < most && cursor.next())
      out = "rank " + std::to_string(s) + " makes more than " + std::to_string(calls) + " calls";
  }
  return out;
}

}  // namespace reprise::scalable
