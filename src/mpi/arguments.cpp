#include "mpi/arguments.hpp"

#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Event;

std::int64_t scalar_named(const Event& event, std::string_view name) {
  for (std::size_t c = 0; c < event.scalars.size(); ++c) {
    if (event.function->scalars[c].name == name) return event.scalars[c];
  }
  return trace::kNone;
}

std::int64_t scalar_of(const Event& event, trace::Kind kind) {
  for (std::size_t c = 0; c < event.scalars.size(); ++c) {
    if (event.function->scalars[c].kind == kind) return event.scalars[c];
  }
  return trace::kNone;
}

const std::vector<std::int64_t>* list_named(const Event& event, std::string_view name) {
  for (std::size_t l = 0; l < event.lists.size(); ++l) {
    if (event.function->lists[l].name == name) return &event.lists[l];
  }
  return nullptr;
}

}  // namespace reprise::mpi
