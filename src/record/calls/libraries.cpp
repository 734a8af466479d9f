#include "record/calls/libraries.hpp"

namespace reprise::record {
namespace {

struct Entry {
  std::string_view prefix;  // of the name of the file
  Library library;
};

// The first that fits counts.
constexpr Entry kLibraries[] = {
    {"libmpi.so", Library::mpi},        {"libmpich.so", Library::mpi},
    {"libpmpi.so", Library::mpi},       {"libmpl.so", Library::mpi},
    {"libromio", Library::mpi},         {"mca_", Library::mpi},
    {"libmca_", Library::mpi},          {"libopen-", Library::mpi},
    {"libsmpi", Library::mpi},          {"libsimgrid", Library::simulator},
    {"libmpi", Library::binding},       {"libreprise-", Library::recorder},
    {"libc.so", Library::system},       {"ld-linux", Library::system},
    {"libpthread", Library::system},    {"libdl.so", Library::support},
    {"libpmix", Library::support},      {"libpmi", Library::support},
    {"libucp", Library::support},       {"libuct", Library::support},
    {"libucs", Library::support},       {"libucm", Library::support},
    {"libfabric", Library::support},    {"libhwloc", Library::support},
    {"libevent", Library::support},     {"libpsm", Library::support},
    {"libibverbs", Library::support},   {"librdmacm", Library::support},
    {"libnuma", Library::support},      {"libmunge", Library::support},
    {"libpciaccess", Library::support},
};

}  // namespace

Library library_named(std::string_view name) {
  for (const Entry& e : kLibraries) {
    if (name.starts_with(e.prefix)) return e.library;
  }
  return Library::none;
}

}  // namespace reprise::record
