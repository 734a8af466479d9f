#include "record/objects/communicators.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.hpp"
#include "record/objects/handles.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::record {

// A program of sessions alone has neither the world nor self, but they are numbered all the same.
Communicators::Communicators(MPI_Comm all) {
  PMPI_Comm_group(all, &world_);
  Members world{.id = trace::kWorld};
  measure(all, world);
  const Members self{.id = trace::kSelf, .rank = 0, .size = 1, .remote_size = 1};
  for (const auto& [comm, m] : {std::pair(MPI_COMM_WORLD, world), std::pair(MPI_COMM_SELF, self)}) {
    by_handle_.set(handle_bits(comm), m);
    members_.push_back(m);
    names_.push_back({});
  }
}

void Communicators::close() {
  if (world_ != MPI_GROUP_NULL) PMPI_Group_free(&world_);
}

void Communicators::measure(MPI_Comm comm, Members& m) {
  int rank = 0, size = 0, inter = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_test_inter(comm, &inter);
  m.rank = rank;
  m.size = m.remote_size = size;
  m.inter = inter != 0;
  if (m.inter) {
    PMPI_Comm_remote_size(comm, &size);
    m.remote_size = size;
  }
}

const Members& Communicators::of(MPI_Comm comm) {
  const std::uint64_t handle = handle_bits(comm);
  if (last_ && handle == last_handle_) return *last_;
  static const Members null{.id = trace::kNull};
  if (comm == MPI_COMM_NULL) return null;
  const Members* found = by_handle_.find(handle);
  if (!found) {
    // Made before recording began, or by a call that is not in the table.
    Members m{.id = trace::kForeign};
    measure(comm, m);
    found = &by_handle_.set(handle, m);
  }
  last_handle_ = handle;
  last_ = found;
  return *found;
}

std::int64_t Communicators::add(MPI_Comm comm, CreatedBy rule, MPI_Comm parent, bool usable,
                                const char* tag) {
  last_ = nullptr;
  compress::CommName name;
  if (rule == CreatedBy::all_of) {
    name.parent = of(parent).id;
  } else {
    if (comm == MPI_COMM_NULL) return trace::kNull;
    name.members = hash_members(comm, tag);
  }
  last_ = nullptr;
  name.creation = creations_[{name.parent, name.members}]++;
  const std::int64_t id = std::ssize(names_);
  names_.push_back(name);
  Members m{.id = id};
  if (comm != MPI_COMM_NULL) {
    if (usable) {
      measure(comm, m);
    } else {
      m = of(parent);
      m.id = id;
      last_ = nullptr;
    }
    by_handle_.set(handle_bits(comm), m);
  }
  members_.push_back(m);
  return id;
}

// MPI_Comm_get_parent gives out one communicator as often as it is asked.
std::int64_t Communicators::add_parent(MPI_Comm comm) {
  const Members* known = by_handle_.find(handle_bits(comm));
  if (known && known->id >= 0) return known->id;
  return add(comm, CreatedBy::members, MPI_COMM_WORLD, true);
}

// The members of a communicator by their ranks in the world, whoever asks.
std::uint64_t Communicators::hash_members(MPI_Comm comm, const char* tag) const {
  std::vector<int> world_ranks;
  const auto add = [&](MPI_Group group) {
    int n = 0;
    PMPI_Group_size(group, &n);
    std::vector<int> ranks(n), in_world(n);
    for (int i = 0; i < n; ++i) ranks[i] = i;
    PMPI_Group_translate_ranks(group, n, ranks.data(), world_, in_world.data());
    world_ranks.insert(world_ranks.end(), in_world.begin(), in_world.end());
    PMPI_Group_free(&group);
  };
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  add(group);
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) {
    PMPI_Comm_remote_group(comm, &group);
    add(group);
  }
  std::ranges::sort(world_ranks);
  const std::uint64_t name = hash_bytes(tag, std::strlen(tag), static_cast<unsigned>(inter) + 1);
  return hash_bytes(world_ranks.data(), world_ranks.size() * sizeof(int), name) | 1;
}

}  // namespace reprise::record
