#include "record/callers.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace reprise::record {
namespace {

// The libraries and plug-ins of MPI implementations, as their files are called.
constexpr std::string_view kLibraries[] = {"libmpi.so",  "libmpich.so", "libpmpi.so", "mca_",
                                           "libmca_",    "libopen-",    "libromio",   "libmpl.so",
                                           "libsimgrid", "libsmpi"};

enum class Module { mpi, recorder, other };

Module module_of(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname) return Module::other;
#ifndef SMPI_H  // there the recorder is part of the program
  static const void* const own = [] {
    Dl_info here{};
    ::dladdr(reinterpret_cast<const void*>(&module_of), &here);
    return here.dli_fbase;
  }();
  if (info.dli_fbase == own) return Module::recorder;
#endif
  const std::string_view path = info.dli_fname;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool is_mpi = std::ranges::any_of(
      kLibraries, [&](std::string_view library) { return name.starts_with(library); });
  return is_mpi ? Module::mpi : Module::other;
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
  const Module module = module_of(reinterpret_cast<const void*>(pc));
  walk.is_callback = module == Module::mpi;
  return module == Module::other ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// A function of MPI that ends in a jump to another one, as MPI_Type_struct of MPICH does, leaves
// the recorder as the caller of that.
bool look_up(const void* address) {
  if (module_of(address) != Module::other) return true;
#ifdef SMPI_H
  return false;
#else
  Walk walk{.caller = reinterpret_cast<std::uintptr_t>(address)};
  _Unwind_Backtrace(look_at_frame, &walk);
  // Where the stack cannot be walked it is taken for a callback.
  return walk.is_past_caller && !walk.is_callback;
#endif
}

}  // namespace

bool Callers::is_part_of_call(const void* address) {
  const auto key = reinterpret_cast<std::uintptr_t>(address);
  std::uint32_t answer = known_.find(key);
  if (answer == FlatMap::kMissing) {
    answer = look_up(address);
    known_.set(key, answer);
  }
  return answer != 0;
}

}  // namespace reprise::record
