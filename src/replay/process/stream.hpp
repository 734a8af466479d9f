// One stream of a replaying process: makes its calls as they come.
#pragma once

#include <memory>

#include "replay/calls/arguments.hpp"
#include "replay/compute.hpp"

namespace reprise::replay {

// The communicators that an event makes use of.
std::vector<std::int64_t> used_comms(const trace::Event& event);

class Stream {
 public:
  Stream(Process& process, std::uint64_t thread);

  // Makes the next call. False: there is none left.
  bool step();
  // Passes a call that has been made already.
  void skip();

  // Looks at the next call without making it. Null: there is none.
  const trace::Event* peek();

  const Totals& totals() const { return arguments_.totals(); }
  void begin_time() { began_ = arguments_.last_end(); }
  Totals final_totals() const;

 private:
  void compute(const trace::Event& event);

  Process& process_;
  std::uint64_t stream_;
  std::unique_ptr<trace::CallSource> calls_;
  Arguments arguments_;
  std::unique_ptr<ComputeModel> model_;
  std::uint32_t previous_ = ComputeModel::kNoCall;
  const trace::Event* ahead_ = nullptr;  // a call that is yet to be made
  std::int64_t overslept_ = 0;           // [ns]
  std::int64_t began_ = 0;               // [ns]
  double computed_ = 0;                  // [s]
};

}  // namespace reprise::replay
