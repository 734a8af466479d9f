// Values of a trace as expressions of coNCePTuaL: a folded series is a function of where one is in
// it, and where one is follows from the loops around.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trace/value.hpp"

namespace reprise::generate {

// Thrown where an expression would be too long to be written.
struct TooLong {};

// A shorter text for one that is long and used several times.
using Naming = std::function<std::string(const std::string& text)>;

// The value at `index`, which is text itself; parenthesised if it is more than a name or a number.
// Its length follows the terms. `length`: how many values are asked for, if that is known.
std::string series_expression(const trace::Series& series, const std::string& index,
                              std::uint64_t length = 0);

// The text with the number that `index` is. Nests as deep as the logarithm of how many there are.
// REQUIRES: one at least.
std::string one_of(const std::vector<std::string>& texts, const std::string& index);

// What stream `task` has at its execution `execution`; both are text. `ranks` are those of the
// trace. `execution` is asked for if it matters.
template <class Execution>
std::string value_expression(const trace::Value& value, const std::string& task,
                             std::uint64_t ranks, const Execution& execution, const Naming& name);

// The condition under which a value of zeros and ones is 1; empty: always.
template <class Execution>
std::string value_condition(const trace::Value& value, const std::string& task, std::uint64_t ranks,
                            const Execution& execution, const Naming& name);
std::string series_condition(const trace::Series& series, const std::string& index,
                             std::uint64_t length = 0);

// The number that a value is everywhere, or none.
std::optional<std::int64_t> constant_of(const trace::Value& value);

// Whether all streams have the same, in each execution.
inline bool is_uniform(const trace::Value& v) {
  return v.encoding == trace::Encoding::absolute && (v.is_constant() || v.classes.size() == 1);
}

// The name of a rank that is written as `written`.
std::string rank_expression(trace::Encoding encoding, const std::string& written,
                            const std::string& task);

template <class Execution>
std::string value_condition(const trace::Value& value, const std::string& task, std::uint64_t ranks,
                            const Execution& execution, const Naming& name) {
  if (value.classes.empty()) return series_condition(value.by_stream, task, ranks);
  if (value.classes.size() == 1) return series_condition(value.classes.front(), execution());
  return value_expression(value, task, ranks, execution, name) + " = 1";
}

template <class Execution>
std::string value_expression(const trace::Value& value, const std::string& task,
                             std::uint64_t ranks, const Execution& execution, const Naming& name) {
  std::string text;
  if (value.classes.empty()) {
    text = series_expression(value.by_stream, task, ranks);
  } else if (value.classes.size() == 1) {
    text = series_expression(value.classes.front(), execution());
  } else {
    const std::string which = name(series_expression(value.by_stream, task, ranks));
    std::vector<std::string> texts;
    for (const trace::Series& c : value.classes) {
      texts.push_back(series_expression(c, execution()));
    }
    text = one_of(texts, which);
  }
  return rank_expression(value.encoding, text, task);
}

}  // namespace reprise::generate
