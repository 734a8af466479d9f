#include "trace/calls/functions.hpp"

#include <algorithm>

#include "trace/calls/posix.hpp"

namespace reprise::trace {
namespace {

#include "functions.inc"

}  // namespace

std::span<const Enumeration> enumerations() { return kEnumerations; }

std::span<const Function> functions() { return kFunctions; }

bool is_posix(FunctionId id) { return kIsPosix[static_cast<std::size_t>(id)]; }

std::string_view name_in_file(FunctionId id) {
  const std::string_view name = function(id).name;
  return is_posix(id) ? name : name.substr(4);
}

std::optional<FunctionId> find_in_file(std::string name) {
  if (name.empty() || name[0] < 'a' || name[0] > 'z') name.insert(0, "MPI_");
  return find_function(name);
}

const Function& function(FunctionId id) { return kFunctions[static_cast<std::size_t>(id)]; }

// What a function makes or frees is its last scalar.
bool begins_mpi(const Function& f) {
  return (f.traits & traits::kInit) ||
         ((f.traits & traits::kCreate) && f.scalars.back().kind == Kind::session);
}

bool ends_mpi(const Function& f) {
  return (f.traits & traits::kFinalize) ||
         ((f.traits & traits::kFree) && f.scalars.back().kind == Kind::session);
}

std::optional<FunctionId> find_function(std::string_view name) {
  const auto found = std::ranges::lower_bound(kFunctions, name, {}, &Function::name);
  if (found == std::end(kFunctions) || found->name != name) return std::nullopt;
  return static_cast<FunctionId>(found - std::begin(kFunctions));
}

}  // namespace reprise::trace
