#include <algorithm>

#include "mpi/requests/matching.hpp"
#include "mpi/requests/pending.hpp"
#include "trace/values/special.hpp"
#include "transform/wildcards.hpp"

namespace reprise::transform {

using trace::Event;
namespace traits = trace::traits;

namespace {

class Reader {
 public:
  Reader(const trace::Trace& trace, std::uint64_t stream) : trace_(trace), cursor_(trace, stream) {
    for (const trace::Call& call : trace.calls) wild_.push_back(may_be_wild(call));
  }

  bool run() {
    while (cursor_.next()) take(cursor_.event());
    return !cursor_.damaged();
  }

  ResolutionBuilder& builder() { return builder_; }

 private:
  struct Request {
    bool wild = false;
    bool persistent = false;
    bool named = false;  // by MPI_Cancel
    ResolutionBuilder::Place place;
  };

  void take(const Event& e) {
    const std::uint32_t does = e.function->traits;
    Request request;
    if (wild_[e.call]) request = receive(e);
    if (does & (traits::kNonblocking | traits::kPersistent)) {
      request.persistent = (does & traits::kPersistent) != 0;
      pending_.add(request, request.persistent);
    } else if (does & traits::kCancel) {
      for (const std::int64_t number : mpi::requests_of(e, scratch_)) {
        if (Request* r = pending_.at(number)) r->named = true;
      }
    } else if (e.function->ends_requests) {
      complete(e);
    }
  }

  // An execution of a call that may be wild.
  Request receive(const Event& e) {
    const mpi::ReceiveColumns at = *mpi::receive_columns(*e.function);
    const Envelope wanted{e.scalars[at.source], e.scalars[at.tag]};
    if (!mpi::is_wild(e, at)) return builder_.add(e.call, wanted), Request{};
    // MPI_PROC_NULL sends no message; the tag is not significant.
    if (wanted.source == trace::kProcNull)
      return builder_.add(e.call, {trace::kProcNull, 0}), Request{};
    const ResolutionBuilder::Place place = builder_.open(e.call, wanted);
    const std::uint32_t later = traits::kNonblocking | traits::kPersistent;
    if (e.function->traits & later) return {true, false, false, place};
    meet(place, {mpi::scalar_match(e)});
    builder_.close(place);
    return {};
  }

  void meet(ResolutionBuilder::Place place, const mpi::MatchedMessage& m) {
    if (m.source == trace::kCancelled) {
      builder_.cancel(place);
    } else if (m.source != trace::kNone && m.source >= 0) {
      builder_.meet(place, {m.source, m.tag});
    }
  }

  void complete(const Event& e) {
    mpi::Matches matches(e);
    const bool is_freed = (e.function->traits & traits::kFree) != 0;
    pending_.pass(e, [&](Request& r) {
      if (!r.wild) {
        if (r.named && !is_freed) matches.skip_cancelled();
        r.named = false;
        return;
      }
      if (!is_freed) meet(r.place, matches.next());
      if (is_freed || !r.persistent) builder_.close(r.place);
    });
  }

  const trace::Trace& trace_;
  trace::Cursor cursor_;
  std::vector<bool> wild_;  // by call
  mpi::Pending<Request> pending_;
  ResolutionBuilder builder_;
  std::vector<std::int64_t> scratch_;
};

}  // namespace

Result<Resolution> recorded_matches(const trace::Trace& trace, std::uint64_t stream,
                                    WildcardCounts& counts) {
  Reader reader(trace, stream);
  if (!reader.run()) return Error{"the trace is damaged (a value in it makes no sense)"};
  Resolution out = reader.builder().finish();
  counts += reader.builder().counts();
  return out;
}

}  // namespace reprise::transform
