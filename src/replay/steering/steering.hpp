// Between a replay and the MPI library, and behind a recorder that may be preloaded: where a call
// is to meet what it met when it was recorded, although it still asks for anything. A recorder thus
// sees the wildcard, the library what it stands for.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace reprise::replay {

// What the present call of the calling thread is led to.
struct Steering {
  bool match = false;  // receive from `source` with `tag`
  int source = 0, tag = 0;
  bool choose = false;  // complete the request at `index`
  int index = 0;
  const char* path = nullptr;  // open or delete this file; null: the one that is named
  bool posix = false;          // the call is one of POSIX, on `descriptor` or the file of `name`
  int descriptor = -1;
  const char* name = nullptr;  // as the program wrote it
  std::int64_t moved = 0;      // the bytes that it moved, or the position it came to
  bool threads = false;        // let any thread call MPI, whatever MPI_Init asks for
};

}  // namespace reprise::replay

extern "C" {
reprise::replay::Steering* reprise_steering();
// The next start of a persistent request receives from `source` with `tag`.
void reprise_steer_start(MPI_Request request, int source, int tag);
// The MPI library's function, behind any recorder.
void* reprise_behind(const char* name);
}

// For the replay's own messages, which no recorder is to see.
#ifdef SMPI_H
#define REPRISE_OWN(name) P##name
#else
#define REPRISE_OWN(name) (reinterpret_cast<decltype(&name)>(reprise_behind("P" #name)))
#endif
