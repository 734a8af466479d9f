#include "record/objects/windows.hpp"

#include "record/objects/handles.hpp"
#include "trace/values/special.hpp"

namespace reprise::record {

const Members& Windows::of(MPI_Win win) {
  static const Members unknown{.id = trace::kForeign};
  const Members* found = by_handle_.find(handle_bits(win));
  return found ? *found : unknown;
}

std::int64_t Windows::add(MPI_Win win) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Win_get_group(win, &group);
  int rank = 0, size = 0;
  PMPI_Group_rank(group, &rank);
  PMPI_Group_size(group, &size);
  PMPI_Group_free(&group);
  const Members m{.id = std::ssize(members_), .rank = rank, .size = size, .remote_size = size};
  by_handle_.set(handle_bits(win), m);
  members_.push_back(m);
  return m.id;
}

}  // namespace reprise::record
