#include "record/calls/callers.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>
#include <string_view>

#include "base/files.hpp"
#include "record/calls/libraries.hpp"

namespace reprise::record {
namespace {

struct Module {
  std::string_view name;  // of its file
  const void* base = nullptr;
};

// The module that an address lies in.
Module module_of(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname) return {};
  const std::string_view path = info.dli_fname;
  return {base_name(path), info.dli_fbase};
}

enum class Owner { mpi, recorder, other };

Owner owner_of(const void* address) {
  const Module module = module_of(address);
#ifndef SMPI_H  // there the recorder is part of the program
  static const void* const own = module_of(reinterpret_cast<const void*>(&owner_of)).base;
  if (module.base && module.base == own) return Owner::recorder;
#endif
  const Library library = library_named(module.name);
  const bool is_mpi = library == Library::mpi || library == Library::simulator;
  return is_mpi ? Owner::mpi : Owner::other;
}

struct Walk {
  std::uintptr_t caller;
  bool is_past_caller = false;
  bool is_callback = false;  // the MPI library stands between this call and the one around it
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  walk.is_past_caller = walk.is_past_caller || pc == walk.caller;
  if (!walk.is_past_caller) return _URC_NO_REASON;
  const Owner owner = owner_of(reinterpret_cast<const void*>(pc));
  walk.is_callback = owner == Owner::mpi;
  return owner == Owner::other ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// A function of MPI that ends in a jump to another one, as MPI_Type_struct of MPICH does, leaves
// the recorder as the caller of that.
bool find_part_of_call(const void* address) {
  if (owner_of(address) != Owner::other) return true;
#ifdef SMPI_H
  return false;
#else
  Walk walk{.caller = reinterpret_cast<std::uintptr_t>(address)};
  _Unwind_Backtrace(look_at_frame, &walk);
  // Where the stack cannot be walked it is taken for a callback.
  return walk.is_past_caller && !walk.is_callback;
#endif
}

bool known(FlatMap& map, const void* address, bool (*look_up)(const void*)) {
  const auto key = reinterpret_cast<std::uintptr_t>(address);
  std::uint32_t answer = map.find(key);
  if (answer == FlatMap::kMissing) {
    answer = look_up(address);
    map.set(key, answer);
  }
  return answer != 0;
}

}  // namespace

bool Callers::is_part_of_call(const void* address) {
  return known(known_, address, find_part_of_call);
}

bool Callers::is_beneath(const void* address) {
  const Library library = library_named(module_of(address).name);
  return library != Library::none && library != Library::binding;
}

bool Callers::beneath(const void* address) { return known(beneath_, address, is_beneath); }

}  // namespace reprise::record
