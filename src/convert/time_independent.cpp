#include "convert/time_independent.hpp"

namespace reprise::convert {

void write_time_independent(const std::vector<Step>& steps, std::size_t rank, double flops,
                            TextFile& out) {
  out.line("{} init", rank);
  for (const Step& s : steps) {
    const char* begin = s.is_blocking ? "" : "i";
    switch (s.what) {
      case Step::Do::compute:
        out.line("{} compute {:.0f}", rank, static_cast<double>(s.span) * 1e-9 * flops);
        break;
      case Step::Do::send:
        out.line("{} {}send {} {} {}", rank, begin, s.peer, s.tag, s.bytes);
        break;
      case Step::Do::receive:
        out.line("{} {}recv {} {} {}", rank, begin, s.peer, s.tag, s.bytes);
        break;
      case Step::Do::wait: {
        const Step& of = steps[s.operation];
        const bool sent = of.what == Step::Do::send;
        out.line("{} wait {} {} {}", rank, sent ? rank : of.peer, sent ? of.peer : rank, of.tag);
        break;
      }
    }
  }
  out.line("{} finalize", rank);
}

}  // namespace reprise::convert
