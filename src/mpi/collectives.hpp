// Collectives: who takes part in them, and which have a root.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mpi/communicators/communicators.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

// Whether all members of a group take part in a call, the making of a communicator among them.
bool is_collective(const trace::Function& function);

// "Bcast" for MPI_Bcast, MPI_Ibcast and MPI_Bcast_init, also with large counts.
std::string operation_name(const trace::Function& function);

// The scalar that says which rank is the root; none: the function has no root.
std::optional<std::size_t> root_column(const trace::Function& function);
// kNone if there is none.
std::int64_t root_of(const trace::Event& event);
// Whether a member is the root, given the one that it names: of an inter-communicator it is one
// that names itself by MPI_ROOT.
bool is_root(const Communicator& communicator, std::int64_t root);

}  // namespace reprise::mpi
