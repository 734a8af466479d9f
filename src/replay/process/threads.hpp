// The threads of a rank, of which one ends MPI when the others are done.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "replay/process/stream.hpp"

namespace reprise::replay {

class Threads {
 public:
  explicit Threads(Process& process);

  // The first call, which starts MPI, has been made.
  void skip_first();

  // Makes all calls. On rank 0 the summary is printed before the last one.
  void run();

 private:
  void wait_for_begin(std::size_t thread);
  void begin(std::size_t thread);
  void run(std::size_t thread);
  bool is_last(const trace::Function& function);
  void finish();

  Process& process_;
  std::vector<std::unique_ptr<Stream>> streams_;
  int running_ = 0;
  int started_ = 0;  // 1: MPI was started by a call of the trace
  std::size_t begun_ = 0;
};

}  // namespace reprise::replay
