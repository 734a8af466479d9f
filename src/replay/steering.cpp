#include "replay/steering.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define REPRISE_SHOWN __attribute__((visibility("default")))
#define REPRISE_BEHIND(name) \
  static const auto real = reinterpret_cast<decltype(&(name))>(reprise_behind(#name))

using reprise::replay::Steering;

namespace {

thread_local Steering t_steering;

const Steering& now() { return t_steering; }

// Requests of which all but the chosen one are hidden from the library.
class Chosen {
 public:
  Chosen(MPI_Request* requests, int count) : all_(requests) {
    const int index = now().index;
    if (!now().choose || index < 0 || index >= count) return;
    hidden_.assign(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
    hidden_[static_cast<std::size_t>(index)] = requests[index];
  }
  ~Chosen() {
    if (!hidden_.empty()) all_[now().index] = hidden_[static_cast<std::size_t>(now().index)];
  }
  Chosen(const Chosen&) = delete;
  Chosen& operator=(const Chosen&) = delete;

  MPI_Request* requests() { return hidden_.empty() ? all_ : hidden_.data(); }

 private:
  MPI_Request* all_;
  std::vector<MPI_Request> hidden_;
};

}  // namespace

extern "C" {

REPRISE_SHOWN Steering* reprise_steering() { return &t_steering; }

REPRISE_SHOWN void* reprise_behind(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) {
    std::fprintf(stderr, "reprise-replay: %s is missing from the MPI library\n", name);
    std::abort();
  }
  return found;
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided)
    __attribute__((visibility("default"), alias("MPI_Init_thread")));
REPRISE_SHOWN int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  REPRISE_BEHIND(PMPI_Init_thread);
  return real(argc, argv, now().threads ? MPI_THREAD_MULTIPLE : required, provided);
}

int PMPI_Init(int* argc, char*** argv) __attribute__((visibility("default"), alias("MPI_Init")));
REPRISE_SHOWN int MPI_Init(int* argc, char*** argv) {
  REPRISE_BEHIND(PMPI_Init);
  int provided = 0;
  return now().threads ? PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided)
                       : real(argc, argv);
}

void reprise_steer_start(MPI_Request, int, int);
REPRISE_SHOWN void reprise_steer_start(MPI_Request, int, int) {}

#include "steering.inc"

}  // extern "C"
