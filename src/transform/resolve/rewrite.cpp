#include "transform/resolve/rewrite.hpp"

#include <unordered_map>

#include "compress/merge/rank_columns.hpp"
#include "mpi/requests/matching.hpp"
#include "mpi/requests/pending.hpp"
#include "trace/values/special.hpp"

namespace reprise::transform {

using compress::FoldedSite;
using compress::StreamValues;
using trace::Event;
using trace::SeriesCursor;
namespace traits = trace::traits;

namespace {

// Whether the call completes requests and records what wildcards matched.
bool completes(const trace::Function& f) {
  const mpi::MatchColumns columns = mpi::match_columns(f);
  return (f.traits & traits::kComplete) && (columns.scalar || columns.list);
}

// Rewrites the events of one stream.
class StreamRewriter {
 public:
  StreamRewriter(const trace::Trace& trace, std::uint64_t stream, const Resolution& resolution,
                 const std::vector<bool>& affected)
      : affected_(affected), cursor_(trace, stream), columns_(trace.calls.size()) {
    for (const auto& [call, fixed] : resolution) {
      receives_[call] = {SeriesCursor(fixed.sources), SeriesCursor(fixed.tags)};
    }
  }

  bool run() {
    while (cursor_.next()) {
      event_ = cursor_.event();
      take();
      if (affected_[event_.call]) fold();
    }
    return !cursor_.damaged();
  }

  // The folded columns of a call; empty if the stream does not make it.
  std::vector<StreamValues> columns_of(const trace::Call& call, std::uint32_t index) {
    if (columns_[index].empty()) return {};
    FoldedSite site;
    site.key.function = call.function;
    site.executions = executions_[index];
    for (const trace::SeriesFolder& f : columns_[index]) {
      // A list that is always empty has no elements.
      site.columns.push_back(f.empty() ? trace::Series() : f.finish());
    }
    return compress::encoded_columns(site, cursor_.memberships());
  }

 private:
  struct Request {
    bool was_wild = false;  // in the given trace
    bool is_wild = false;   // and still
    bool named = false;     // by MPI_Cancel
  };
  struct Fixed {
    SeriesCursor sources, tags;
  };

  void take() {
    const std::uint32_t does = event_.function->traits;
    Request request;
    if (const auto found = receives_.find(event_.call); found != receives_.end()) {
      request = receive(found->second);
    }
    if (does & (traits::kNonblocking | traits::kPersistent)) {
      pending_.add(request, (does & traits::kPersistent) != 0);
    } else if (does & traits::kCancel) {
      for (const std::int64_t number : mpi::requests_of(event_, scratch_)) {
        if (Request* r = pending_.at(number)) r->named = true;
      }
    } else if (completes(*event_.function)) {
      complete();
    } else if (event_.function->ends_requests) {
      pending_.pass(event_);
    }
  }

  Request receive(Fixed& fixed) {
    const mpi::ReceiveColumns at = *mpi::receive_columns(*event_.function);
    Request out;
    out.was_wild = mpi::is_wild(event_, at);
    event_.scalars[at.source] = fixed.sources.next();
    event_.scalars[at.tag] = fixed.tags.next();
    out.is_wild = mpi::is_wild(event_, at);
    const auto match = mpi::match_columns(*event_.function).scalar;
    if (match && out.was_wild && !out.is_wild) {
      event_.scalars[*match] = event_.scalars[*match + 1] = trace::kNone;
    }
    return out;
  }

  // A receive that is no longer a wildcard has no match, unless it was cancelled.
  void complete() {
    const mpi::MatchColumns columns = mpi::match_columns(*event_.function);
    const Event given = event_;
    mpi::Matches matches(given);
    std::vector<mpi::MatchedMessage> kept;
    const auto pass = [&](Request& r) {
      if (!r.was_wild) {
        if (r.named && matches.skip_cancelled()) kept.push_back({trace::kCancelled, trace::kNone});
        r.named = false;
        return;
      }
      const mpi::MatchedMessage m = matches.next();
      if (r.is_wild || m.source == trace::kCancelled) kept.push_back(m);
      if (!r.is_wild && columns.scalar && m.source != trace::kCancelled) {
        event_.scalars[*columns.scalar] = event_.scalars[*columns.scalar + 1] = trace::kNone;
      }
    };
    if (given.function->ends_requests) {
      pending_.pass(given, pass);
    } else {
      // MPI_Request_get_status: the request stays.
      for (const std::int64_t number : mpi::requests_of(given, scratch_)) {
        if (Request* r = pending_.at(number)) pass(*r);
      }
    }
    if (!columns.list) return;
    auto& sources = event_.lists[*columns.list];
    auto& tags = event_.lists[*columns.list + 1];
    sources.clear();
    tags.clear();
    for (const mpi::MatchedMessage& m : kept) {
      sources.push_back(m.source);
      tags.push_back(m.tag);
    }
  }

  void fold() {
    auto& columns = columns_[event_.call];
    if (columns.empty()) columns.resize(event_.function->columns());
    ++executions_[event_.call];
    std::size_t c = 0;
    for (const std::int64_t v : event_.scalars) columns[c++].append(v);
    for (const auto& list : event_.lists) {
      columns[c++].append(static_cast<std::int64_t>(list.size()));
      for (const std::int64_t v : list) columns[c].append(v);
      ++c;
    }
  }

  const std::vector<bool>& affected_;
  trace::Cursor cursor_;
  Event event_;
  std::unordered_map<std::uint32_t, Fixed> receives_;  // by call
  mpi::Pending<Request> pending_;
  std::vector<std::vector<trace::SeriesFolder>> columns_;  // by call
  std::unordered_map<std::uint32_t, std::uint64_t> executions_;
  std::vector<std::int64_t> scratch_;
};

}  // namespace

Rewriter::Rewriter(const trace::Trace& trace) : trace_(trace), columns_(trace.calls.size()) {
  for (const trace::Call& call : trace.calls) {
    affected_.push_back(may_be_wild(call) || completes(trace::function(call.function)));
  }
}

bool Rewriter::add(const Resolution& resolution) {
  StreamRewriter stream(trace_, streams_, resolution, affected_);
  if (!stream.run()) return false;
  for (std::uint32_t c = 0; c < trace_.calls.size(); ++c) {
    if (!affected_[c]) continue;
    std::vector<StreamValues> own = stream.columns_of(trace_.calls[c], c);
    if (own.empty()) {
      own.assign(trace::function(trace_.calls[c].function).columns(), StreamValues::absent());
    }
    if (columns_[c].empty()) {
      columns_[c] = std::move(own);
      continue;
    }
    for (std::size_t i = 0; i < own.size(); ++i) columns_[c][i].append(std::move(own[i]));
  }
  ++streams_;
  return true;
}

std::vector<std::vector<trace::Value>> Rewriter::finish() const {
  std::vector<std::vector<trace::Value>> out(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const StreamValues& v : columns_[c]) out[c].push_back(v.finish());
  }
  return out;
}

}  // namespace reprise::transform
