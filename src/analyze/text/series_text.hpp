// Sequences of numbers as a reader sees them.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "trace/series/series.hpp"

namespace reprise::analyze {

// The first n values of a series: "8 x4 9", "0 4 .. 396", "(1 0)x50", "(4 8)x10 by +2" (each pass
// is 2 more than the one before). `number` writes one value. Longer texts end in "..."
// after so many words.
inline constexpr std::size_t kMaxWords = 16;
std::string series_text(const trace::Series& series, std::uint64_t n,
                        const std::function<std::string(std::int64_t)>& number,
                        std::size_t most_words = kMaxWords);

// Things that numbers stand for: "a x3 b", "(a b)x4 c". Nothing is made of how far apart numbers
// are.
std::string repeats_text(std::span<const std::int64_t> things,
                         const std::function<std::string(std::int64_t)>& text,
                         std::size_t most_words = kMaxWords);

// The same series for the same first n values, however they came to be stored; as it is if n is 0
// or more than 4096.
trace::Series refolded(const trace::Series& series, std::uint64_t n);

// The terms of the first n values, none of them unbounded.
std::vector<trace::Term> first_terms(const trace::Series& series, std::uint64_t n);

}  // namespace reprise::analyze
