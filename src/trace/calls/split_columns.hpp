// The columns of a call that makes communicators by color and key, as MPI_Comm_split does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "trace/calls/functions.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::trace {

// Indices into the scalars of the function; behind `made` come the rank in it and its size.
struct SplitColumns {
  std::size_t parent, color, key, made;
};

// Nothing if the function is no such call.
inline std::optional<SplitColumns> split_columns(const Function& f) {
  const auto color = std::ranges::find(f.scalars, Kind::color, &Column::kind);
  const auto key = std::ranges::find(f.scalars, "key", &Column::name);
  const auto made = made_column(f, Kind::comm);
  if (color == f.scalars.end() || key == f.scalars.end() || !made || f.communicator < 0 ||
      *made + 3 != f.scalars.size() || !f.lists.empty()) {
    return std::nullopt;
  }
  return SplitColumns{static_cast<std::size_t>(f.communicator),
                      static_cast<std::size_t>(color - f.scalars.begin()),
                      static_cast<std::size_t>(key - f.scalars.begin()), *made};
}

}  // namespace reprise::trace
