#include "analyze/ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/totals/executions.hpp"
#include "trace/cursors/executions.hpp"
#include "trace/file/rank_section.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/first_values.hpp"
#include "trace/values/rank_set.hpp"

namespace reprise::analyze {
namespace {

// A death without its ranks. The first is as in Unfinished::signal, or 0 for MPI_Abort.
using Kind = std::tuple<std::int64_t, Death::Where, std::optional<std::uint64_t>, trace::FunctionId,
                        std::uint32_t>;
using Kinds = std::map<Kind, std::vector<std::uint64_t>>;  // with their ranks

bool is_fault(std::int64_t signal) {
  static constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  return std::ranges::find(kFaults, signal) != std::end(kFaults);
}

Death::Cause cause_of(std::int64_t signal) {
  switch (signal) {
    case 0: return Death::Cause::abort;
    case trace::kExited: return Death::Cause::exit;
    case trace::kVanished: return Death::Cause::unknown;
    case trace::kUnseen: return Death::Cause::unseen;
    default: return Death::Cause::signal;
  }
}

int place_in_order(const Death& d) {
  // It is mostly launchers and MPI that end ranks within a call and without a trace.
  if (d.cause == Death::Cause::unknown || d.cause == Death::Cause::unseen)
    return d.where == Death::Where::in_call ? 2 : 1;
  return d.cause == Death::Cause::signal && !is_fault(d.signal) ? 3 : 0;
}

// Where the streams of a rank were at the end, one rank after another.
class LastPlaces {
 public:
  LastPlaces(const trace::Trace& trace, const trace::Unfinished& unfinished)
      : trace_(trace),
        executions_(trace),
        is_elsewhere_(unfinished.is_signal_elsewhere),
        missing_(unfinished.missing) {
    for (const trace::UnfinishedCall& u : unfinished.calls)
      calls_.push_back({&u.call, trace::FirstValues(u.trips)});
  }

  // REQUIRES: no later rank was asked for.
  void go_to(std::uint64_t rank) {
    const std::uint64_t first = rank * trace_.threads;
    if (!streams_.empty() && first_ == first) return;
    first_ = first;
    streams_.clear();
    with_calls_.clear();
    for (std::uint64_t s = first; s < first + trace_.threads; ++s) {
      const Place& place = streams_.emplace_back(place_of(s));
      if (place.call || place.is_call_missing) with_calls_.push_back(s);
    }
  }

  // What ended the process of a stream of that rank, and where the stream was.
  Kind of_stream(std::uint64_t stream, std::int64_t signal) const {
    using Where = Death::Where;
    const Place& place = streams_[stream - first_];
    const std::optional<std::uint64_t> thread =
        trace_.threads > 1 ? std::optional(stream % trace_.threads) : std::nullopt;
    if (place.is_elsewhere) return {signal, Where::elsewhere, {}, {}, 0};
    if (!place.call) return {signal, Where::outside, thread, {}, 0};
    return {signal, place.is_within ? Where::in_call : Where::after_call, thread,
            place.call->function, place.call->callpath};
  }

  // The same of that rank where it is not known which of its threads it was.
  Kind of_rank(std::int64_t signal) const {
    if (with_calls_.size() > 1) return {signal, Death::Where::several, {}, {}, 0};
    return of_stream(with_calls_.empty() ? first_ : with_calls_.front(), signal);
  }

 private:
  struct Place {
    const trace::Call* call = nullptr;  // that it was in, or else its last one, if that is there
    bool is_within = false;
    bool is_call_missing = false;  // it made calls after the last one that is there
    bool is_elsewhere = false;     // the signal came to a thread that made no calls
  };
  struct UnfinishedCall {
    const trace::Call* call;
    trace::FirstValues trips;
  };

  Place place_of(std::uint64_t stream) {
    Place out;
    out.is_elsewhere = is_elsewhere_.at(stream) != 0;
    out.is_call_missing = missing_.at(stream) != 0;
    const auto within =
        std::ranges::find_if(calls_, [&](UnfinishedCall& u) { return u.trips.at(stream) != 0; });
    out.is_within = within != calls_.end();
    if (out.is_within) {
      out.call = within->call;
    } else if (!out.is_call_missing) {
      out.call = last_call(stream);
    }
    return out;
  }

  // The last call of a stream that is in the trace; null: it has none.
  const trace::Call* last_call(std::uint64_t stream) {
    const auto [known, is_new] = last_.try_emplace(executions_.class_of(stream));
    if (is_new) {
      if (const auto last = trace::last_call(trace_, stream)) known->second = &trace_.calls[*last];
    }
    return known->second;
  }

  const trace::Trace& trace_;
  Executions executions_;
  trace::FirstValues is_elsewhere_, missing_;
  std::vector<UnfinishedCall> calls_;
  std::map<std::uint32_t, const trace::Call*> last_;  // by class of streams
  std::uint64_t first_ = 0;                           // stream of the present rank
  std::vector<Place> streams_;                        // of it
  std::vector<std::uint64_t> with_calls_;             // those that made any
};

// Ranks that execute MPI_Abort.
void find_aborts(const trace::Trace& trace, Kinds& ranks_of) {
  const auto abort = trace::find_function("MPI_Abort");
  const bool is_there = std::ranges::any_of(
      trace.calls, [&](const trace::Call& c) { return abort && c.function == *abort; });
  if (!is_there) return;
  Executions executions(trace);
  const auto visit = [&](const trace::Item& item, const auto& self) -> void {
    for (const trace::Item& b : item.body) self(b, self);
    if (!item.is_call() || trace.calls[item.call].function != *abort) return;
    for (const std::uint64_t s : executions.entering(item)) {
      const auto thread = trace.threads > 1 ? std::optional(s % trace.threads) : std::nullopt;
      const Kind kind{0, Death::Where::in_call, thread, *abort, trace.calls[item.call].callpath};
      ranks_of[kind].push_back(s / trace.threads);
    }
  };
  visit(trace.root, visit);
}

// Adds what the section of unfinished calls says of each rank.
void add_unfinished(const trace::Trace& trace, const trace::Unfinished& unfinished, Ends& out) {
  trace::FirstValues missing_of(unfinished.missing), signal_of(unfinished.signal);
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    const std::uint64_t first = rank * trace.threads;
    std::uint64_t missing = 0;
    for (std::uint64_t s = first; s < first + trace.threads; ++s)
      missing += static_cast<std::uint64_t>(missing_of.at(s));
    if (missing > 0) {
      out.behind_checkpoint.push_back(rank);
      out.missing.push_back(missing);
    }
    switch (signal_of.at(first)) {
      case trace::kRunning: out.running.push_back(rank); break;
      case trace::kUnseen: out.unseen.push_back(rank); break;
      case trace::kNoPart: out.no_part.push_back(rank); break;
      default: break;
    }
  }
}

// By rank, whether it has closed MPI as often as it had opened it: its world, and each session.
std::vector<char> have_ended_mpi(const trace::Trace& trace, Executions& executions) {
  std::vector<std::uint64_t> begins(trace.ranks, 0), ends(trace.ranks, 0);
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Function& f = trace::function(trace.calls[c].function);
    if (!trace::begins_mpi(f) && !trace::ends_mpi(f)) continue;
    std::vector<std::uint64_t>& out = trace::begins_mpi(f) ? begins : ends;
    for (std::uint64_t s = 0; s < trace.streams(); ++s)
      out[s / trace.threads] += executions.of(c, s);
  }
  std::vector<char> have(trace.ranks);
  for (std::uint64_t r = 0; r < trace.ranks; ++r) have[r] = ends[r] > 0 && ends[r] >= begins[r];
  return have;
}

}  // namespace

Ends ends_of(const trace::Trace& trace) {
  Executions executions(trace);
  std::vector<char> calls(trace.ranks, 0);
  const auto visit = [&](const trace::Item& item, const auto& self) -> void {
    for (const trace::Item& b : item.body) self(b, self);
    if (!item.is_call()) return;
    for (const std::uint64_t s : executions.entering(item)) calls[s / trace.threads] = 1;
  };
  visit(trace.root, visit);
  const std::vector<char> has_ended_mpi = have_ended_mpi(trace, executions);
  Ends out;
  const auto own = trace::rank_of(trace);
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    if (own && r != own->rank) continue;
    if (!calls[r]) out.silent.push_back(r);
    if (calls[r] && !has_ended_mpi[r]) out.cut_short.push_back(r);
  }
  if (const auto unfinished = trace::unfinished_of(trace)) add_unfinished(trace, *unfinished, out);
  return out;
}

std::vector<std::string> describe_missing_end(const trace::Trace& trace) {
  const auto text = [](const std::vector<std::uint64_t>& ranks, const std::string& what) {
    return fmt::format("{} {}: {}", ranks.size() == 1 ? "rank" : "ranks",
                       trace::describe_ranks(ranks), what);
  };
  const auto without = [](const std::vector<std::uint64_t>& ranks,
                          const std::vector<std::uint64_t>& others) {
    std::vector<std::uint64_t> out;
    std::ranges::set_difference(ranks, others, std::back_inserter(out));
    return out;
  };
  const Ends ends = ends_of(trace);
  std::vector<std::string> out;
  const bool begins = std::ranges::any_of(trace.calls, [](const trace::Call& c) {
    return trace::begins_mpi(trace::function(c.function));
  });
  if (begins || trace::unfinished_of(trace)) {
    const auto cut_short = without(ends.cut_short, ends.running);
    if (!cut_short.empty()) out.push_back(text(cut_short, "cut short before MPI_Finalize"));
    if (!ends.running.empty())
      out.push_back(text(ends.running, "still running when the trace was made"));
  }
  if (!ends.silent.empty()) out.push_back(text(ends.silent, "no call is known"));
  const auto behind = without(ends.behind_checkpoint, ends.silent);
  if (!behind.empty()) out.push_back(text(behind, "calls after the last checkpoint are missing"));
  return out;
}

std::vector<Death> deaths_of(const trace::Trace& trace) {
  Kinds ranks_of;
  find_aborts(trace, ranks_of);
  if (const auto unfinished = trace::unfinished_of(trace)) {
    LastPlaces places(trace, *unfinished);
    trace::FirstValues signals(unfinished->signal);
    const std::uint64_t streams = trace.streams();
    for (std::uint64_t s = 0; (s = signals.find_nonzero(s, streams)) < streams; ++s) {
      const std::int64_t signal = signals.at(s);
      if (signal <= 0 || signal == trace::kRunning || signal == trace::kNoPart) continue;
      const std::uint64_t rank = s / trace.threads;
      const bool is_of_rank = signal == trace::kVanished || signal == trace::kUnseen;
      places.go_to(rank);
      ranks_of[is_of_rank ? places.of_rank(signal) : places.of_stream(s, signal)].push_back(rank);
    }
  }
  std::vector<Death> out;
  for (auto& [kind, ranks] : ranks_of) {
    const auto& [signal, where, thread, function, callpath] = kind;
    Death& death = out.emplace_back(
        Death{cause_of(signal), signal, where, thread, function, callpath, std::move(ranks)});
    if (death.cause != Death::Cause::signal) death.signal = 0;
    std::ranges::sort(death.ranks);
    death.ranks.erase(std::ranges::unique(death.ranks).begin(), death.ranks.end());
  }
  std::ranges::stable_sort(
      out, {}, [](const Death& d) { return std::pair(place_in_order(d), d.ranks.front()); });
  return out;
}

}  // namespace reprise::analyze
