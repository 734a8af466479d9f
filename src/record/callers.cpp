#include "record/callers.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace reprise::record {
namespace {

// The libraries and plug-ins of MPI implementations, as their files are called.
constexpr std::string_view kLibraries[] = {"libmpi.so",  "libmpich.so", "libpmpi.so", "mca_",
                                           "libmca_",    "libopen-",    "libromio",   "libmpl.so",
                                           "libsimgrid", "libsmpi"};

// What they stand on, the C library, and the recorder itself.
constexpr std::string_view kBeneath[] = {
    "libc.so", "ld-linux",   "libpthread", "libdl.so", "libreprise-", "libpmix",     "libpmi",
    "libucp",  "libuct",     "libucs",     "libucm",   "libfabric",   "libhwloc",    "libevent",
    "libpsm",  "libibverbs", "librdmacm",  "libnuma",  "libmunge",    "libpciaccess"};

struct Module {
  std::string_view name;  // of its file
  const void* base = nullptr;
};

// The module that an address lies in.
Module module_of(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname) return {};
  const std::string_view path = info.dli_fname;
  return {path.substr(path.rfind('/') + 1), info.dli_fbase};
}

bool is_one_of(std::string_view name, std::span<const std::string_view> libraries) {
  return std::ranges::any_of(libraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

enum class Owner { mpi, recorder, other };

Owner owner_of(const void* address) {
  const Module module = module_of(address);
#ifndef SMPI_H  // there the recorder is part of the program
  static const void* const own = module_of(reinterpret_cast<const void*>(&owner_of)).base;
  if (module.base && module.base == own) return Owner::recorder;
#endif
  return is_one_of(module.name, kLibraries) ? Owner::mpi : Owner::other;
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
  const std::string_view name = module_of(address).name;
  return is_one_of(name, kLibraries) || is_one_of(name, kBeneath);
}

bool Callers::beneath(const void* address) { return known(beneath_, address, is_beneath); }

}  // namespace reprise::record
