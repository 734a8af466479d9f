#include "convert/time_independent.hpp"

namespace reprise::convert {

void write_time_independent(const Steps& steps, std::uint64_t rank, double flops, TextFile& out) {
  out.line("{} init", rank);
  Steps::Reader reader(steps, rank);
  for (std::uint64_t i = 0; reader.has(i); ++i) {
    const Step& s = reader.at(i);
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
      case Step::Do::wait:
        out.line("{} wait {} {} {}", rank, s.is_of_send ? rank : s.peer,
                 s.is_of_send ? s.peer : rank, s.tag);
        break;
      case Step::Do::meet: break;
    }
  }
  out.line("{} finalize", rank);
}

}  // namespace reprise::convert
