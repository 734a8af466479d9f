// What a program computes before each call, as rows of data for the runtime part.
#pragma once

#include <map>

#include "write/c/language/syntax.hpp"
#include "write/names.hpp"
#include "write/times/computations.hpp"

namespace reprise::write::c {

struct TimeRows {
  Block definitions;  // tables, and the array `computations` unless there are no rows
  // By site: the computation that is the same whenever a call comes [ns]; none: 0.
  std::map<std::int64_t, Expression> of_sites;
  std::size_t rows = 0;      // of the array `computations`
  std::size_t overlaps = 0;  // rows of the array `overlaps`
};

// `streams`: of the trace.
TimeRows time_rows(const times::Computations& found, std::uint64_t streams, Names& names);

}  // namespace reprise::write::c
