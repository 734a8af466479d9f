#include "analyze/ends.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/executions.hpp"
#include "trace/cursor.hpp"
#include "trace/rank_section.hpp"
#include "trace/unfinished.hpp"

namespace reprise::analyze {
namespace {

// A death without its ranks. The first is as in Unfinished::signal, or 0 for MPI_Abort.
using Kind = std::tuple<std::int64_t, Death::Where, trace::FunctionId, std::uint32_t>;

bool is_fault(std::int64_t signal) {
  static constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  return std::ranges::find(kFaults, signal) != std::end(kFaults);
}

Death::Cause cause_of(std::int64_t signal) {
  if (signal == 0) return Death::Cause::abort;
  return signal == trace::kExited ? Death::Cause::exit : Death::Cause::signal;
}

// The last call of a stream that is in the trace.
const trace::Call* last_call(const trace::Trace& trace, std::uint64_t stream) {
  const trace::Call* last = nullptr;
  for (trace::Cursor cursor(trace, stream); cursor.next();)
    last = &trace.calls[cursor.event().call];
  return last;
}

Kind kind_of(const trace::Trace& trace, const trace::Unfinished& unfinished, std::uint64_t stream,
             std::int64_t signal) {
  using Where = Death::Where;
  const auto with = [&](Where where, const trace::Call& call) {
    return Kind{signal, where, call.function, call.callpath};
  };
  const Kind nowhere{signal, Where::outside, {}, 0};
  if (trace::ValueCursor(unfinished.is_signal_elsewhere, stream).next() != 0)
    return {signal, Where::elsewhere, {}, 0};
  for (const trace::UnfinishedCall& u : unfinished.calls) {
    if (trace::ValueCursor(u.trips, stream).next() != 0) return with(Where::in_call, u.call);
  }
  if (trace::ValueCursor(unfinished.missing, stream).next() != 0) return nowhere;
  const trace::Call* last = last_call(trace, stream);
  return last ? with(Where::after_call, *last) : nowhere;
}

// Streams that execute MPI_Abort.
void find_aborts(const trace::Trace& trace,
                 std::map<Kind, std::vector<std::uint64_t>>& streams_of) {
  const auto abort = trace::find_function("MPI_Abort");
  const bool is_there = std::ranges::any_of(
      trace.calls, [&](const trace::Call& c) { return abort && c.function == *abort; });
  if (!is_there) return;
  Executions executions(trace);
  const auto visit = [&](const trace::Item& item, const auto& self) -> void {
    for (const trace::Item& b : item.body) self(b, self);
    if (!item.is_call() || trace.calls[item.call].function != *abort) return;
    const Kind kind{0, Death::Where::in_call, *abort, trace.calls[item.call].callpath};
    for (const std::uint64_t s : executions.entering(item)) streams_of[kind].push_back(s);
  };
  visit(trace.root, visit);
}

}  // namespace

Ends ends_of(const trace::Trace& trace) {
  Executions executions(trace);
  std::vector<char> calls(trace.ranks, 0), finalizes(trace.ranks, 0);
  const auto visit = [&](const trace::Item& item, const auto& self) -> void {
    for (const trace::Item& b : item.body) self(b, self);
    if (!item.is_call()) return;
    const auto id = trace.calls[item.call].function;
    const bool ends = trace::ends_mpi(trace::function(id));
    for (const std::uint64_t s : executions.entering(item)) {
      calls[s / trace.threads] = 1;
      if (ends) finalizes[s / trace.threads] = 1;
    }
  };
  visit(trace.root, visit);
  Ends out;
  const auto own = trace::rank_of(trace);
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    if (own && r != own->rank) continue;
    if (!calls[r]) out.silent.push_back(r);
    if (calls[r] && !finalizes[r]) out.cut_short.push_back(r);
  }
  if (const auto unfinished = trace::unfinished_of(trace)) {
    for (std::uint64_t s = 0; s < trace.streams(); ++s) {
      const std::uint64_t rank = s / trace.threads;
      const bool is_known = !out.behind_checkpoint.empty() && out.behind_checkpoint.back() == rank;
      if (!is_known && trace::ValueCursor(unfinished->missing, s).next() != 0)
        out.behind_checkpoint.push_back(rank);
    }
  }
  return out;
}

std::vector<Death> deaths_of(const trace::Trace& trace) {
  std::map<Kind, std::vector<std::uint64_t>> streams_of;
  find_aborts(trace, streams_of);
  if (const auto unfinished = trace::unfinished_of(trace)) {
    for (std::uint64_t s = 0; s < trace.streams(); ++s) {
      const std::int64_t signal = trace::ValueCursor(unfinished->signal, s).next();
      if (signal > 0) streams_of[kind_of(trace, *unfinished, s, signal)].push_back(s);
    }
  }
  std::vector<Death> out;
  for (const auto& [kind, streams] : streams_of) {
    const auto& [signal, where, function, callpath] = kind;
    Death& death = out.emplace_back(Death{cause_of(signal), signal, where, function, callpath, {}});
    if (death.cause != Death::Cause::signal) death.signal = 0;
    for (const std::uint64_t s : streams) death.ranks.push_back(s / trace.threads);
    std::ranges::sort(death.ranks);
    death.ranks.erase(std::ranges::unique(death.ranks).begin(), death.ranks.end());
  }
  std::ranges::stable_sort(out, {}, [](const Death& d) {
    return std::pair(d.cause == Death::Cause::signal && !is_fault(d.signal), d.ranks.front());
  });
  return out;
}

}  // namespace reprise::analyze
