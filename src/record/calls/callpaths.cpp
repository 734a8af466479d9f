#include "record/calls/callpaths.hpp"

#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <new>
#include <optional>

#include "base/build_id.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "record/calls/libraries.hpp"
#include "record/smpi/smpi.hpp"

namespace reprise::record {
namespace {

constexpr std::size_t kMaxFrames = 512;
constexpr std::size_t kMaxCached = 1 << 16;

struct RawFrame {
  std::uintptr_t pc;
  std::uintptr_t sp;  // where it called the next inner frame
};

struct Unwinding {
  RawFrame frames[kMaxFrames];
  std::size_t count = 0;
};

_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* data) {
  auto& u = *static_cast<Unwinding*>(data);
  // The entry point of a program was called by nobody.
  if (u.count == kMaxFrames || _Unwind_GetIP(context) == 0) return _URC_END_OF_STACK;
  u.frames[u.count++] = {static_cast<std::uintptr_t>(_Unwind_GetIP(context)),
                         static_cast<std::uintptr_t>(_Unwind_GetCFA(context))};
  return _URC_NO_REASON;
}

constexpr int kFound = 1, kNoMemory = 2;

// Ends at the module that holds `begin`. Only that one is kept: under SMPI there is one for every
// rank.
int find_module(dl_phdr_info* info, std::size_t, void* data) try {
  auto& found = *static_cast<LoadedModule*>(data);
  const std::uintptr_t pc = found.begin;
  LoadedModule m;
  m.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X)) {
      const std::uintptr_t begin = m.base + header.p_vaddr;
      if (m.begin == 0 || begin < m.begin) m.begin = begin;
      m.end = std::max<std::uintptr_t>(m.end, begin + header.p_memsz);
    } else if (header.p_type == PT_NOTE && m.identity.build_id.empty()) {
      m.identity.build_id =
          build_id_in({reinterpret_cast<const std::uint8_t*>(m.base + header.p_vaddr),
                       static_cast<std::size_t>(header.p_memsz)});
    }
  }
  if (pc < m.begin || pc >= m.end) return 0;
  m.identity.path = info->dlpi_name ? info->dlpi_name : "";
  found = std::move(m);
  return kFound;
} catch (const std::bad_alloc&) {  // nothing may be thrown through the C library
  return kNoMemory;
}

std::optional<LoadedModule> module_at(std::uintptr_t pc) {
  LoadedModule m;
  m.begin = pc;
  const int outcome = dl_iterate_phdr(find_module, &m);
  if (outcome == kNoMemory) throw std::bad_alloc();
  if (outcome != kFound) return std::nullopt;
  if (m.identity.path.empty()) {
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n > 0) m.identity.path.assign(path, static_cast<std::size_t>(n));
  }
#ifdef SMPI_H
  const auto here = reinterpret_cast<std::uintptr_t>(&module_at);
  if (here >= m.begin && here < m.end) m.identity.path = original_program(m.identity.path);
#endif
  return m;
}

// Below the program: what starts it and its threads.
bool is_start_up(const LoadedModule* module) {
  if (!module) return true;
  const Library library = library_named(base_name(module->identity.path));
  return library == Library::system || library == Library::simulator;
}

// Above the program: the layers of the MPI library and of the recorder itself.
bool is_library(const LoadedModule* module) {
  if (!module) return false;
  const Library library = library_named(base_name(module->identity.path));
  return library == Library::mpi || library == Library::binding || library == Library::simulator ||
         library == Library::recorder;
}

// Recursion folds: what lies between two visits of one place is left out.
void fold_recursion(std::vector<std::uintptr_t>& path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto here = path.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = std::find(path.rbegin(), path.rend(), *here).base() - 1;
    path.erase(here, last);
  }
}

}  // namespace

std::uint32_t Callpaths::find(void* caller_pointer, void* frame_pointer) {
  const auto caller = reinterpret_cast<Address>(caller_pointer);
  const auto frame = reinterpret_cast<Address>(frame_pointer);
  const auto* stack = static_cast<const Address*>(frame_pointer);
  for (std::uint32_t i = newest_.find(combine(caller, frame)); i != FlatMap::kMissing;) {
    const Cached& cached = cache_[i];
    if (cached.caller == caller && cached.frame == frame &&
        std::ranges::all_of(cached.slots,
                            [stack](Slot slot) { return stack[slot.words] == slot.value; })) {
      last_ = i;
      return cached.path;
    }
    i = cached.next;
  }
  return unwind(caller, frame);
}

std::uint32_t Callpaths::unwind(Address caller, Address frame) {
  ++unwinds_;
  Unwinding u;
  _Unwind_Backtrace(take_frame, &u);
  std::size_t first = 0;
  while (first < u.count && u.frames[first].pc != caller) ++first;
  std::vector<Address> path;
  std::vector<Slot> slots;
  bool verifiable = true;
  for (std::size_t i = first; i < u.count; ++i) {
    path.push_back(u.frames[i].pc);
    if (i > first) {
      // The address that a callee returns to lies right below the stack pointer of its caller on
      // most machines, and somewhere in the callee's frame on all.
      const Address bottom = u.frames[i - 1].sp;
      Address at = u.frames[i].sp - sizeof(Address);
      while (at >= bottom && *reinterpret_cast<const Address*>(at) != u.frames[i].pc) {
        at -= sizeof(Address);
      }
      verifiable = verifiable && at >= bottom;
      slots.push_back({static_cast<std::uint32_t>((at - frame) / sizeof(Address)), u.frames[i].pc});
    }
  }
  if (path.empty()) path.push_back(caller);
  const std::uint32_t found = number(path);
  last_ = kUnknown;
  if (!verifiable) return found;
  if (cache_.size() == kMaxCached) {
    cache_.clear();
    newest_ = {};
  }
  const std::uint64_t key = combine(caller, frame);
  cache_.push_back({caller, frame, found, newest_.find(key), std::move(slots)});
  last_ = static_cast<std::uint32_t>(cache_.size() - 1);
  newest_.set(key, last_);
  return found;
}

StackSlot Callpaths::frame_of(std::uintptr_t variable) const {
  if (last_ == kUnknown) return {};
  const auto& [caller, frame, path, next, slots] = cache_[last_];
  if (slots.empty() || variable < frame) return {};
  const std::uintptr_t words = (variable - frame) / sizeof(Address);
  if (words >= slots.back().words) return {};
  // The slots lie in order, that of the caller first: most variables are the caller's own.
  for (const Slot& slot : slots) {
    if (slot.words > words) return {frame + slot.words * sizeof(Address), slot.value};
  }
  return {};
}

bool Callpaths::is_on_path(const StackSlot& wanted) const {
  if (last_ == kUnknown) return true;
  const auto& [caller, frame, path, next, slots] = cache_[last_];
  return std::ranges::any_of(slots, [&](const Slot& slot) {
    return frame + slot.words * sizeof(Address) == wanted.address && slot.value == wanted.value;
  });
}

std::uint32_t Callpaths::number(const std::vector<Address>& path) {
  std::vector<Address> folded = path;
  fold_recursion(folded);
  const std::uint64_t hash = table_.add_path(name_frames(folded));
  const auto [entry, is_new] = numbers_.emplace(hash, static_cast<std::uint32_t>(hashes_.size()));
  if (!is_new) return entry->second;
  hashes_.push_back(hash);
  if (listener_) listener_(table_.only(hash));
  return entry->second;
}

const LoadedModule* Callpaths::module_of(Address pc) {
  const auto holds = [pc](const LoadedModule& m) { return pc >= m.begin && pc < m.end; };
  auto found = std::ranges::find_if(modules_, holds);
  if (found == modules_.end()) {  // seen for the first time, or none
    if (const auto added = module_at(pc)) {
      modules_.push_back(*added);
      found = modules_.end() - 1;
    }
  }
  return found == modules_.end() ? nullptr : &*found;
}

// The path without what starts the program and without the layers of the MPI library.
std::vector<compress::GlobalFrame> Callpaths::name_frames(const std::vector<Address>& path) {
  std::size_t begin = 0, end = path.size();
  while (begin + 1 < end && is_library(module_of(path[begin]))) ++begin;
  // The outermost frame of a program is its entry point, which calls the C library's.
  if (end > begin + 2 && is_start_up(module_of(path[end - 2]))) --end;
  while (end > begin + 1 && is_start_up(module_of(path[end - 1]))) --end;
  std::vector<compress::GlobalFrame> frames;
  for (std::size_t i = begin; i < end; ++i) {
    const LoadedModule* m = module_of(path[i]);
    const std::uint64_t id = table_.add_module(m ? m->identity : trace::Module{"[unknown]", ""});
    frames.push_back({id, m ? path[i] - m->base : path[i]});
  }
  return frames;
}

}  // namespace reprise::record
