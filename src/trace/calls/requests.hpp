// How a call names a request that another thread of its rank made. Its own are named by age, a
// number from 0 on; one of another thread by that thread and by how many it had made before,
// together one number below 0.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::trace {

struct ThreadRequest {
  std::int64_t thread;  // of the rank
  std::int64_t serial;  // from 0, among all that the thread's calls in the trace make
};

inline constexpr std::int64_t kMaxRequestThreads = 4096;

// REQUIRES: thread < kMaxRequestThreads.
inline std::int64_t encode_request(ThreadRequest r) {
  return -1 - (r.serial * kMaxRequestThreads + r.thread);
}

// REQUIRES: v < 0, not special.
inline ThreadRequest decode_request(std::int64_t v) {
  return {(-1 - v) % kMaxRequestThreads, (-1 - v) / kMaxRequestThreads};
}

// "thread0/17". REQUIRES: v < 0, not special.
inline std::string request_name(std::int64_t v) {
  const auto [thread, serial] = decode_request(v);
  return "thread" + std::to_string(thread) + "/" + std::to_string(serial);
}

}  // namespace reprise::trace
