// Arguments of an event, found by name or by meaning.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

// kNone if the function has no scalar of that name.
std::int64_t scalar_named(const trace::Event& event, std::string_view name);
// Of the first scalar of a kind; kNone if there is none.
std::int64_t scalar_of(const trace::Event& event, trace::Kind kind);
// Null if the function has no list of that name.
const std::vector<std::int64_t>* list_named(const trace::Event& event, std::string_view name);

}  // namespace reprise::mpi
