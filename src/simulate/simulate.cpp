#include "simulate/engine/all_parts.hpp"
#include "simulate/lower/call_loops.hpp"

namespace reprise::simulate {

template class Engine<Clock>;

// As in simulate_paths.cpp.
Result<Outcome> simulate_with_paths(const trace::Trace& trace, const Machine& machine,
                                    const ComputeTimes& times, const Options& options);
// As in simulate_route.cpp.
Result<Outcome> simulate_with_route(const trace::Trace& trace, const Machine& machine,
                                    const ComputeTimes& times, const Options& options);
// As in simulate_delays.cpp.
Result<Outcome> simulate_with_delays(const trace::Trace& trace, const Machine& machine,
                                     const ComputeTimes& times, const Options& options);

namespace {

// Streams x calls: some hundred bytes each.
constexpr std::uint64_t kMaxStates = std::uint64_t{1} << 26;
// Some five kilobytes each.
constexpr std::uint64_t kMaxStreams = std::uint64_t{1} << 22;

bool has_wild(const std::vector<trace::Term>& terms) {
  return std::ranges::any_of(terms, [](const trace::Term& t) {
    return t.is_run() ? t.value == trace::kAnySource || t.value == trace::kAnyTag
                      : has_wild(t.body);
  });
}

bool may_be_wild(const trace::Value& v) {
  if (v.classes.empty()) return has_wild(v.by_stream.terms());
  return std::ranges::any_of(v.classes, [](const trace::Series& s) { return has_wild(s.terms()); });
}

// Whether who has a lock first, or an operation that locks, depends on time.
bool may_contend(const trace::Call& call, const Machine& machine) {
  const CallShape& shape = shape_of(call.function);
  if (shape.family == CallShape::Family::access) {
    return machine.windows.atomics_lock && shape.received &&
           shape.access != CallShape::Access::plain;
  }
  if (shape.family != CallShape::Family::lock || shape.lock_type < 0) return false;
  const trace::Value& kind = call.columns[static_cast<std::size_t>(shape.lock_type)];
  return !kind.is_constant() || kind.by_stream.at(0) == kLockExclusive;
}

bool mentions_wildcard(const trace::Call& call) {
  const trace::Function& f = trace::function(call.function);
  const CallShape& shape = shape_of(call.function);
  if (shape.family == CallShape::Family::complete_any) return true;
  if (shape.source < 0) return false;
  const int tag = shape.receive_tag >= 0 ? shape.receive_tag : shape.tag;
  for (const int at : {shape.source, tag}) {
    if (at < 0 || static_cast<std::size_t>(at) >= f.scalars.size()) continue;
    if (may_be_wild(call.columns[static_cast<std::size_t>(at)])) return true;
  }
  return false;
}

}  // namespace

bool has_wildcards(const trace::Trace& trace) {
  return std::ranges::any_of(trace.calls, mentions_wildcard);
}

bool needs_order(const trace::Trace& trace, const Machine& machine, const Options& options) {
  if (options.in_order || machine.has_contention() || machine.has_interfaces()) return true;
  // Which of a rank's threads takes a message that fits both is a matter of time.
  if (trace.threads > 1) return true;
  const auto contends = [&](const trace::Call& c) { return may_contend(c, machine); };
  if (std::ranges::any_of(trace.calls, contends)) return true;
  if (options.matching == Matching::recorded) return false;
  return has_wildcards(trace);
}

Result<Outcome> simulate(const trace::Trace& given, const Machine& machine,
                         const Options& options) {
  // Fewer repetitions than these are iterated as soon as they are looked at.
  constexpr std::int64_t kFewest = 4096;
  std::optional<trace::Trace> wrapped;
  if (options.steady_state && !options.observer && !options.route)
    wrapped = with_call_loops(given, kFewest);
  const trace::Trace& trace = wrapped ? *wrapped : given;
  if (Status ok = machine.check(trace.ranks); !ok) return ok.error();
  const std::uint64_t streams = trace.streams();
  if (streams > kMaxStreams || streams * (trace.calls.size() + 1) > kMaxStates) {
    return Error{"the trace has too many ranks and call sites to simulate at once (" +
                 std::to_string(trace.streams()) + " streams, " +
                 std::to_string(trace.calls.size()) + " calls); extrapolate it to fewer ranks"};
  }
  if (machine.occupies_processors() && trace.threads > 1) {
    return Error{
        "loggops has one processor for each rank (the trace has several threads for each); set "
        "model=loggp"};
  }
  const ComputeTimes times(trace, options.compute, options.seed, options.factors, options.limits,
                           options.only_sampled);
  if (options.delays) return simulate_with_delays(trace, machine, times, options);
  if (options.route) return simulate_with_route(trace, machine, times, options);
  if (options.paths) return simulate_with_paths(trace, machine, times, options);
  return Engine<Clock>(trace, machine, times, options).run();
}

}  // namespace reprise::simulate
