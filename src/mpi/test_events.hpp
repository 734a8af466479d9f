// Events for tests, written down by the names of their columns.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

using Scalars = std::map<std::string, std::int64_t>;
using Lists = std::map<std::string, std::vector<std::int64_t>>;

// Columns that are not named are 0, lists empty. Throws std::invalid_argument for a name that the
// function does not have.
inline trace::Event event(const std::string& function, Scalars scalars, Lists lists = {}) {
  const auto id = trace::find_function(function);
  if (!id) throw std::invalid_argument(function);
  trace::Event out;
  out.function = &trace::function(*id);
  for (const trace::Column& c : out.function->scalars) {
    const auto given = scalars.extract(std::string(c.name));
    out.scalars.push_back(given.empty() ? 0 : given.mapped());
  }
  for (const trace::Column& c : out.function->lists) {
    const auto given = lists.extract(std::string(c.name));
    out.lists.push_back(given.empty() ? std::vector<std::int64_t>() : given.mapped());
  }
  if (!scalars.empty()) throw std::invalid_argument(scalars.begin()->first);
  if (!lists.empty()) throw std::invalid_argument(lists.begin()->first);
  return out;
}

}  // namespace reprise::mpi
