// The MPI jobs that one command runs: a script may have several launchers in it, and a program may
// spawn others. Each has a trace of its own.
#pragma once

#include <string>
#include <vector>

namespace reprise::cli {

// What the jobs of one command leave: the first job's trace is at `output`, others beside it.
class Jobs {
 public:
  explicit Jobs(const std::string& output);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Where jobs number themselves, for the recorder: files that begin like this.
  const std::string& claims() const { return claims_; }

  // Where the jobs but the first write their traces, once they have begun.
  std::vector<std::string> others() const;

 private:
  const std::string output_;
  const std::string claims_;
};

// Traces that the further jobs of an earlier command left beside `output`.
std::vector<std::string> find_other_traces(const std::string& output);

}  // namespace reprise::cli
