// The part of a process: the file that holds what it has recorded until there is a trace of all
// ranks (compress/part_layout.hpp).
#pragma once

#include <csignal>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "compress/part_layout.hpp"

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

std::string part_path(const std::string& output, std::uint64_t rank);

// `OUT.part-RANK`, with its first pages mapped. Where there is none (checkpoints are not wanted, or
// it cannot be made), the slots are memory of the process alone, and `write` makes a whole file.
class PartFile {
 public:
  using Header = compress::PartLayout::Header;
  using Slot = compress::PartLayout::Slot;

  PartFile() = default;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // False if the file exists already, of another recording.
  bool create(const std::string& path);
  // Describes the process; from now on the file is a part. `began`: system_ns() [ns].
  void describe(const compress::Process& process, std::uint64_t began);
  bool is_open() const { return file_ >= 0; }

  // The slot of the next thread; null if all are taken or the disk is full.
  Slot* add_slot();
  // Adds a call path, which slots may then name.
  void note_callpath(const compress::CallpathTable& table) noexcept;
  // The time at which the process was last known to run, by system_ns() [ns].
  void note_time(std::uint64_t now);
  // The signal that ends the process and the slot of the thread to which it came; null: it has
  // none. The first one counts. For handlers of signals.
  void note_signal(int signal, const Slot* slot) noexcept;
  // Null: there is no memory for it.
  const Header* header() const { return reinterpret_cast<const Header*>(pages_); }

  // Replaces what was written before. Not synced: it survives the process, not the machine.
  Status write(std::span<const std::uint8_t> process, const std::string& path);
  // Whether the file still bears its name.
  bool remains(const std::string& path) const;
  void remove(const std::string& path);

  // Replaces a page of the file that can no longer be read by anonymous memory. False if the
  // address is in no page of the file. For a handler of SIGBUS.
  bool survive(const void* address);

 private:
  void map();

  int file_ = -1;
  std::uint8_t* pages_ = nullptr;  // header and slots
};

}  // namespace reprise::record
