#include "convert/goal.hpp"

namespace reprise::convert {
namespace {

// What the next step needs: everything that blocks before it, and what has been waited for.
void write_rank(const std::vector<Step>& steps, std::size_t rank, TextFile& out) {
  out.line("rank {} {{", rank);
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    switch (s.what) {
      case Step::Do::compute: out.line("l{}: calc {}", i, s.span); break;
      case Step::Do::send: out.line("l{}: send {}b to {} tag {}", i, s.bytes, s.peer, s.tag); break;
      case Step::Do::receive:
        out.line("l{}: recv {}b from {} tag {}", i, s.bytes, s.peer, s.tag);
        break;
      case Step::Do::wait: out.line("l{}: calc 0", i); break;
    }
    for (const std::size_t n : needed) out.line("l{} requires l{}", i, n);
    if (s.what == Step::Do::wait) out.line("l{} requires l{}", i, s.operation);
    if (s.what == Step::Do::compute || s.what == Step::Do::wait || s.is_blocking) needed = {i};
  }
  out.line("}}");
}

}  // namespace

void write_goal(const Steps& steps, TextFile& out) {
  out.line("num_ranks {}", steps.size());
  for (std::size_t r = 0; r < steps.size(); ++r) write_rank(steps[r], r, out);
}

}  // namespace reprise::convert
