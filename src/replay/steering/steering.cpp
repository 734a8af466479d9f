#include "replay/steering/steering.hpp"

#include <map>
#include <vector>

#ifdef SMPI_H

// The linker leads the recorder's calls of the library here (--wrap).
#define REPRISE_SHOWN __attribute__((visibility("hidden")))
#define REPRISE_STEERED(name, parameters) \
  int __real_P##name parameters;          \
  int __wrap_P##name parameters
#define REPRISE_BEHIND_AS(real, name) constexpr auto real = &__real_##name

#else

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#define REPRISE_SHOWN __attribute__((visibility("default")))
#define REPRISE_STEERED(name, parameters)                                      \
  int P##name parameters __attribute__((visibility("default"), alias(#name))); \
  REPRISE_SHOWN int name parameters
#define REPRISE_BEHIND_AS(real, name) \
  static const auto real = reinterpret_cast<decltype(&(name))>(reprise_behind(#name))

#endif

#define REPRISE_BEHIND(name) REPRISE_BEHIND_AS(real, name)

using reprise::replay::Steering;

namespace {

thread_local Steering t_steering;

const Steering& now() { return t_steering; }

// A persistent receive with a wildcard, and the message that it has to match next. A receive of
// that message is started in its place.
struct Persistent {
  void* buf;
  MPI_Count count;
  MPI_Datatype datatype;
  MPI_Comm comm;
  bool steered = false;
  int source = 0, tag = 0;
  MPI_Request started = MPI_REQUEST_NULL;
};
thread_local std::map<MPI_Request, Persistent> t_persistent;

Persistent* started(MPI_Request request) {
  if (t_persistent.empty()) return nullptr;
  const auto found = t_persistent.find(request);
  if (found == t_persistent.end() || found->second.started == MPI_REQUEST_NULL) return nullptr;
  return &found->second;
}

// Replaces a request by the one that was started in its place.
void show(MPI_Request& request) {
  if (const Persistent* p = started(request)) request = p->started;
}

// Requests as the library is to see them: what was started instead, and of several to choose from
// only the chosen one.
class Shown {
 public:
  Shown(MPI_Request* requests, int count) : all_(requests) {
    const int chosen = now().choose ? now().index : -1;
    if ((chosen < 0 || chosen >= count) && t_persistent.empty()) return;
    shown_.assign(requests, requests + count);
    for (int i = 0; i < count; ++i) {
      if (chosen >= 0 && i != chosen) {
        shown_[static_cast<std::size_t>(i)] = MPI_REQUEST_NULL;
      } else {
        show(shown_[static_cast<std::size_t>(i)]);
      }
    }
  }
  ~Shown() {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (now().choose && static_cast<int>(i) != now().index) continue;
      if (Persistent* p = started(all_[i])) {
        p->started = shown_[i];  // null once it has completed, as the program's is inactive then
      } else {
        all_[i] = shown_[i];
      }
    }
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  MPI_Request* requests() { return shown_.empty() ? all_ : shown_.data(); }

 private:
  MPI_Request* all_;
  std::vector<MPI_Request> shown_;
};

int start(MPI_Request* request);
void free_started(MPI_Request* request);

}  // namespace

extern "C" {

REPRISE_SHOWN Steering* reprise_steering() { return &t_steering; }

#ifndef SMPI_H

REPRISE_SHOWN void* reprise_behind(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) {
    std::fprintf(stderr, "reprise-replay: %s is missing from the MPI library\n", name);
    std::abort();
  }
  return found;
}

REPRISE_STEERED(MPI_Init_thread, (int* argc, char*** argv, int required, int* provided)) {
  REPRISE_BEHIND(PMPI_Init_thread);
  return real(argc, argv, now().threads ? MPI_THREAD_MULTIPLE : required, provided);
}

REPRISE_STEERED(MPI_Init, (int* argc, char*** argv)) {
  REPRISE_BEHIND(PMPI_Init);
  int provided = 0;
  return now().threads ? PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided)
                       : real(argc, argv);
}

#endif

REPRISE_STEERED(MPI_Recv_init, (void* buf, int count, MPI_Datatype datatype, int source, int tag,
                                MPI_Comm comm, MPI_Request* request)) {
  REPRISE_BEHIND(PMPI_Recv_init);
  const int outcome = real(buf, count, datatype, source, tag, comm, request);
  if (outcome == MPI_SUCCESS && (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG))
    t_persistent[*request] = {.buf = buf, .count = count, .datatype = datatype, .comm = comm};
  return outcome;
}

#if MPI_VERSION >= 4
REPRISE_STEERED(MPI_Recv_init_c, (void* buf, MPI_Count count, MPI_Datatype datatype, int source,
                                  int tag, MPI_Comm comm, MPI_Request* request)) {
  REPRISE_BEHIND(PMPI_Recv_init_c);
  const int outcome = real(buf, count, datatype, source, tag, comm, request);
  if (outcome == MPI_SUCCESS && (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG))
    t_persistent[*request] = {.buf = buf, .count = count, .datatype = datatype, .comm = comm};
  return outcome;
}
#endif

REPRISE_SHOWN void reprise_steer_start(MPI_Request request, int source, int tag) {
  const auto found = t_persistent.find(request);
  if (found == t_persistent.end()) return;
  found->second.steered = true;
  found->second.source = source;
  found->second.tag = tag;
}

REPRISE_STEERED(MPI_Start, (MPI_Request * request)) { return start(request); }

REPRISE_STEERED(MPI_Startall, (int count, MPI_Request* requests)) {
  REPRISE_BEHIND(PMPI_Startall);
  if (t_persistent.empty()) return real(count, requests);
  int outcome = MPI_SUCCESS;
  for (int i = 0; i < count && outcome == MPI_SUCCESS; ++i) outcome = start(&requests[i]);
  return outcome;
}

#include "steering.inc"

}  // extern "C"

namespace {

int start(MPI_Request* request) {
  REPRISE_BEHIND(PMPI_Start);
  const auto found = t_persistent.find(*request);
  if (found == t_persistent.end() || !found->second.steered) return real(request);
  Persistent& p = found->second;
  p.steered = false;
#if MPI_VERSION >= 4
  REPRISE_BEHIND_AS(receive, PMPI_Irecv_c);
  return receive(p.buf, p.count, p.datatype, p.source, p.tag, p.comm, &p.started);
#else
  REPRISE_BEHIND_AS(receive, PMPI_Irecv);
  const int count = static_cast<int>(p.count);
  return receive(p.buf, count, p.datatype, p.source, p.tag, p.comm, &p.started);
#endif
}

void free_started(MPI_Request* request) {
  REPRISE_BEHIND(PMPI_Request_free);
  if (Persistent* p = started(*request)) real(&p->started);
  t_persistent.erase(*request);
}

}  // namespace
