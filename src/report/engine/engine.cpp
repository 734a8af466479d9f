#include "report/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulate/results/efficiency.hpp"
#include "simulate/results/outcome_json.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/executions.hpp"
#include "trace/file/file.hpp"

namespace reprise::report {

using nlohmann::ordered_json;
using simulate::RoutePart;

namespace {

// Streams whose recorded run is kept at hand; each takes some kilobytes.
constexpr std::size_t kMostKept = 4096;
// Zones of all recorded runs that are kept; each takes some 200 bytes.
constexpr std::size_t kMostZonesKept = 500'000;
// What a trace may take in memory; WebAssembly has 4 GiB at most [bytes].
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 31;
// Streams whose ends are compared to find the last one; the clock of each takes O(calls) to make.
constexpr std::uint64_t kMostEnds = 4096;

// Whether a run has more calls than are kept. Such a run is simulated with loops advanced by
// arithmetic, since its calls one by one would take minutes for nothing.
bool is_too_long(const trace::Trace& trace) {
  std::uint64_t calls = 0;
  for (std::uint64_t s = 0; s < trace.streams() && calls <= SimulatedRun::kMostSpans; ++s) {
    for (const std::uint64_t n : trace::executions(trace, s)) calls += n;
  }
  return calls > SimulatedRun::kMostSpans;
}

Error too_long() {
  return Error{fmt::format(
      "the simulated run has more than {} million calls (they would take too much memory); draw "
      "the recorded run, and use `reprise analyze --matrix` for messages",
      SimulatedRun::kMostSpans / 1'000'000)};
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(std::span<const std::uint8_t> body) {
  auto trace = trace::decode_body(body, "the trace in this page", kMostMemory);
  if (!trace) return trace.error();
  return std::make_unique<Engine>(std::move(*trace));
}

Engine::Engine(trace::Trace trace) : trace_(std::move(trace)), kinds_(trace_) {}

RecordedRun& Engine::recorded(std::uint64_t stream) {
  if (auto known = recorded_.find(stream); known != recorded_.end()) return known->second;
  if (recorded_.size() >= kMostKept) forget_recorded();
  return recorded_.try_emplace(stream, trace_, kinds_, stream).first->second;
}

// Called before each line, so that a picture of many irregular lines does not keep all of them.
void Engine::limit_memory() {
  if (zones_ >= kMostZonesKept) forget_recorded();
}

void Engine::forget_recorded() {
  recorded_.clear();
  zones_ = 0;
}

Status Engine::check(Run run, Lines lines) const {
  const bool is_inside = lines.count > 0 && lines.step > 0 && lines.first < trace_.streams() &&
                         lines.count - 1 <= (trace_.streams() - 1 - lines.first) / lines.step;
  if (!is_inside) return Error{"there are not so many ranks"};
  if (run == Run::recorded && trace_.times.empty())
    return Error{"the trace has no times (recorded with --time none); look at the simulated run"};
  if (run == Run::simulated && !simulated_) return Error{"nothing has been simulated yet"};
  if (run == Run::simulated && !simulated_->has_all_spans()) return too_long();
  return {};
}

Picoseconds Engine::end(Run run) {
  if (run == Run::simulated) return simulated_end_;
  if (recorded_end_ >= 0 || trace_.times.empty()) return std::max<Picoseconds>(0, recorded_end_);
  const std::uint64_t step = (trace_.streams() + kMostEnds - 1) / kMostEnds;
  for (std::uint64_t s = 0; s < trace_.streams(); s += step)
    recorded_end_ = std::max(recorded_end_, analyze::TimingTree(trace_, s).total());
  return recorded_end_;
}

void Engine::select(std::span<const std::uint32_t> calls) {
  kinds_.selected.assign(trace_.calls.size(), false);
  for (const std::uint32_t c : calls) {
    if (c < kinds_.selected.size()) kinds_.selected[c] = true;
  }
  forget_recorded();
  if (simulated_) simulated_->forget_sums();
}

void Engine::list(Run run, std::uint64_t stream, Picoseconds from, Picoseconds to, SpanList& out) {
  if (run == Run::simulated) return simulated_->list(stream, from, to, out);
  limit_memory();
  RecordedRun& one = recorded(stream);
  const std::size_t known = one.zones();
  one.list(from, to, out);
  zones_ += one.zones() - known;
}

// What was done before each of the moments, which are in order.
std::vector<Shares> Engine::shares_until(Run run, std::uint64_t stream,
                                         std::span<const Picoseconds> moments) {
  std::vector<Shares> out;
  out.reserve(moments.size());
  if (run == Run::simulated) {
    for (const Picoseconds t : moments) out.push_back(simulated_->shares_until(stream, t, kinds_));
    return out;
  }
  limit_memory();
  RecordedRun& one = recorded(stream);
  const std::size_t known = one.zones();
  for (const Picoseconds t : moments) out.push_back(one.shares_until(t));
  zones_ += one.zones() - known;
  return out;
}

Result<std::vector<float>> Engine::tile(Run run, Lines lines, Columns columns) {
  if (Status ok = check(run, lines); !ok) return ok.error();
  if (columns.count == 0 || columns.to <= columns.from) return Error{"an empty span of time"};
  std::vector<Picoseconds> edges;
  for (std::size_t c = 0; c < columns.count; ++c) edges.push_back(columns.begin(c));
  edges.push_back(columns.to);
  std::vector<float> out(lines.count * columns.count * (kKinds + 1));
  auto cell = out.begin();
  for (std::uint64_t line = 0; line < lines.count; ++line) {
    const std::vector<Shares> until = shares_until(run, lines.at(line), edges);
    for (std::size_t c = 0; c < columns.count; ++c) {
      const double part =
          1 / static_cast<double>(std::max<Picoseconds>(1, edges[c + 1] - edges[c]));
      const auto share = [&](Picoseconds a, Picoseconds b) {
        return static_cast<float>(static_cast<double>(b - a) * part);
      };
      for (std::size_t k = 0; k < kKinds; ++k)
        *cell++ = share(until[c].kinds[k], until[c + 1].kinds[k]);
      *cell++ = share(until[c].selected, until[c + 1].selected);
    }
  }
  return out;
}

Result<std::vector<std::vector<Span>>> Engine::spans(Run run, Lines lines, Picoseconds from,
                                                     Picoseconds to, std::size_t most) {
  if (Status ok = check(run, lines); !ok) return ok.error();
  std::vector<std::vector<Span>> out;
  for (std::uint64_t line = 0; line < lines.count; ++line) {
    SpanList found(most);
    list(run, lines.at(line), from, to, found);
    if (found.is_full()) return Error{"too many calls"};
    most -= found.spans().size();
    out.push_back(found.spans());
  }
  return out;
}

Result<std::vector<CallTime>> Engine::statistics(Run run, Lines lines, Picoseconds from,
                                                 Picoseconds to) {
  if (Status ok = check(run, lines); !ok) return ok.error();
  std::vector<CallTime> out(trace_.calls.size());
  for (std::uint64_t line = 0; line < lines.count; ++line) {
    const std::vector<CallTime> one = within(run, lines.at(line), from, to);
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += one[c];
  }
  return out;
}

Result<std::vector<CallTime>> Engine::by_line(Run run, Lines lines, Picoseconds from,
                                              Picoseconds to) {
  if (Status ok = check(run, lines); !ok) return ok.error();
  const bool has_selection = std::ranges::find(kinds_.selected, true) != kinds_.selected.end();
  std::vector<CallTime> out;
  for (std::uint64_t line = 0; line < lines.count; ++line) {
    const std::vector<CallTime> one = within(run, lines.at(line), from, to);
    CallTime& sum = out.emplace_back();
    for (std::size_t c = 0; c < one.size(); ++c) {
      if (!has_selection || kinds_.selected[c]) sum += one[c];
    }
  }
  return out;
}

// What a stream did in [from, to), by call.
std::vector<CallTime> Engine::within(Run run, std::uint64_t stream, Picoseconds from,
                                     Picoseconds to) {
  const auto until = [&](Picoseconds t) {
    return run == Run::recorded ? recorded(stream).until(t)
                                : simulated_->until(stream, t, trace_.calls.size());
  };
  std::vector<CallTime> out = until(to);
  const std::vector<CallTime> before = until(from);
  for (std::size_t c = 0; c < out.size(); ++c) out[c] -= before[c];
  return out;
}

ordered_json Engine::moment(Run run, std::uint64_t stream, Picoseconds t) {
  ordered_json out{{"rank", stream / trace_.threads}, {"thread", stream % trace_.threads}};
  if (Status ok = check(run, {stream, 1, 1}); !ok) return out;
  const auto tell = [&](const Span& s) {
    out["call"] = s.call;
    out["begin_ps"] = s.begin;
    out["compute_ps"] = s.compute;
    out["communicate_ps"] = s.communicate;
    out["in_mpi"] = t >= s.enters();
  };
  if (run == Run::simulated) {
    SpanList one(0);
    simulated_->list(stream, t, t + 1, one);
    if (!one.spans().empty()) tell(one.spans().front());
    return out;
  }
  const analyze::Moment m = recorded(stream).tree().at(t);
  if (!m.found) return out;
  tell({m.call, m.begin, m.compute, m.communicate});
  out["execution"] = m.execution;
  for (const analyze::Moment::Iteration& i : m.iterations) {
    if (i.trips > 1) out["iterations"].push_back({{"iteration", i.index}, {"trips", i.trips}});
  }
  return out;
}

Result<ordered_json> Engine::simulate(const std::vector<simulate::Setting>& settings,
                                      Detail detail) {
  const auto machine = simulate::machine_of(settings);
  if (!machine) return machine.error();
  simulate::Options options;
  options.paths = detail != Detail::times;
  std::unique_ptr<SimulatedRun> run;
  if (detail == Detail::everything) {
    run = std::make_unique<SimulatedRun>(trace_.streams());
    if (is_too_long(trace_)) {
      run->leave_out();
    } else {
      options.observer = run.get();
      options.route = true;
    }
  }
  const auto outcome = simulate::simulate(trace_, *machine, options);
  if (!outcome) return outcome.error();
  if (run) {
    run->set_route(outcome->route);
    simulated_ = std::move(run);
    simulated_end_ = outcome->end.time;
  }
  std::optional<simulate::Efficiency> efficiency;
  if (detail >= Detail::efficiency && outcome->blocked.empty()) {
    options.paths = options.route = false;
    options.observer = nullptr;
    const auto ideal = simulate::simulate(trace_, machine->with_ideal_network(), options);
    if (!ideal) return ideal.error();
    efficiency = simulate::efficiency_of(*outcome, *ideal);
  }
  ordered_json out = simulate::run_json(trace_, *machine, *outcome, efficiency);
  simulate::add_sites_json(out, trace_, *outcome);
  // Sites in the page's terms, in the order of "sites".
  const auto accounts = simulate::by_call(*outcome, trace_.calls.size());
  out["calls_of_sites"] = simulate::by_cost(*outcome, accounts);
  return out;
}

Result<std::vector<double>> Engine::matrix(std::uint64_t first_rank, std::uint64_t ranks,
                                           std::uint64_t block) const {
  if (!simulated_) return Error{"nothing has been simulated yet"};
  if (!simulated_->has_all_spans()) return too_long();
  if (!simulated_->has_all_pairs())
    return Error{"more pairs of ranks exchange messages than can be counted"};
  if (block == 0 || ranks == 0 || ranks > trace_.ranks || first_rank > trace_.ranks - ranks)
    return Error{"there are not so many ranks"};
  const std::uint64_t n = (ranks + block - 1) / block;
  constexpr std::uint64_t kMostBlocks = 2048;
  if (n > kMostBlocks) return Error{"too many blocks of ranks"};
  std::vector<double> out(2 * n * n, 0.0);
  for (const auto& [pair, traffic] : simulated_->traffic()) {
    const auto& [from, to] = pair;
    if (from < first_rank || to < first_rank || from - first_rank >= ranks ||
        to - first_rank >= ranks)
      continue;
    const std::uint64_t at = (from - first_rank) / block * n + (to - first_rank) / block;
    out[at] += static_cast<double>(traffic.messages);
    out[n * n + at] += static_cast<double>(traffic.bytes);
  }
  return out;
}

std::vector<simulate::Flight> Engine::flights(Lines lines, Picoseconds from, Picoseconds to,
                                              std::size_t most) const {
  std::vector<simulate::Flight> out;
  if (!simulated_ || !simulated_->has_all_flights()) return out;
  const std::uint64_t last = lines.at(lines.count - 1);
  const auto is_shown = [&](std::uint32_t rank) {
    const std::uint64_t stream = rank * trace_.threads;
    return stream >= lines.first && stream <= last;
  };
  for (const simulate::Flight& f : simulated_->flights()) {
    if (f.sent >= to || f.received < from || (!is_shown(f.sender) && !is_shown(f.receiver)))
      continue;
    if (out.size() == most) return {};
    out.push_back(f);
  }
  return out;
}

std::vector<PathPiece> Engine::critical_path(Columns columns) const {
  std::vector<PathPiece> out;
  if (!simulated_ || columns.count == 0 || columns.to <= columns.from) return out;
  const std::vector<RoutePart>& route = simulated_->route();
  const auto begin = std::ranges::upper_bound(route, columns.from, {}, &RoutePart::to);
  const auto end = std::ranges::lower_bound(route, columns.to, {}, &RoutePart::from);
  if (begin >= end) return out;
  if (static_cast<std::size_t>(end - begin) <= columns.count) {
    for (auto part = begin; part != end; ++part)
      out.push_back({part->from, part->to, part->stream, part->stream, part->stream});
    return out;
  }
  Picoseconds longest = -1;
  for (auto part = begin; part != end; ++part) {
    const Picoseconds until = std::min(part->to, columns.to);
    for (Picoseconds from = std::max(part->from, columns.from); from < until;) {
      const std::size_t column = columns.at(from);
      const Picoseconds left = columns.begin(column);
      const Picoseconds right =
          column + 1 == columns.count ? columns.to : columns.begin(column + 1);
      if (out.empty() || out.back().from != left) {
        out.push_back({left, right, part->stream, part->stream, part->stream});
        longest = -1;
      }
      PathPiece& piece = out.back();
      const Picoseconds to = std::max(from + 1, std::min(until, right));
      piece.first = std::min(piece.first, part->stream);
      piece.last = std::max(piece.last, part->stream);
      if (to - from > longest) {
        longest = to - from;
        piece.stream = part->stream;
      }
      from = to;
    }
  }
  return out;
}

}  // namespace reprise::report
