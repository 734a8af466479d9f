#include "convert/goal.hpp"

#include <algorithm>
#include <vector>

namespace reprise::convert {
namespace {

// LogGOPSim takes 4 GB for an empty message, by (bytes - 1) G.
std::int64_t least(std::int64_t bytes) { return std::max<std::int64_t>(1, bytes); }

// A step begins when the one before it has begun, or is over where that blocks, and when all that
// has been waited for is over.
void write_rank(const Steps& steps, std::uint64_t rank, TextFile& out) {
  out.line("rank {} {{", rank);
  std::optional<std::uint64_t> before;  // the step before
  bool is_blocked = false;              // by it
  std::vector<std::uint64_t> needed;    // that was waited for since
  Steps::Reader reader(steps, rank);
  for (std::uint64_t i = 0; reader.has(i); ++i) {
    const Step& s = reader.at(i);
    if (s.what == Step::Do::wait) needed.push_back(s.operation);
    if (s.what == Step::Do::wait || s.what == Step::Do::meet) continue;
    if (s.what == Step::Do::compute) out.line("l{}: calc {}", i, s.span);
    if (s.what == Step::Do::send)
      out.line("l{}: send {}b to {} tag {}", i, least(s.bytes), s.peer, s.tag);
    if (s.what == Step::Do::receive)
      out.line("l{}: recv {}b from {} tag {}", i, least(s.bytes), s.peer, s.tag);
    if (before && std::ranges::find(needed, *before) == needed.end())
      out.line("l{} {} l{}", i, is_blocked ? "requires" : "irequires", *before);
    for (const std::uint64_t step : needed) out.line("l{} requires l{}", i, step);
    needed.clear();
    before = i;
    is_blocked = s.what == Step::Do::compute || s.is_blocking;
  }
  out.line("}}");
}

}  // namespace

void write_goal(const Steps& steps, TextFile& out, const RanksWritten& progress) {
  out.line("num_ranks {}", steps.ranks());
  for (std::uint64_t r = 0; r < steps.ranks(); ++r) {
    write_rank(steps, r, out);
    if (progress) progress(r);
  }
}

}  // namespace reprise::convert
