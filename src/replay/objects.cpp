#include "replay/objects.hpp"

#include "replay/no_names.hpp"
#include "trace/predefined.hpp"

namespace reprise::replay {

Objects::Objects(Sharing& sharing)
    : comms(sharing),
      groups(sharing),
      types(sharing),
      ops(sharing),
      windows(sharing),
      files(sharing) {}

void Objects::predefine() {
#define REPRISE_OP(name) ops.make(op++, MPI_Op(name));
#define REPRISE_DATATYPE(name, size) types.make(type++, MPI_Datatype(name));
  std::int64_t type = 0, op = 0;
#include "predefined_here.inc"
  comms.make(trace::kWorld, MPI_COMM_WORLD);
  comms.make(trace::kSelf, MPI_COMM_SELF);
  groups.make(trace::kEmptyGroup, MPI_GROUP_EMPTY);
  MPI_Info_create(&no_hints);
}

}  // namespace reprise::replay
