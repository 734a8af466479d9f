// What a call of POSIX says of files. Descriptors have numbers among those of MPI's files.
#include "record/calls/call.hpp"
#include "record/flat/flat_log.hpp"
#include "record/flat/flat_state.hpp"
#include "record/objects/handles.hpp"
#include "record/posix/posix.hpp"

namespace reprise::record {
namespace {

// A handle that no MPI_File has.
std::uint64_t bits_of(int descriptor) {
  return (std::uint64_t{1} << 63) | static_cast<std::uint32_t>(descriptor);
}

}  // namespace

void Call::descriptor(int descriptor) { put(session_->files.find(bits_of(descriptor))); }

void Call::pieces(const iovec* pieces, int n) {
  put_list_length(n);
  for (int i = 0; i < n; ++i) add(static_cast<std::int64_t>(pieces[i].iov_len));
}

// Before the file is closed: at once after it another thread may have the descriptor.
void Call::descriptor_freed(int descriptor) {
  Call::descriptor(descriptor);
  unfollow(descriptor);
  leave(Freed::file, bits_of(descriptor));
}

// What had the descriptor before was closed where no recorder could see it.
void Call::new_descriptor(int descriptor) {
  const std::uint64_t handle = bits_of(descriptor);
  if (session_->files.find(handle) != trace::kForeign)
    session_->files.freed(session_->files.leave(handle));
  put(session_->files.make(handle));
  follow(descriptor);
}

void FlatCall::descriptor(const char* name, int descriptor) {
  put(name, g_flat_log->files_open.find(bits_of(descriptor)));
}

void FlatCall::pieces(const char* name, const iovec* pieces, int n) {
  std::vector<std::string> all;
  for (int i = 0; i < n; ++i) all.push_back(std::to_string(pieces[i].iov_len));
  put_list(name, all);
}

void FlatCall::descriptor_freed(const char* name, int descriptor) {
  FlatCall::descriptor(name, descriptor);
  std::tie(freed_, kept_) = g_flat_log->files_open.free(bits_of(descriptor));
}

void FlatCall::new_descriptor(const char* name, int descriptor) {
  const std::uint64_t handle = bits_of(descriptor);
  if (const auto gone = g_flat_log->files_open.free(handle).first) gone();
  put(name, g_flat_log->files_open.make(handle));
}

}  // namespace reprise::record
