// The MPI objects of one process under the numbers that the trace gives them.
#pragma once

#include <mpi.h>

#include "replay/calls/object_table.hpp"

namespace reprise::replay {

struct Objects {
  // MPI is running.
  explicit Objects(Sharing& sharing);

  // Those that MPI has from the start.
  void predefine();

  Table<MPI_Comm> comms;
  Table<MPI_Group> groups;
  Table<MPI_Datatype> types;
  Table<MPI_Op> ops;
  Table<MPI_Win> windows;
  Table<MPI_File> files;
#if MPI_VERSION >= 4
  Table<MPI_Session> sessions;
#endif
  Table<int> descriptors;             // of POSIX, numbered among the files
  MPI_Info no_hints = MPI_INFO_NULL;  // an info without any: setting MPI_INFO_NULL is an error
};

}  // namespace reprise::replay
