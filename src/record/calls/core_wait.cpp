#include "record/calls/core_wait.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "record/calls/clock.hpp"

namespace reprise::record {

std::uint64_t core_wait_ns() {
  const int file = ::open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 96> text{};
  const ssize_t length = ::read(file, text.data(), text.size());
  ::close(file);
  // "RUNNING WAITING TIMESLICES"
  std::string_view rest(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  rest.remove_prefix(std::min(rest.size(), rest.find(' ') + 1));
  std::uint64_t waiting = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), waiting);
  return waiting;
}

Instant present_instant() { return {system_ns(), core_wait_ns()}; }

}  // namespace reprise::record
