// Times of random programs: what is exact must be, whatever was folded and merged, and a search in
// time must agree with walking.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "analyze/times/timing_tree.hpp"
#include "compress/random_program.hpp"
#include "report/engine/columns.hpp"
#include "report/engine/recorded_run.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"

namespace reprise {
namespace {

using namespace test;
using analyze::Picoseconds;
using analyze::TimingTree;
using trace::Path;
using trace::Trace;

struct Program {
  std::vector<Stream> streams;
  Trace trace;
};

Program random_program() {
  std::uint32_t sites = 0;
  const std::vector<Node> program = random_body(3, sites);
  const auto ranks = *rc::gen::inRange<std::int64_t>(1, 8);
  Program out;
  out.streams = execute(program, ranks, *rc::gen::arbitrary<std::uint64_t>());
  const Trace trace = trace_of(out.streams);
  const auto body = trace::encode_body(trace);
  Result<Trace> read = trace::decode_body(body, "what was written");  // as a reader gets it
  if (!read) RC_FAIL(read.error().message);
  out.trace = std::move(*read);
  return out;
}

// What a delta ought to say, added up call by call.
struct Sum {
  std::uint64_t count = 0;
  std::int64_t sum = 0, min = 0, max = 0;

  void add(std::int64_t v) {
    min = count == 0 ? v : std::min(min, v);
    max = count == 0 ? v : std::max(max, v);
    sum += v;
    ++count;
  }
};

void check(const trace::DeltaTimes& times, const std::vector<Sum>& by_stream) {
  Sum all;
  for (std::size_t s = 0; s < by_stream.size(); ++s) {
    const Sum& one = by_stream[s];
    RC_ASSERT(times.count_of(s) == one.count);
    if (one.count == 0) continue;
    RC_ASSERT(times.sum_of(s) == static_cast<double>(one.sum));
    all.min = all.count == 0 ? one.min : std::min(all.min, one.min);
    all.max = all.count == 0 ? one.max : std::max(all.max, one.max);
    all.sum += one.sum;
    all.count += one.count;
  }
  const trace::Bin total = times.total();
  RC_ASSERT(total.count == all.count);
  RC_ASSERT(total.sum == all.sum);
  if (all.count == 0) return;
  RC_ASSERT(total.min == all.min);
  RC_ASSERT(total.max == all.max);
  RC_ASSERT(by_stream[times.min_stream].min == all.min);
  RC_ASSERT(by_stream[times.max_stream].max == all.max);
}

RC_GTEST_PROP(Times, CountsSumsAndExtremesAreExactByPath, ()) {
  const Program p = random_program();
  // (call path of the call before, of the call) -> by stream
  std::map<std::pair<std::int64_t, std::uint32_t>, std::vector<Sum>> compute;
  std::map<std::uint32_t, std::vector<Sum>> communicate;
  for (std::size_t s = 0; s < p.streams.size(); ++s) {
    std::int64_t before = -1;
    for (const Sent& call : p.streams[s]) {
      auto& path = compute[{before, call.site}];
      path.resize(p.streams.size());
      path[s].add(call.compute);
      auto& all = communicate[call.site];
      all.resize(p.streams.size());
      all[s].add(call.communicate);
      before = call.site;
    }
  }
  for (std::size_t c = 0; c < p.trace.calls.size(); ++c) {
    const std::uint32_t site = p.trace.calls[c].callpath;
    check(p.trace.times[c].communicate, communicate[site]);
    for (const Path& path : p.trace.times[c].paths) {
      const std::int64_t from =
          path.from == Path::kStart ? -1 : std::int64_t{p.trace.calls[path.from].callpath};
      RC_ASSERT(compute.count({from, site}) == 1u);
      check(path.compute, compute[{from, site}]);
      compute.erase({from, site});
    }
  }
  RC_ASSERT(compute.empty());
}

// Whether modes may be blocks of executions: these have means of streams whose load drifts alike,
// or not at all, and not what each of them spent.
bool may_be_blocks(const Path& path) {
  if (path.mode_of.classes.size() != 1) return false;
  trace::SeriesCursor mode_of(path.mode_of.classes.front());
  std::int64_t before = 0;
  for (std::size_t m = 0; m < path.modes.size(); ++m) {
    const std::int64_t mode = mode_of.next();
    if (mode != before && mode != before + 1) return false;
    before = mode;
  }
  return true;
}

// What the modes of a path say of one stream must be true of its executions, one by one.
void check_modes(const Path& path, std::uint64_t stream, const std::vector<std::int64_t>& times) {
  if (path.modes.empty()) return;
  trace::ValueCursor mode_of(path.mode_of, stream);
  std::vector<std::uint64_t> counts(path.modes.size());
  for (const std::int64_t v : times) {
    const auto mode = static_cast<std::size_t>(mode_of.next());
    RC_ASSERT(mode < path.modes.size());
    const trace::Histogram* h = path.modes[mode].class_for(stream);
    RC_ASSERT(h != nullptr);
    RC_ASSERT(may_be_blocks(path) || (h->total().min <= v && v <= h->total().max));
    ++counts[mode];
  }
  for (std::size_t m = 0; m < counts.size(); ++m) {
    RC_ASSERT(path.modes[m].count_of(stream) == counts[m]);
  }
}

RC_GTEST_PROP(Times, ModesTellTheGroupOfEachExecution, ()) {
  const Program p = random_program();
  for (std::size_t s = 0; s < p.streams.size(); ++s) {
    std::map<std::pair<std::int64_t, std::uint32_t>, std::vector<std::int64_t>> compute;
    std::int64_t before = -1;
    for (const Sent& call : p.streams[s]) {
      compute[{before, call.site}].push_back(call.compute);
      before = call.site;
    }
    for (std::size_t c = 0; c < p.trace.calls.size(); ++c) {
      for (const Path& path : p.trace.times[c].paths) {
        const std::int64_t from =
            path.from == Path::kStart ? -1 : std::int64_t{p.trace.calls[path.from].callpath};
        check_modes(path, s, compute[{from, p.trace.calls[c].callpath}]);
      }
    }
  }
}

// One call as a walk finds it, timed by the tree's means.
struct Timed {
  std::uint32_t call;
  std::uint64_t execution;
  Picoseconds begin, end;
};

std::vector<Timed> walk_clock(const Trace& trace, const TimingTree& tree, std::uint64_t stream) {
  std::vector<Timed> out;
  std::vector<std::uint64_t> executions(trace.calls.size());
  std::uint32_t before = Path::kStart;
  Picoseconds now = 0;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) {
    const std::uint32_t call = cursor.event().call;
    const trace::CallTimes& times = trace.times[call];
    const Path* path = times.path_from(before);
    RC_ASSERT(path != nullptr);
    const auto number = static_cast<std::size_t>(path - times.paths.data());
    const Picoseconds length = tree.compute_by(call, number) + tree.communicate(call);
    out.push_back({call, executions[call]++, now, now + length});
    now += length;
    before = call;
  }
  return out;
}

RC_GTEST_PROP(TimingTree, AgreesWithALinearScan, ()) {
  const Program p = random_program();
  const auto stream = *rc::gen::inRange<std::uint64_t>(0, p.streams.size());
  const TimingTree tree(p.trace, stream);
  const std::vector<Timed> calls = walk_clock(p.trace, tree, stream);
  RC_ASSERT(tree.total() == (calls.empty() ? 0 : calls.back().end));
  RC_ASSERT(!tree.at(tree.total()).found);
  RC_ASSERT(!tree.at(-1).found);
  std::uint64_t random = stream + 1;
  for (int i = 0; i < 10 && tree.total() > 0; ++i) {
    random = mix(random);
    const auto t = static_cast<Picoseconds>(random % static_cast<std::uint64_t>(tree.total()));
    const auto behind = std::ranges::upper_bound(calls, t, {}, &Timed::end);
    const analyze::Moment found = tree.at(t);
    RC_ASSERT(found.found);
    RC_ASSERT(found.call == behind->call);
    RC_ASSERT(found.execution == behind->execution);
    RC_ASSERT(found.begin == behind->begin);
    RC_ASSERT(found.end() == behind->end);
  }
}

// What a walk says of a piece of time, added up execution by execution.
report::Shares shares_by_walking(const std::vector<Timed>& calls, const TimingTree& tree,
                                 const report::CallKinds& kinds, Picoseconds from, Picoseconds to) {
  const auto overlap = [&](Picoseconds a, Picoseconds b) {
    return std::max<Picoseconds>(0, std::min(b, to) - std::max(a, from));
  };
  report::Shares out;
  for (const Timed& c : calls) {
    const Picoseconds enters = c.end - tree.communicate(c.call);
    const bool is_selected = kinds.selected[c.call];
    out.add(report::Kind::compute, overlap(c.begin, enters), is_selected);
    out.add(kinds.kinds[c.call], overlap(enters, c.end), is_selected);
  }
  return out;
}

RC_GTEST_PROP(RecordedRun, PixelsAreSumsOverAWalk, ()) {
  const Program p = random_program();
  const auto stream = *rc::gen::inRange<std::uint64_t>(0, p.streams.size());
  report::CallKinds kinds(p.trace);
  for (std::size_t c = 0; c < kinds.selected.size(); c += 2) kinds.selected[c] = true;
  report::RecordedRun run(p.trace, kinds, stream);
  const std::vector<Timed> calls = walk_clock(p.trace, run.tree(), stream);
  RC_PRE(run.total() > 100);
  for (std::uint64_t zoom = 1; zoom < 200; zoom *= 5) {
    const auto length = std::max<Picoseconds>(20, run.total() / static_cast<Picoseconds>(zoom));
    const auto from =
        static_cast<Picoseconds>(mix(zoom + stream) % static_cast<std::uint64_t>(run.total()));
    const report::Columns columns{from, from + length, 7};
    for (std::size_t c = 0; c < columns.count; ++c) {
      const report::Shares expected =
          shares_by_walking(calls, run.tree(), kinds, columns.begin(c), columns.begin(c + 1));
      report::Shares found = run.shares_until(columns.begin(c + 1));
      found.add(run.shares_until(columns.begin(c)), -1);
      RC_ASSERT(found.kinds == expected.kinds);
      RC_ASSERT(found.selected == expected.selected);
    }
  }
}

RC_GTEST_PROP(RecordedRun, CountsAreThoseOfAWalk, ()) {
  const Program p = random_program();
  const auto stream = *rc::gen::inRange<std::uint64_t>(0, p.streams.size());
  const report::CallKinds kinds(p.trace);
  const report::RecordedRun run(p.trace, kinds, stream);
  const std::vector<Timed> calls = walk_clock(p.trace, run.tree(), stream);
  RC_PRE(run.total() > 0);
  for (std::uint64_t k = 0; k < 5; ++k) {
    const auto t =
        static_cast<Picoseconds>(mix(k + stream) % static_cast<std::uint64_t>(run.total() + 1));
    std::vector<std::uint64_t> expected(p.trace.calls.size());
    for (const Timed& c : calls) {
      const Picoseconds enters = c.end - run.tree().communicate(c.call);
      if (enters < t || (enters == t && c.end > t) || c.end <= t) ++expected[c.call];
    }
    const auto found = run.until(t);
    Picoseconds sum = 0;
    for (std::size_t c = 0; c < found.size(); ++c) {
      RC_ASSERT(t == 0 || found[c].calls == expected[c]);
      sum += found[c].compute + found[c].communicate;
    }
    RC_ASSERT(sum == t);
  }
}

}  // namespace
}  // namespace reprise
