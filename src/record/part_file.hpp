// The file in which a process keeps what it has recorded until there is a trace of all ranks, and
// how the recorder writes files at all (compress/part_layout.hpp).
#pragma once

#include <csignal>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "compress/part_layout.hpp"

namespace reprise::record {

// While one lives, a write beyond the limit on the size of files fails and does not end the
// program, which may have nothing to do with files.
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

  // False: there is such a file already, of another recording.
  bool create(const std::string& path);
  // Says what the process is; it begins to count as a part.
  void describe(const compress::Process& process, std::uint64_t began);
  bool is_open() const { return file_ >= 0; }

  // Of the next thread; null if there is no room for more.
  Slot* add_slot();
  // A call path that slots may name from now on.
  void note_callpath(const compress::CallpathTable& table) noexcept;
  // What is known of the time that has passed [ns].
  void note_time(std::uint64_t now);
  // The signal that ends the process and the slot of the thread to which it came; null: it has
  // none. The first one counts. For handlers of signals.
  void note_signal(int signal, const Slot* slot) noexcept;
  // Null: there is no memory for it.
  const Header* header() const { return reinterpret_cast<const Header*>(pages_); }

  // Replaces the process that was written before. It survives the process, not the machine.
  Status write(std::span<const std::uint8_t> process, const std::string& path);
  // Whether the file still bears its name.
  bool remains(const std::string& path) const;
  void remove(const std::string& path);

  // A page of the file cannot be had any more: memory takes its place. False: the address is in
  // none. For a handler of SIGBUS.
  bool survive(const void* address);

 private:
  void map();

  int file_ = -1;
  std::uint8_t* pages_ = nullptr;  // header and slots
};

}  // namespace reprise::record
