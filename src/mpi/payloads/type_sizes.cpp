#include "mpi/payloads/type_sizes.hpp"

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {

Bytes TypeSizes::of(TypeId type) const {
  const Bytes predefined(trace::predefined_type_size(number_of(type)));
  if (predefined.is_known()) return predefined;
  const auto found = made_.find(number_of(type));
  return found == made_.end() ? Bytes::unknown() : found->second;
}

bool TypeSizes::learn(const trace::Event& event) {
  bool agrees = true;
  for_each_made_type(*event.function, [&](std::size_t type, std::size_t size) {
    agrees &= set(TypeId{event.scalars[type]}, Bytes(event.scalars[size]));
  });
  return agrees;
}

bool TypeSizes::set(TypeId type, Bytes size) {
  if (trace::is_special(number_of(type))) return true;
  const auto [entry, is_new] = made_.emplace(number_of(type), size);
  const bool agrees = is_new || entry->second == size;
  entry->second = size;
  return agrees;
}

}  // namespace reprise::mpi
