// Lowering: files.
#include <cmath>

#include "simulate/lower/lowerer.hpp"

namespace reprise::simulate {

Status Lowerer::file() {
  if (!place_) return unknown("a file");
  if (f_.traits & trace::traits::kCollective) {
    MeetingCall meeting = meeting_of(*place_);
    const Keep keep = s_.keep;
    if (keep == Keep::inner) {
      if (!machine_.file_exchanges.empty()) {
        exchanges(machine_.file_exchanges, *place_, 0);
      } else if (Status ok = meet(std::move(meeting)); !ok) {
        return ok;
      }
      add({.what = Do::spend, .bytes = file_time()});
      return {};
    }
  }
  if (s_.keep == Keep::inner) {
    add({.what = Do::spend, .bytes = file_time()});
  } else {
    return fork([&] { add({.what = Do::spend, .bytes = file_time()}); });
  }
  return sized();
}

// Of the rank alone, at once.
Status Lowerer::own_file() {
  add({.what = Do::spend, .bytes = file_time()});
  return sized();
}

Picoseconds Lowerer::file_time() {
  if (machine_.file_latency < 0) return times_.duration(e_.call);
  const std::int64_t bytes = sizes_.block(s_.sent) + sizes_.block(s_.received);
  return machine_.file_latency +
         std::llround(static_cast<double>(bytes) * machine_.file_inverse_bandwidth);
}

}  // namespace reprise::simulate
