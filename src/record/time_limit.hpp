// Bounds the time that saving takes when a process ends: the signal may have interrupted the
// allocator, whose lock is then never released.
#pragma once

#include <unistd.h>

#include <csignal>

namespace reprise::record {

// Ends the process if this lives longer than a number of seconds. Afterwards the program's own
// handler of SIGALRM and its alarm are in place again.
class TimeLimit {
 public:
  explicit TimeLimit(unsigned seconds) {
    struct sigaction end {};
    end.sa_handler = SIG_DFL;
    ::sigaction(SIGALRM, &end, &former_);
    left_ = ::alarm(seconds);
  }
  ~TimeLimit() {
    ::alarm(0);
    ::sigaction(SIGALRM, &former_, nullptr);
    ::alarm(left_);
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  struct sigaction former_ {};
  unsigned left_ = 0;
};

}  // namespace reprise::record
