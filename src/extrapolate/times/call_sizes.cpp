#include "extrapolate/times/call_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "trace/calls/functions.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::uint64_t kMostRanks = 16;
constexpr std::uint64_t kMostWalked = 4'000'000;  // calls

bool is_collective(const trace::Function& f) {
  return (f.traits & trace::traits::kCollective) != 0;
}

// `of`: the stream's place in the call's communicator.
std::int64_t members_of(const trace::Function& f, trace::Membership of) {
  return is_collective(f) && of.is_known() ? of.size : 1;
}

// Of the largest buffer.
double elements_of(const trace::Event& event, double members) {
  double most = 0;
  for (const trace::Payload& p : event.function->payloads) {
    double n = 0;
    if (p.blocks == trace::Blocks::listed) {
      if (p.count < 0) continue;
      for (const std::int64_t v : event.lists[static_cast<std::size_t>(p.count)]) {
        n += trace::is_special(v) ? 0 : static_cast<double>(v);
      }
    } else {
      const std::int64_t v = p.count < 0 ? 1 : event.scalars[static_cast<std::size_t>(p.count)];
      n = trace::is_special(v) ? 0 : static_cast<double>(v);
      if (p.blocks == trace::Blocks::members) n *= members;
    }
    most = std::max(most, n);
  }
  return most;
}

}  // namespace

void CallSize::merge(const CallSize& other) {
  executions += other.executions;
  members += other.members;
  elements += other.elements;
  work += other.work;
}

std::array<double, CallSize::kMeans> CallSize::means() const {
  return {members / executions, elements / executions, work / executions};
}

std::array<std::string, CallSize::kMeans> names_of_means() {
  return {"members", "elements", "elements_log_elements"};
}

std::vector<CallSize> sizes_of_calls(const trace::Trace& trace) {
  std::vector<CallSize> out(trace.calls.size());
  const std::uint64_t ranks = std::min<std::uint64_t>(trace.ranks, kMostRanks);
  std::uint64_t walked = 0;
  for (std::uint64_t i = 0; i < ranks && walked < kMostWalked; ++i) {
    const std::uint64_t rank = ranks < 2 ? 0 : i * (trace.ranks - 1) / (ranks - 1);
    trace::Cursor cursor(trace, rank);
    for (; walked < kMostWalked && cursor.next(); ++walked) {
      const trace::Event& event = cursor.event();
      const auto of_all =
          static_cast<double>(members_of(*event.function, cursor.call_membership()));
      const double n = elements_of(event, of_all);
      out[event.call].merge({1, of_all, n, n * std::log2(std::max(n, 1.0))});
    }
  }
  return out;
}

}  // namespace reprise::extrapolate
