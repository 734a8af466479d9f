#include "record/lifetime/part_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <span>

#include "base/files.hpp"
#include "compress/parts/part_names.hpp"
#include "trace/file/file.hpp"

namespace reprise::record {

using compress::PartLayout;

namespace {

sigset_t only_file_size() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool write_at(int file, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

// The same bytes of another file.
bool copy_bytes(int from, int to, std::uint64_t offset, std::uint64_t n) {
  std::uint8_t bytes[1 << 12];
  while (n > 0) {
    const ssize_t got =
        ::pread(from, bytes, std::min<std::uint64_t>(n, sizeof bytes), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || !write_at(to, offset, {bytes, static_cast<std::size_t>(got)})) return false;
    offset += static_cast<std::uint64_t>(got);
    n -= static_cast<std::uint64_t>(got);
  }
  return true;
}

// A new file. The lock tells others that it is in use, where the file system can.
int make_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) (void)lock_file(file);
  return file;
}

// That lock, for the header.
std::uint64_t lock_of(int file) { return lock_file(file) ? lock_identity(file) : 0; }

// Takes room on the disk for a page, so that a store to it cannot fail for want of that.
bool reserve(int file, std::size_t page) {
  static constexpr std::uint8_t kEmpty[PartLayout::kPage] = {};
  const NoFileSizeSignal no_signal;
  return write_at(file, page * PartLayout::kPage, kEmpty);
}

// A new file with room for its header; -1 and errno if there is none.
int make_part(const std::string& path) {
  const int file = make_locked(path);
  if (file < 0 || (::ftruncate(file, PartLayout::kNames) == 0 && reserve(file, 0))) return file;
  const int error = errno;
  ::close(file);
  ::unlink(path.c_str());
  errno = error;
  return -1;
}

// The same, in place of what an earlier recording left, unless it is in use.
int make_part_again(const std::string& path) {
  const int file = make_part(path);
  if (file >= 0 || errno != EEXIST || is_locked(path) || ::unlink(path.c_str()) != 0) return file;
  return make_part(path);
}

}  // namespace

NoFileSizeSignal::NoFileSizeSignal() {
  const sigset_t set = only_file_size();
  pthread_sigmask(SIG_BLOCK, &set, &former_);
}

NoFileSizeSignal::~NoFileSizeSignal() {
  const int error = errno;
  // The signal was not blocked before, so one that waits now is ours.
  if (!sigismember(&former_, SIGXFSZ)) {
    const sigset_t set = only_file_size();
    const timespec at_once{};
    while (sigtimedwait(&set, nullptr, &at_once) > 0) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  errno = error;
}

void PartFile::name(const std::string& output, std::uint64_t rank) {
  path_ = compress::part_path(output, rank);
  elsewhere_ = compress::part_path(compress::moved_output(output), rank);
}

bool PartFile::create(const std::string& output, std::uint64_t rank) {
  name(output, rank);
  file_ = make_part(path_);
  if (file_ < 0 && errno == EEXIST) return false;
  if (file_ < 0) {
    file_ = make_part_again(elsewhere_);
    if (file_ >= 0) note_move();
  }
  return true;
}

void PartFile::note_move() {
  path_.swap(elsewhere_);
  is_moved_ = true;
}

void PartFile::map() {
  if (pages_) return;
  void* at = MAP_FAILED;
  if (is_open())
    at = ::mmap(nullptr, PartLayout::kNames, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) {
    at = ::mmap(nullptr, PartLayout::kNames, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (at != MAP_FAILED) pages_ = static_cast<std::uint8_t*>(at);
}

void PartFile::describe(const compress::Process& process, std::uint64_t began) {
  map();
  if (!pages_) return;
  auto* h = reinterpret_cast<Header*>(pages_);
  h->table = PartLayout::hash_of_table();
  h->run = process.run;
  h->rank = process.rank;
  h->ranks = process.ranks;
  h->date = process.date;
  h->callpaths = static_cast<std::uint64_t>(process.own.callpaths_kept);
  h->began = h->seen = began;
  h->lock = is_open() ? lock_of(file_) : 0;
  std::memcpy(h->mpi, process.mpi.data(), std::min(process.mpi.size(), sizeof h->mpi));
  std::memcpy(h->program, process.program.data(),
              std::min(process.program.size(), sizeof h->program));
  h->version = PartLayout::kVersion;
  std::memcpy(h->magic, trace::kPartMagic.data(), sizeof h->magic);
}

PartFile::Slot* PartFile::add_slot() {
  map();
  auto* h = reinterpret_cast<Header*>(pages_);
  const std::uint64_t n = h ? h->slots : 0;
  // Slots are those of the first threads, without a gap.
  has_all_slots_ =
      has_all_slots_ && h && n < PartLayout::kSlots && (!is_open() || reserve(file_, 1 + n));
  if (!has_all_slots_) return nullptr;
  std::atomic_ref(h->slots).store(n + 1, std::memory_order_release);
  return reinterpret_cast<Slot*>(pages_ + PartLayout::kPage * (1 + n));
}

void PartFile::note_callpath(const compress::CallpathTable& table) noexcept {
  if (!is_open() || !pages_) return;
  try {
    ByteWriter entry, out;
    table.encode(entry);
    out.varint(entry.size());
    out.raw(entry.bytes().data(), entry.size());
    auto* h = reinterpret_cast<Header*>(pages_);
    if (h->names + out.size() > PartLayout::kNamesSize) return;
    const NoFileSizeSignal no_signal;
    if (write_at(file_, PartLayout::kNames + h->names, out.bytes()))
      std::atomic_ref(h->names).store(h->names + out.size(), std::memory_order_release);
  } catch (const std::exception&) {  // the next checkpoint has it
  }
}

void PartFile::note_time(std::uint64_t now) {
  if (pages_) reinterpret_cast<Header*>(pages_)->seen = now;
}

void PartFile::note_signal(int signal, const Slot* slot) noexcept {
  if (!pages_) return;
  auto* h = reinterpret_cast<Header*>(pages_);
  if (PartLayout::signal_of(pages()) != 0) return;
  const auto* page = reinterpret_cast<const std::uint8_t*>(slot);
  h->signal_begun = slot ? slot->begun : 0;
  h->signal_slot = slot ? static_cast<std::uint64_t>(page - pages_) / PartLayout::kPage : 0;
  std::atomic_ref(h->signal).store(static_cast<std::uint64_t>(signal), std::memory_order_release);
}

void PartFile::forget_signal(int signal) noexcept {
  if (!pages_) return;
  auto noted = static_cast<std::uint64_t>(signal);
  std::atomic_ref(reinterpret_cast<Header*>(pages_)->signal).compare_exchange_strong(noted, 0);
}

Status PartFile::write(std::span<const std::uint8_t> process) {
  const NoFileSizeSignal no_signal;
  if (!is_open() || !pages_) {
    const Status written = write_file(path_, process, {.is_synced = false});
    if (written) return {};
    if (!is_moved_ && write_file(elsewhere_, process, {.is_synced = false})) {
      note_move();
      return {};
    }
    return Error{path_ + " cannot be written (" + written.error().message + ")"};
  }
  const Status written = remains() ? put(process) : Error{path_ + " is no longer there"};
  if (written || (!is_moved_ && move(process))) return {};
  return written;
}

// Into the file that is there.
Status PartFile::put(std::span<const std::uint8_t> process) {
  auto* h = reinterpret_cast<Header*>(pages_);
  const PartLayout::Extent& last = h->bodies[h->body & 1];
  PartLayout::Extent next{PartLayout::kBodies, process.size()};
  if (last.size > 0 && next.offset + next.size > last.offset) next.offset = last.offset + last.size;
  if (!write_at(file_, next.offset, process))
    return Error{path_ + " cannot be written (write: " + std::strerror(errno) + ")"};
  const std::uint64_t other = 1 - (h->body & 1);
  h->bodies[other] = next;
  std::atomic_ref(h->body).store(other, std::memory_order_release);
  return {};
}

// Makes the file anew in the folder for temporary files, where threads then go on storing into its
// pages. REQUIRES: none does so meanwhile.
bool PartFile::move(std::span<const std::uint8_t> process) {
  const auto* h = reinterpret_cast<const Header*>(pages_);
  const int file = make_part_again(elsewhere_);
  if (file < 0) return false;
  Header moved = *h;
  moved.body = 0;
  moved.bodies[0] = {PartLayout::kBodies, process.size()};
  moved.bodies[1] = {};
  moved.lock = lock_of(file);
  const std::span<const std::uint8_t> used = pages().first((1 + h->slots) * PartLayout::kPage);
  const std::span header(reinterpret_cast<const std::uint8_t*>(&moved), sizeof moved);
  const bool is_whole = ::ftruncate(file, PartLayout::kNames) == 0 && write_at(file, 0, used) &&
                        copy_bytes(file_, file, PartLayout::kNames, h->names) &&
                        write_at(file, PartLayout::kBodies, process) && write_at(file, 0, header) &&
                        ::mmap(pages_, PartLayout::kNames, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_FIXED, file, 0) == pages_;
  if (!is_whole) {
    ::unlink(elsewhere_.c_str());
    ::close(file);
    return false;
  }
  remove();
  file_ = file;
  note_move();
  return true;
}

bool PartFile::remains() const {
  struct stat named {
  }, ours{};
  if (::stat(path_.c_str(), &named) != 0) return false;
  if (!is_open()) return true;
  return ::fstat(file_, &ours) == 0 && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

void PartFile::remove() {
  if (remains()) ::unlink(path_.c_str());
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

bool PartFile::survive(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto first = reinterpret_cast<std::uintptr_t>(pages_);
  if (!pages_ || at < first || at >= first + PartLayout::kNames) return false;
  void* page = pages_ + (at - first) / PartLayout::kPage * PartLayout::kPage;
  return ::mmap(page, PartLayout::kPage, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
}

}  // namespace reprise::record
