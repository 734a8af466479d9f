// Whole files, read and written.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace reprise {

// The bytes of a file, if it begins with `magic`; else its first bytes alone, which tell the caller
// that it is something else: what is no trace may be a device without an end, or as large as a
// disk. The error says that it cannot be opened or read, or has more than `most` bytes, and why.
Result<std::vector<std::uint8_t>> read_file(const std::string& path, std::string_view magic,
                                            std::uint64_t most);

struct Writing {
  bool is_synced = true;  // brought to the disk: it survives the machine, not the process alone
};

// Writes `path` under another name and renames it: what was there stays until the new file is
// whole. The error is what failed and why, "write: No space left on device".
Status write_file(const std::string& path, std::span<const std::uint8_t> bytes, Writing how = {});
// The same, but never in place of another file: false if there is one by the time it is whole.
Result<bool> write_new_file(const std::string& path, std::span<const std::uint8_t> bytes);

// Takes the lock on an open file (flock), which its process has until it ends. False if another
// process keeps it for longer than `patience`, or if the file system has no locks. What asks
// is_locked() meanwhile holds it for a moment.
bool lock_file(int file, std::chrono::milliseconds patience = std::chrono::seconds{1});
// Whether another process holds the lock on a file. False too where the file system has none, or
// does not show those of other nodes: lock_identity() tells.
bool is_locked(const std::string& path);
// The lock on a file: equal for two that look at one file on one node, until it is booted again, of
// which each sees whether the other has it. 0: not known.
std::uint64_t lock_identity(int file);
std::uint64_t lock_identity(const std::string& path);

// Whether a file is not what it was at a time [s since 1970-01-01 UTC]: written later, or gone.
bool has_changed_since(const std::string& path, std::int64_t date);

// A path without its folders.
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The files `<prefix><number>`, by number; the prefix is a path.
std::vector<std::string> find_numbered(const std::string& prefix);

}  // namespace reprise
