#include "replay/calls/objects.hpp"

#include <dlfcn.h>

#include "replay/no_names.hpp"
#include "trace/calls/predefined.hpp"

namespace reprise::replay {

Objects::Objects(Sharing& sharing)
    : comms(sharing),
      groups(sharing),
      types(sharing),
      ops(sharing),
      windows(sharing),
      files(sharing),
#if MPI_VERSION >= 4
      sessions(sharing),
#endif
      descriptors(sharing) {
}

void Objects::predefine() {
#define REPRISE_OP(name) ops.predefine(op++, MPI_Op(name));
#define REPRISE_DATATYPE(name, size) types.predefine(type++, MPI_Datatype(name));
  std::int64_t type = 0, op = 0;
#define REPRISE_DATATYPE_OF(name, symbol) \
  types.predefine(type++, MPI_Datatype(::dlsym(RTLD_DEFAULT, symbol)));
#include "predefined_here.inc"
  comms.predefine(trace::kWorld, MPI_COMM_WORLD);
  comms.predefine(trace::kSelf, MPI_COMM_SELF);
  groups.predefine(trace::kEmptyGroup, MPI_GROUP_EMPTY);
  MPI_Info_create(&no_hints);
}

}  // namespace reprise::replay
