#include "write/c/calls/pending_at.hpp"

#include <algorithm>

#include "mpi/requests/pending.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::write::c {
namespace {

constexpr std::uint64_t kMaxLooked = 1 << 22;  // executions

bool are_all(const std::vector<std::int64_t>& numbers, std::size_t pending) {
  if (numbers.size() != pending) return false;
  for (std::size_t i = 0; i < pending; ++i) {
    if (numbers[i] != static_cast<std::int64_t>(pending - 1 - i)) return false;
  }
  return true;
}

}  // namespace

std::vector<bool> PendingAt::look() const {
  struct Nothing {};
  const std::vector<bool> none(trace_.calls.size(), false);
  std::vector<bool> out(trace_.calls.size(), true);
  std::vector<std::int64_t> scratch;
  std::uint64_t looked = 0;
  for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
    mpi::Pending<Nothing> pending;
    trace::Cursor cursor(trace_, s);
    while (cursor.next()) {
      const trace::Event& event = cursor.event();
      const bool is_persistent = event.function->traits & trace::traits::kPersistent;
      looked += 1 + pending.size() * event.function->ends_requests;
      if (looked > kMaxLooked) return none;
      if (is_persistent || event.function->traits & trace::traits::kNonblocking) {
        pending.add({}, is_persistent);
        continue;
      }
      if (!event.function->ends_requests && !(event.function->traits & trace::traits::kStart))
        continue;
      if (!are_all(mpi::requests_of(event, scratch), pending.size())) out[event.call] = false;
      pending.pass(event);
    }
    if (cursor.damaged()) return none;
  }
  return out;
}

bool PendingAt::are_all_named(std::uint32_t call) {
  if (!all_named_) all_named_ = look();
  return (*all_named_)[call];
}

}  // namespace reprise::write::c
