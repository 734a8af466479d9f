#include "trace/values/special.hpp"

namespace reprise::trace {

std::string_view special_name(std::int64_t value) {
  switch (value) {
    case kNone: return "-";
    case kProcNull: return "MPI_PROC_NULL";
    case kAnySource: return "MPI_ANY_SOURCE";
    case kAnyTag: return "MPI_ANY_TAG";
    case kRoot: return "MPI_ROOT";
    case kUndefined: return "MPI_UNDEFINED";
    case kNull: return "NULL";
    case kInPlace: return "MPI_IN_PLACE";
    case kBottom: return "MPI_BOTTOM";
    case kUnweighted: return "MPI_UNWEIGHTED";
    case kEmptyWeights: return "MPI_WEIGHTS_EMPTY";
    case kForeign: return "unknown";
    case kCancelled: return "cancelled";
    default: return {};
  }
}

}  // namespace reprise::trace
