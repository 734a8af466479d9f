#include "record/callers.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace reprise::record {
namespace {

// The libraries and plug-ins of MPI implementations, as their files are called.
constexpr std::string_view kLibraries[] = {"libmpi.so",  "libmpich.so", "libpmpi.so", "mca_",
                                           "libmca_",    "libopen-",    "libromio",   "libmpl.so",
                                           "libsimgrid", "libsmpi"};

bool look_up(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname) return false;
  const std::string_view path = info.dli_fname;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(kLibraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

}  // namespace

bool Callers::in_mpi(const void* address) {
  const auto key = reinterpret_cast<std::uintptr_t>(address);
  std::uint32_t answer = known_.find(key);
  if (answer == FlatMap::kMissing) {
    answer = look_up(address);
    known_.set(key, answer);
  }
  return answer != 0;
}

}  // namespace reprise::record
