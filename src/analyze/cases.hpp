// What differs between streams, told apart by how it reads: streams for which the text is the same
// are one case, however their values are stored.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analyze/surrounding_loops.hpp"
#include "trace/program.hpp"

namespace reprise::analyze {

// How many values of a parameter each stream asks for, a stream that asks for most, and the loops
// around the place that asks: what each entry into one sees again is written once.
struct Times {
  std::function<std::uint64_t(std::uint64_t stream)> of;
  std::uint64_t busiest = 0;
  SurroundingLoops loops = {};
};

// The number of values that a text stands for may be too large to write them all down.
struct CaseText {
  std::string text;
  std::uint64_t values = 0;  // a hash of all of them if the text is cut short

  auto operator<=>(const CaseText&) const = default;
};

struct Case {
  CaseText text;
  std::vector<std::uint64_t> streams;  // in order
};

inline constexpr std::uint64_t kMaxStreams = 1 << 20;  // looked at one by one
inline constexpr std::size_t kMaxCases = 6;            // written down

// Streams with the same key see the same values, as far as they ask for them. What streams do that
// never ask is of no interest. `key` is asked for each stream in order; `text` once for each key,
// of the stream that asks for most: others see less of the same. In order of appearance.
using CaseKey = std::array<std::uint64_t, 3>;
std::vector<Case> cases_of(const trace::Trace& trace, const Times& times,
                           const std::function<CaseKey(std::uint64_t stream)>& key,
                           const std::function<CaseText(std::uint64_t stream)>& text);

// "8", or "(8 on 0..3, 9 on 4)".
std::string cases_text(const trace::Trace& trace, const std::vector<Case>& cases);

// The same series for the same first n values, however they came to be stored; as it is if n is
// large.
trace::Series refolded(const trace::Series& series, std::uint64_t n);

// The first n values of a series behind `text`, which says "..." where it was cut short.
CaseText case_text(std::string text, const trace::Series& series, std::uint64_t n);

}  // namespace reprise::analyze
