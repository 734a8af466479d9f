// The call paths of MPI calls, and the cache that makes finding them cheap.
//
// An unwind costs microseconds. Its result is kept under (return address, stack pointer), together
// with the stack slots in which the return addresses were found; a later call with the same two has
// the same path if those very slots still hold the same addresses. Paths with the same two, as of a
// function that is called from many places at one depth, are tried in turn, the newest first.
// Cost of a call: a load for each frame of the path, or the first that differs of each path before.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/flat_map.hpp"
#include "compress/fold/callpath_table.hpp"
#include "record/calls/stack_slot.hpp"

namespace reprise::record {

// A program or library in this process.
struct LoadedModule {
  std::uintptr_t base = 0;            // load address: offsets of frames count from it
  std::uintptr_t begin = 0, end = 0;  // of its executable segments
  trace::Module identity;
};

// Of one thread.
class Callpaths {
 public:
  // The number of the present call path. `caller` is the return address of the wrapper and `frame`
  // its canonical frame address, the stack pointer of the caller.
  std::uint32_t find(void* caller, void* frame);

  // Of the call path found last: where the return address of the function lies whose local variable
  // this is. Empty if it is in no frame of the path, or if the frames are not known.
  StackSlot frame_of(std::uintptr_t variable) const;
  // Whether that function is on the call path found last; true if that is not known.
  bool is_on_path(const StackSlot& frame) const;

  // Told of each new path.
  using Listener = std::function<void(const compress::CallpathTable&)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }

  // How often a path was not found in the cache.
  std::uint64_t unwinds() const { return unwinds_; }

  // The paths found so far, and by number the hash under which each is known.
  const compress::CallpathTable& table() const { return table_; }
  const std::vector<std::uint64_t>& hashes() const { return hashes_; }

 private:
  using Address = std::uintptr_t;

  struct Slot {
    std::uint32_t words;  // above the frame address
    Address value;        // the return address there
  };

  // A path that was found before, and where its return addresses lay.
  struct Cached {
    Address caller, frame;
    std::uint32_t path;
    std::uint32_t next;  // older ones with the same caller and frame: a function has many callers
    std::vector<Slot> slots;
  };

  std::uint32_t unwind(Address caller, Address frame);
  std::uint32_t number(const std::vector<Address>& path);
  const LoadedModule* module_of(Address pc);
  std::vector<compress::GlobalFrame> name_frames(const std::vector<Address>& path);

  Listener listener_;
  std::uint64_t unwinds_ = 0;
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  std::vector<Cached> cache_;
  std::uint32_t last_ = kUnknown;  // the entry found last
  FlatMap newest_;                 // hash of (caller, frame) -> index into cache_
  std::vector<LoadedModule> modules_;
  compress::CallpathTable table_;
  std::vector<std::uint64_t> hashes_;               // by number
  std::map<std::uint64_t, std::uint32_t> numbers_;  // hash -> number
};

}  // namespace reprise::record
