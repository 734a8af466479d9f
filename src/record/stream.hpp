// What the recorder keeps of one thread of a process.
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
#include "record/call_timer.hpp"
#include "record/callers.hpp"
#include "record/callpaths.hpp"
#include "record/options.hpp"
#include "record/part_file.hpp"
#include "record/pending.hpp"

namespace reprise::record {

// A call under way.
struct CallFrame {
  std::vector<std::int64_t> record;
  std::vector<PendingRequests::Place> waited;  // the requests that it is about
  std::vector<MPI_Status> statuses;            // in place of MPI_STATUSES_IGNORE
};

// What one thread of a process does.
struct Stream {
  Stream(int n, const Options& options) : number(n), times(options.times), requests(n) {}

  const int number;  // of the thread
  compress::StreamFolder folder;
  compress::TimeFolder times;
  CallTimer timer;
  std::map<compress::SiteKey, compress::SizeTotals> sizes;  // under --average-sizes
  Callpaths callpaths;
  Callers callers;
  PendingRequests requests;
  // What the thread is doing, for whoever looks when the process has ended; null: it is not kept.
  PartFile::Slot* slot = nullptr;
  // The calls under way, the outermost first: callbacks of MPI call MPI.
  std::vector<std::unique_ptr<CallFrame>> frames;
  std::int64_t polls = 0;    // unsuccessful ones since the last call
  std::size_t depth = 0;     // calls under way
  bool broken = false;       // the recorder failed here: nothing more is recorded
  std::atomic<bool> busy{};  // the recorder is at work: a signal, and the watcher, must wait

  void become_busy() { busy.store(true, std::memory_order_relaxed); }
  void come_to_rest() { busy.store(false, std::memory_order_release); }

  // Says what it is in from now on; `record` has the arguments.
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
  // Behind note_calls() and note_polling(): a process that is killed before has the call either as
  // completed or in flight.
  void note_end() {
    using State = compress::PartLayout::State;
    if (slot && slot->state == static_cast<std::uint64_t>(State::within))
      note(slot->state, State::outside);
  }
  void note_calls() {
    if (slot) note(slot->calls, folder.calls());
  }

 private:
  // In the order of the program, whenever it ends.
  template <class T>
  static void note(std::uint64_t& word, T value) {
    std::atomic_ref(word).store(static_cast<std::uint64_t>(value), std::memory_order_release);
  }
};

}  // namespace reprise::record
