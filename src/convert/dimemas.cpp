#include "convert/dimemas.hpp"

#include <algorithm>

#include "base/escape.hpp"

namespace reprise::convert {
namespace {

constexpr int kWorld = 1;          // the only communicator
constexpr int kOffsetDigits = 20;  // of the table's place, which is known when all is written

// Messages of one tag overtake each other in Dimemas, which MPI does not let them do. So the tag is
// the number of the message among those of its pair of tasks; 3121 and 49370 on are for accelerators.
constexpr std::uint64_t kTags = 3000;

// The last fields of records.
enum Sending : int { kSend = 0, kSendSynchronous = 1, kImmediate = 2 };
enum Receiving : int { kReceive = 0, kIrecv = 1, kWait = 2 };

class Task {
 public:
  // REQUIRES: both outlive it.
  Task(const std::vector<Step>& steps, std::size_t rank, TextFile& out)
      : steps_(steps), rank_(rank), out_(out) {}

  void write() {
    // Every task begins with a burst.
    if (steps_.empty() || steps_.front().what != Step::Do::compute) burst(0);
    for (std::size_t i = 0; i < steps_.size();) {
      const Step& s = steps_[i];
      if (s.what == Step::Do::compute) {
        burst(s.span);
        ++i;
      } else if (s.is_blocking) {
        if (s.what == Step::Do::send) send(s, kSend);
        if (s.what == Step::Do::receive) receive(s, kReceive);
        ++i;
      } else {
        i = write_exchange(i);
      }
    }
  }

 private:
  void burst(std::int64_t ns) { out_.line("1:{}:0:{:.9f}", rank_, static_cast<double>(ns) * 1e-9); }
  void send(const Step& s, int how) {
    out_.line("2:{}:0:{}:-1:{}:{}:{}:{}", rank_, s.peer, s.bytes, s.number % kTags, kWorld,
              how | (s.is_synchronous ? kSendSynchronous : 0));
  }
  void receive(const Step& s, int how) {
    out_.line("3:{}:0:{}:-1:{}:{}:{}:{}", rank_, s.peer, s.bytes, s.number % kTags, kWorld, how);
  }

  // Where operations that begin together end, and where what is waited for right behind them ends.
  struct Exchange {
    std::size_t begin = 0, waits = 0, end = 0;
  };
  Exchange exchange_at(std::size_t begin) const {
    const auto is_begun = [this](std::size_t i) {
      const Step& s = steps_[i];
      return (s.what == Step::Do::send || s.what == Step::Do::receive) && !s.is_blocking;
    };
    Exchange e{begin, begin, begin};
    while (e.waits < steps_.size() && is_begun(e.waits)) ++e.waits;
    e.end = e.waits;
    while (e.end < steps_.size() && steps_[e.end].what == Step::Do::wait) ++e.end;
    return e;
  }

  // Dimemas knows no wait for a send. Of sends that begin together and are waited for at once, the
  // last is written as one that blocks, behind all receives, so that what waits for them is kept.
  std::size_t write_exchange(std::size_t begin) {
    const Exchange e = exchange_at(begin);
    const auto is_waited_for = [&](std::size_t operation) {
      return std::any_of(steps_.begin() + static_cast<std::ptrdiff_t>(e.waits),
                         steps_.begin() + static_cast<std::ptrdiff_t>(e.end),
                         [&](const Step& s) { return s.operation == operation; });
    };
    std::size_t last = e.end;  // the send that blocks; none
    for (std::size_t i = e.begin; i < e.waits; ++i) {
      if (steps_[i].what == Step::Do::receive) receive(steps_[i], kIrecv);
      if (steps_[i].what == Step::Do::send && is_waited_for(i)) last = i;
    }
    for (std::size_t i = e.begin; i < e.waits; ++i) {
      if (steps_[i].what == Step::Do::send && i != last) send(steps_[i], kImmediate);
    }
    if (last < e.waits) send(steps_[last], kSend);
    for (std::size_t i = e.waits; i < e.end; ++i) {
      const Step& of = steps_[steps_[i].operation];
      if (of.what == Step::Do::receive) receive(of, kWait);
    }
    return e.end;
  }

  const std::vector<Step>& steps_;
  const std::size_t rank_;
  TextFile& out_;
};

}  // namespace

void write_dimemas(const Steps& steps, const std::string& name, TextFile& out) {
  std::string threads, members;
  for (std::size_t r = 0; r < steps.size(); ++r) {
    threads += r ? ",1" : "1";
    members += fmt::format(":{}", r);
  }
  // Dimemas takes no empty name.
  const std::string start =
      fmt::format("#DIMEMAS:{}:1,", dimemas_string(name.empty() ? "trace" : name));
  out.line("{}{:0{}}:{}({}),1", start, 0, kOffsetDigits, steps.size(), threads);
  out.line("d:1:{}:{}{}", kWorld, steps.size(), members);
  std::vector<std::uint64_t> begins;
  for (std::size_t r = 0; r < steps.size(); ++r) {
    begins.push_back(out.size());
    Task(steps[r], r, out).write();
  }
  out.overwrite(start.size(), fmt::format("{:0{}}", out.size(), kOffsetDigits));
  for (std::size_t r = 0; r < steps.size(); ++r) out.line("s:{}:{}", r, begins[r]);
}

}  // namespace reprise::convert
