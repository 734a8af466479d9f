// The part of a process: the file that holds what it has recorded until there is a trace of all
// ranks (compress/parts/part_layout.hpp).
#pragma once

#include <csignal>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "compress/parts/part_layout.hpp"

namespace reprise::record {

// While one lives, a write beyond the limit on file sizes (RLIMIT_FSIZE) fails with EFBIG instead
// of ending the program.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal();
  ~NoFileSizeSignal();
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t former_;
};

// `OUT.part-RANK`, with its first pages mapped. Where there is none (checkpoints are not wanted, or
// it cannot be made), the slots are memory of the process alone, and `write` makes a whole file.
// What does not fit there, or whose folder is gone, goes where moved_output() says.
class PartFile {
 public:
  using Header = compress::PartLayout::Header;
  using Slot = compress::PartLayout::Slot;

  PartFile() = default;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // What the file is called from now on, whether there is one or not.
  void name(const std::string& output, std::uint64_t rank);
  // Names the file and makes it. False if it exists already, of another recording.
  bool create(const std::string& output, std::uint64_t rank);
  // Describes the process; from now on the file is a part. `began`: system_ns() [ns].
  void describe(const compress::Process& process, std::uint64_t began);
  bool is_open() const { return file_ >= 0; }
  // Where the file is, and whether that is the folder for temporary files.
  const std::string& path() const { return path_; }
  bool is_moved() const { return is_moved_; }
  // What it is called there, whether it is there or not.
  const std::string& moved_path() const { return is_moved_ ? path_ : elsewhere_; }

  // The slot of the next thread; null if all are taken or the disk is full.
  Slot* add_slot();
  // Adds a call path, which slots may then name.
  void note_callpath(const compress::CallpathTable& table) noexcept;
  // The time at which the process was last known to run, by system_ns() [ns].
  void note_time(std::uint64_t now);
  // The signal that ends the process, or trace::kExited, and the slot of the thread to which it
  // came; null: it has none. The first one counts after which the process does not go on. For
  // handlers of signals.
  void note_signal(int signal, const Slot* slot) noexcept;
  // The process goes on after it. No effect if another one was noted first.
  void forget_signal(int signal) noexcept;
  // Header and slots; empty: there is no memory for them.
  std::span<const std::uint8_t> pages() const {
    return {pages_, pages_ ? compress::PartLayout::kNames : 0};
  }

  // Replaces what was written before, which stays if this fails. Not synced: it survives the
  // process, not the machine. The error is that of the first place.
  Status write(std::span<const std::uint8_t> process);
  // Whether the file still bears its name.
  bool remains() const;
  void remove();

  // Replaces a page of the file that can no longer be read by anonymous memory. False if the
  // address is in no page of the file. For a handler of SIGBUS.
  bool survive(const void* address);

 private:
  void map();
  Status put(std::span<const std::uint8_t> process);
  bool move(std::span<const std::uint8_t> process);
  void note_move();

  std::string path_, elsewhere_;
  bool has_all_slots_ = true;  // every thread so far has one
  bool is_moved_ = false;
  int file_ = -1;
  std::uint8_t* pages_ = nullptr;  // header and slots
};

}  // namespace reprise::record
