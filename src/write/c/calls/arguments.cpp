#include "write/c/calls/arguments.hpp"

#include "trace/calls/posix.hpp"

namespace reprise::write::c {
namespace {

#include "arguments.inc"

}  // namespace

std::span<const Argument> arguments(trace::FunctionId function) {
  return kArguments[static_cast<std::size_t>(function)];
}

bool is_wide(const Argument& a) {
  return a.type.find("MPI_Count") != std::string_view::npos ||
         (a.kind == ArgumentKind::displs && a.type.find("MPI_Aint") != std::string_view::npos);
}

bool makes_object(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::newcomm:
    case ArgumentKind::newgroup:
    case ArgumentKind::newtype:
    case ArgumentKind::newop:
    case ArgumentKind::newwin:
    case ArgumentKind::newfile:
    case ArgumentKind::newsession: return true;
    default: return false;
  }
}

std::string_view why_unwritable(std::string_view function) {
  if (const auto id = trace::find_function(function); id && trace::is_posix(*id))
    return "POSIX I/O is replayed, and not written down; record without --posix-io";
  if (function.starts_with("MPI_Comm_spawn")) return "it starts programs that the trace lacks";
  for (const char* name : {"MPI_Comm_accept", "MPI_Comm_connect", "MPI_Comm_join"}) {
    if (function == name) return "it connects with another program";
  }
  for (const char* name : {"MPI_Win_create_dynamic", "MPI_Win_attach", "MPI_Win_detach"}) {
    if (function == name) return "its window is made of addresses that processes told each other";
  }
  return {};
}

}  // namespace reprise::write::c
