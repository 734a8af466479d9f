// The stream of a thread: its calls so far, and the calls that it is in.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "compress/process.hpp"
#include "record/calls/call_timer.hpp"
#include "record/calls/callers.hpp"
#include "record/calls/callpaths.hpp"
#include "record/calls/clock.hpp"
#include "record/lifetime/part_file.hpp"
#include "record/objects/pending.hpp"
#include "record/options.hpp"

namespace reprise::record {

// A call that has not returned.
struct CallFrame {
  std::vector<std::int64_t> record;
  std::vector<PendingRequests::Place> waited;  // the requests that it completes, starts or frees
  std::vector<MPI_Status> statuses;            // in place of MPI_STATUSES_IGNORE
};

struct Stream {
  Stream(int n, const Options& options, const Clock& clock)
      : number(n), times(options.times, clock.ticks_per_ns()), requests(n) {}

  const int number;  // of the thread
  compress::StreamFolder folder;
  compress::TimeFolder times;
  CallTimer timer;
  std::map<compress::SiteKey, compress::SizeTotals> sizes;  // under --average-sizes
  Callpaths callpaths;
  Callers callers;
  PendingRequests requests;
  // What the thread is doing, in the part of the process; null if all slots are taken.
  PartFile::Slot* slot = nullptr;
  // The calls that have not returned, the outermost first: callbacks of MPI call MPI.
  std::vector<std::unique_ptr<CallFrame>> frames;
  std::int64_t polls = 0;              // unsuccessful tests and probes since the last call
  std::size_t depth = 0;               // calls that have not returned
  bool broken = false;                 // the recorder failed here: nothing more is recorded
  std::atomic<bool> busy{};            // the thread is in the recorder (Session::enter)
  bool has_lock = false;               // of the session
  std::atomic<int> delayed_signal{0};  // came while the thread was in the recorder; 0: none

  void become_busy() { busy.store(true, std::memory_order_relaxed); }
  void come_to_rest() { busy.store(false, std::memory_order_release); }

  // Notes a call that begins; `record` has its arguments.
  void note_begin(const compress::SiteKey& key, const std::vector<std::int64_t>& record) {
    if (!slot) return;
    using Slot = PartFile::Slot;
    note(slot->state, compress::PartLayout::State::outside);
    slot->function = static_cast<std::uint64_t>(key.function);
    slot->callpath = callpaths.hashes()[key.callpath];
    note(slot->begun, slot->begun + 1);
    note(slot->waited, 0);
    slot->before = slot->calls;
    slot->polls = static_cast<std::uint64_t>(polls);
    slot->words = std::min(record.size(), Slot::kWords);
    std::memcpy(slot->record, record.data(), 8 * slot->words);
    note(slot->state, compress::PartLayout::State::within);
  }
  void note_polling() { note(slot->state, compress::PartLayout::State::polling); }
  // Notes that the call has returned. REQUIRES: after note_calls() or note_polling(), so that a
  // process that is killed in between has the call either as completed or as in flight.
  void note_end() {
    using State = compress::PartLayout::State;
    if (slot && slot->state == static_cast<std::uint64_t>(State::within))
      note(slot->state, State::outside);
  }
  void note_calls() {
    if (slot) note(slot->calls, folder.calls());
  }

 private:
  // Stores become visible in program order, whenever the process ends.
  template <class T>
  static void note(std::uint64_t& word, T value) {
    std::atomic_ref(word).store(static_cast<std::uint64_t>(value), std::memory_order_release);
  }
};

}  // namespace reprise::record
