#include "transform/schedule.hpp"

#include "transform/walk/exchange.hpp"
#include "transform/walk/rank_queue.hpp"

namespace reprise::transform {

using trace::Trace;
namespace traits = trace::traits;

// Processes that another program started have no trace here.
Status can_schedule(const Trace& trace) {
  if (trace.threads > 1) {
    return Error{
        "messages of ranks with several threads cannot be matched (which thread receives first is "
        "not recorded)"};
  }
  for (const trace::Call& call : trace.calls) {
    const trace::Function& f = trace::function(call.function);
    const bool is_of_trace =
        f.name == "MPI_Intercomm_create" || f.name == "MPI_Intercomm_create_from_groups";
    if (!(f.traits & traits::kInter) || is_of_trace) continue;
    return Error{"messages cannot be matched (" + std::string(f.name) +
                 " brings in processes that are not in the trace)"};
  }
  return {};
}

namespace {

class Scheduler {
 public:
  Scheduler(const Trace& trace, const ScheduleOptions& options)
      : exchange_(trace, options), ready_(trace.ranks) {}

  Result<Scheduled> run() {
    for (auto rank = ready_.pop(); rank; rank = next(*rank)) {
      if (!exchange_.run(*rank)) {
        return Error{"the trace is damaged (a value in it makes no sense)"};
      }
      for (const std::uint64_t r : exchange_.take_unblocked()) ready_.push(r);
    }
    return exchange_.finish();
  }

 private:
  // The rank that can unblock the last one, if it is ready; else the next ready rank.
  std::optional<std::uint64_t> next(std::uint64_t last) {
    const auto wanted = exchange_.waits_for(last);
    if (!wanted || !ready_.has(*wanted)) return ready_.pop();
    ready_.remove(*wanted);
    return wanted;
  }

  Exchange exchange_;
  RankQueue ready_;
};

}  // namespace

Result<Scheduled> schedule(const Trace& trace, const ScheduleOptions& options) {
  if (Status able = can_schedule(trace); !able) return able.error();
  return Scheduler(trace, options).run();
}

}  // namespace reprise::transform
