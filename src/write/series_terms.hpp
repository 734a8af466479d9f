// Folded series as a program can have them: without terms that step over constants of MPI, and cut
// behind the last value that is asked for.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "program/program.hpp"

namespace reprise::write {

// All values of a series.
inline constexpr std::uint64_t kAll = ~std::uint64_t{0};

// Whether a term steps from or to a value that stands for itself, such as MPI_PROC_NULL: steps say
// nothing then.
bool steps_over_words(const trace::Term& t);

// Terms with the first `length` values, none of which steps over words but within repeats.
std::vector<trace::Term> writable_terms(const trace::Series& series, std::uint64_t length);

// The numbers of a series, if they are two at most.
std::optional<std::set<std::int64_t>> few_numbers(const trace::Series& series);

}  // namespace reprise::write
