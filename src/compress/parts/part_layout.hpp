// The file that a process keeps while it is recorded, `OUT.part-RANK`: what it has done as of its
// last checkpoint, and what each of its threads is doing now.
//
//   part  := header slot{kSlots} names body*
//   names := (varint size, table){}     call paths as they are found, one a table (CallpathTable)
//   body  := a Process, encoded; the header says which of two is whole
//
// Header and slots are pages that the process has mapped: it changes them by plain stores, so that
// they are right whatever ends it. A body is written behind the one that is whole, and then the
// header names it. Numbers are those of the machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "compress/process.hpp"

namespace reprise::compress {

struct PartLayout {
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kSlots = 15;  // further threads have none
  static constexpr std::size_t kNames = kPage * (1 + kSlots);
  static constexpr std::size_t kNamesSize = std::size_t{192} << 10;
  static constexpr std::size_t kBodies = kNames + kNamesSize;

  // Where a body is; of no bytes: nowhere.
  struct Extent {
    std::uint64_t offset = 0, size = 0;
  };

  struct Header {
    char magic[7];
    std::uint8_t version;
    std::uint64_t table;  // hash_of_table()
    std::uint64_t run, rank, ranks;
    std::int64_t date;    // [s since 1970]
    std::uint64_t began;  // on some clock [ns], and when it was last looked at
    std::uint64_t seen;
    std::uint64_t slots;  // in use
    std::uint64_t names;  // bytes of names
    std::uint64_t body;   // which of the two is whole
    Extent bodies[2];
    char mpi[128];
    char program[512];        // cut short where it is longer
    std::uint64_t callpaths;  // CallpathMode
    // The first signal that ended the process, or was going to, or trace::kExited; 0: none is
    // known. It came to the thread of this slot, counted from 1; 0: to one that has none.
    std::uint64_t signal;
    std::uint64_t signal_slot;
    // Calls that this thread had begun then. If it has begun more since, the process went on.
    std::uint64_t signal_begun;
    std::uint64_t lock;  // Process::lock
  };

  enum class State : std::uint64_t {
    outside = 0,  // of MPI
    within = 1,   // a call, unless `calls` is no longer `before`
    polling = 2,  // outside, after a call that came back empty-handed
  };

  struct Slot {
    static constexpr std::size_t kWords = (kPage - 9 * 8) / 8;

    std::uint64_t state;
    std::uint64_t begun;   // calls, whether they are completed or not
    std::uint64_t calls;   // that the thread has completed, as the trace counts them
    std::uint64_t before;  // as many as that when its last call began
    std::uint64_t function;
    std::uint64_t callpath;  // hash
    std::uint64_t waited;    // [s]
    std::uint64_t polls;
    std::uint64_t words;
    std::int64_t record[kWords];  // Tail::record
  };
  static_assert(sizeof(Header) <= kPage && sizeof(Slot) == kPage);

  // What a slot says; `calls` are those of the stream.
  static Tail tail_of(const Slot& slot, std::uint64_t calls, const CallpathTable& callpaths);

  // The signal that ended a process, or trace::kExited; 0: none is known, or the process went on.
  // `pages`: header and slots.
  static std::uint64_t signal_of(std::span<const std::uint8_t> pages);
  // Puts it into the tails of the threads. REQUIRES: there are some.
  static void set_signal(std::span<const std::uint8_t> pages, std::vector<Tail>& tails);

  // Tells recorders apart that number functions differently.
  static std::uint64_t hash_of_table();

  // What a process was, from the bytes of its file. A file that `Process::encode` made is one too.
  static Result<Process> read(std::span<const std::uint8_t> data, const std::string& name);

  static constexpr std::uint8_t kVersion = 135;  // apart from those of Process
};

}  // namespace reprise::compress
