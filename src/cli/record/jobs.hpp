// The MPI jobs that one command runs: a script may have several launchers in it, and a program may
// spawn others. Each has a trace of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace reprise::cli {

// What one job says of itself.
struct Job {
  std::string output;   // where its trace goes
  bool began = false;   // it said that it came to MPI_Init
  bool failed = false;  // it came to MPI_Finalize and could not write the trace
};

// What the jobs of one command leave: the first job's trace is at `output`, others beside it.
class Jobs {
 public:
  explicit Jobs(const std::string& output);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // The folder in which jobs number themselves, for the recorder: a file for each, which holds the
  // name of its output. It goes when this does, in whatever way this process ends.
  const std::string& claims() const { return claims_; }

  // Those that have begun; spawned ones behind the others.
  std::vector<Job> all() const;

 private:
  const std::string output_, absolute_;
  const std::string claims_;
  int lifeline_ = -1;  // who reads its other end knows when this process has ended
  pid_t sweeper_ = -1;
};

// Traces that the further jobs of an earlier command left beside `output`.
std::vector<std::string> find_other_traces(const std::string& output);

}  // namespace reprise::cli
