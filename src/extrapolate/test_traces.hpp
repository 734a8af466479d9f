// For tests: traces whose numbers follow rules, call by call, and what is extrapolated from them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extrapolate/values/instantiate.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::test {

using Numbers = std::vector<std::int64_t>;
using NumberOfRank = std::function<std::int64_t(std::int64_t rank, std::int64_t ranks)>;
using ValueOfColumn = std::function<trace::Value(const trace::Column&)>;

// One number for each rank.
inline trace::Value by_rank(const Numbers& numbers) {
  return {.by_stream = trace::fold_numbers(numbers), .classes = {}};
}
inline trace::Value by_rank(const NumberOfRank& number, std::int64_t ranks) {
  Numbers out;
  for (std::int64_t r = 0; r < ranks; ++r) out.push_back(number(r, ranks));
  return by_rank(out);
}
// The same list on all ranks.
inline trace::Value list_of(const Numbers& numbers) {
  return {.by_stream = {}, .classes = {trace::fold_numbers(numbers)}};
}
// A value for columns of one kind; 0 for all others.
inline ValueOfColumn only_of(trace::Kind kind, trace::Value value) {
  return [kind, value = std::move(value)](const trace::Column& c) {
    return c.kind == kind ? value : trace::Value::constant(0);
  };
}

// The columns of a grid that is as square as may be.
inline std::int64_t columns_of_grid(std::int64_t ranks) {
  std::int64_t out = 1;
  for (std::int64_t k = 1; k * k <= ranks; ++k) out = ranks % k == 0 ? k : out;
  return out;
}

// A trace for add_call().
inline trace::Trace without_calls(std::int64_t ranks) {
  trace::Trace out;
  out.ranks = static_cast<std::uint64_t>(ranks);
  out.texts = {"", "f"};
  return out;
}

// Adds a call with a call path of its own. `lists`: lengths and elements, in turn.
inline void add_call(trace::Trace& out, std::string_view function, trace::Value trips,
                     const ValueOfColumn& scalar, std::vector<trace::Value> lists) {
  const trace::FunctionId id = *trace::find_function(function);
  const auto line = static_cast<std::uint32_t>(out.calls.size());
  trace::Call call{id, line, {}};
  for (const trace::Column& c : trace::function(id).scalars) call.columns.push_back(scalar(c));
  for (trace::Value& list : lists) call.columns.push_back(std::move(list));
  out.frames.push_back({.function = 1, .line = line + 1});
  out.callpaths.push_back({line});
  out.root.body.push_back({std::move(trips), line, {}});
  out.calls.push_back(std::move(call));
}

// The error says why a parameter is refused, too.
inline Result<trace::Trace> extrapolate_from(std::span<const trace::Trace> inputs,
                                             const extrapolate::Request& request) {
  std::vector<std::string> names;
  for (const trace::Trace& t : inputs) names.push_back(std::to_string(t.ranks));
  const auto inferred = extrapolate::infer_program(inputs, names, request);
  if (!inferred) return inferred.error();
  if (!inferred->refused.empty()) {
    const extrapolate::Refusal& r = inferred->refused.front();
    std::string why = r.slot.text() + ": " + r.why;
    for (const std::string& sample : r.samples) why += "\n" + sample;
    return Error{why};
  }
  return extrapolate::instantiate(inferred->program, inputs, request);
}

}  // namespace reprise::test
