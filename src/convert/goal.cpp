#include "convert/goal.hpp"

#include <algorithm>

namespace reprise::convert {
namespace {

// LogGOPSim takes 4 GB for an empty message, by (bytes - 1) G.
std::int64_t least(std::int64_t bytes) { return std::max<std::int64_t>(1, bytes); }

// What the next step needs: everything that blocks before it, and what has been waited for.
void write_rank(const Steps& steps, std::uint64_t rank, TextFile& out) {
  out.line("rank {} {{", rank);
  std::optional<std::uint64_t> needed;
  Steps::Reader reader(steps, rank);
  for (std::uint64_t i = 0; reader.has(i); ++i) {
    const Step& s = reader.at(i);
    switch (s.what) {
      case Step::Do::compute: out.line("l{}: calc {}", i, s.span); break;
      case Step::Do::send:
        out.line("l{}: send {}b to {} tag {}", i, least(s.bytes), s.peer, s.tag);
        break;
      case Step::Do::receive:
        out.line("l{}: recv {}b from {} tag {}", i, least(s.bytes), s.peer, s.tag);
        break;
      case Step::Do::wait:
      case Step::Do::meet: out.line("l{}: calc 0", i); break;
    }
    if (needed) out.line("l{} requires l{}", i, *needed);
    if (s.what == Step::Do::wait) out.line("l{} requires l{}", i, s.operation);
    if (s.what == Step::Do::compute || s.what == Step::Do::wait || s.is_blocking) needed = i;
  }
  out.line("}}");
}

}  // namespace

void write_goal(const Steps& steps, TextFile& out) {
  out.line("num_ranks {}", steps.ranks());
  for (std::uint64_t r = 0; r < steps.ranks(); ++r) write_rank(steps, r, out);
}

}  // namespace reprise::convert
