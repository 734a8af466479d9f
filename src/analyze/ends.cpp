#include "analyze/ends.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/executions.hpp"
#include "trace/executions.hpp"
#include "trace/rank_section.hpp"
#include "trace/unfinished.hpp"

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

std::int64_t number_of(const trace::Value& value, std::uint64_t stream) {
  return trace::ValueCursor(value, stream).next();
}

// Where streams were at the end.
class LastPlaces {
 public:
  LastPlaces(const trace::Trace& trace, const trace::Unfinished& unfinished)
      : trace_(trace), unfinished_(unfinished), executions_(trace) {}

  // What ended the process of a stream, and where the stream was.
  Kind of_stream(std::uint64_t stream, std::int64_t signal) {
    using Where = Death::Where;
    const std::optional<std::uint64_t> thread =
        trace_.threads > 1 ? std::optional(stream % trace_.threads) : std::nullopt;
    const auto with = [&](Where where, const trace::Call& call) {
      return Kind{signal, where, thread, call.function, call.callpath};
    };
    if (number_of(unfinished_.is_signal_elsewhere, stream) != 0)
      return {signal, Where::elsewhere, {}, {}, 0};
    if (const trace::Call* call = unfinished_call(stream)) return with(Where::in_call, *call);
    const trace::Call* last = nullptr;
    if (number_of(unfinished_.missing, stream) == 0) last = last_call(stream);
    return last ? with(Where::after_call, *last) : Kind{signal, Where::outside, thread, {}, 0};
  }

  // The same where it is not known which thread of a rank it was.
  Kind of_rank(std::uint64_t rank, std::int64_t signal) {
    const std::uint64_t first = rank * trace_.threads;
    std::vector<std::uint64_t> streams;
    for (std::uint64_t s = first; s < first + trace_.threads; ++s) {
      if (unfinished_call(s) || number_of(unfinished_.missing, s) != 0 || last_call(s))
        streams.push_back(s);
    }
    if (streams.size() > 1) return {signal, Death::Where::several, {}, {}, 0};
    return of_stream(streams.empty() ? first : streams.front(), signal);
  }

 private:
  const trace::Call* unfinished_call(std::uint64_t stream) const {
    for (const trace::UnfinishedCall& u : unfinished_.calls) {
      if (number_of(u.trips, stream) != 0) return &u.call;
    }
    return nullptr;
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
  const trace::Unfinished& unfinished_;
  Executions executions_;
  std::map<std::uint32_t, const trace::Call*> last_;  // by class of streams
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
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    const std::uint64_t first = rank * trace.threads;
    std::uint64_t missing = 0;
    for (std::uint64_t s = first; s < first + trace.threads; ++s)
      missing += static_cast<std::uint64_t>(number_of(unfinished.missing, s));
    if (missing > 0) {
      out.behind_checkpoint.push_back(rank);
      out.missing.push_back(missing);
    }
    switch (number_of(unfinished.signal, first)) {
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

std::vector<Death> deaths_of(const trace::Trace& trace) {
  Kinds ranks_of;
  find_aborts(trace, ranks_of);
  if (const auto unfinished = trace::unfinished_of(trace)) {
    LastPlaces places(trace, *unfinished);
    for (std::uint64_t s = 0; s < trace.streams(); ++s) {
      const std::int64_t signal = number_of(unfinished->signal, s);
      if (signal <= 0 || signal == trace::kRunning || signal == trace::kNoPart) continue;
      const std::uint64_t rank = s / trace.threads;
      const bool is_of_rank = signal == trace::kVanished || signal == trace::kUnseen;
      ranks_of[is_of_rank ? places.of_rank(rank, signal) : places.of_stream(s, signal)].push_back(
          rank);
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
