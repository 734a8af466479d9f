/* Preloaded by the tests, which run many more ranks than there are cores: a rank that waits for a
   message gives its core away instead of spinning on it.
     Open MPI yields while it waits (mpi_yield_when_idle=1); a yield becomes a short sleep.
     MPICH's UCX polls; after a few polls in vain it sleeps too.
   It makes latencies meaningless: never measure with it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

enum { kVainPolls = 8, kSleep = 20000 /* ns */ };

int sched_yield(void) {
  const struct timespec pause = {0, kSleep};
  nanosleep(&pause, 0);
  return 0;
}

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*real)(void*);
  static __thread int vain;
  if (!real) real = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = real(worker);
  if (events) {
    vain = 0;
  } else if (++vain > kVainPolls) {
    sched_yield();
  }
  return events;
}
