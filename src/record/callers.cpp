#include "record/callers.hpp"

#include <dlfcn.h>

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

// The file name of the module that an address lies in.
std::string_view module_of(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname) return {};
  const std::string_view path = info.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

bool is_one_of(std::string_view name, std::span<const std::string_view> libraries) {
  return std::ranges::any_of(libraries,
                             [&](std::string_view library) { return name.starts_with(library); });
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

bool is_in_mpi(const void* address) { return is_one_of(module_of(address), kLibraries); }

}  // namespace

bool Callers::in_mpi(const void* address) { return known(known_, address, is_in_mpi); }

bool Callers::is_beneath(const void* address) {
  const std::string_view name = module_of(address);
  return is_one_of(name, kLibraries) || is_one_of(name, kBeneath);
}

bool Callers::beneath(const void* address) { return known(beneath_, address, is_beneath); }

}  // namespace reprise::record
