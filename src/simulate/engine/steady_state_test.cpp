// Properties on random programs: arithmetic in place of iterating changes nothing, nor does the
// order in which processes have their turn; derivatives are those of the time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "simulate/results/what_if.hpp"
#include "simulate/test_support.hpp"

namespace reprise::simulate {
namespace {

using analyze::parse_program;
using test::compute_before;
using test::run;

int draw(int from, int to) { return *rc::gen::inRange(from, to); }

// A value for each rank, out of a few.
std::string by_rank(int ranks, int from, int to) {
  std::string out = "[";
  for (int r = 0; r < ranks; ++r) out += (r ? " " : "") + std::to_string(draw(from, to));
  return out + "]";
}

// What all ranks do in step, so that nothing waits in vain.
class RandomProgram {
 public:
  explicit RandomProgram(int ranks) : ranks_(ranks) {
    text_ = "ranks " + std::to_string(ranks) + "\n";
    if (draw(0, 4)) {
      line(0, std::to_string(draw(20, 300)) + ":");
      body(1, 1);
    } else {
      body(0, 2);
    }
  }

  trace::Trace trace() const {
    trace::Trace out = parse_program(text_);
    for (std::uint32_t c = 0; c < out.calls.size(); ++c) {
      std::vector<std::int64_t> ns;
      for (int r = 0; r < ranks_; ++r) ns.push_back(draw(0, 4) * 1000 + draw(0, 3));
      compute_before(out, c, ns);
    }
    return out;
  }
  const std::string& text() const { return text_; }

 private:
  void line(int depth, const std::string& what) {
    text_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + what + "\n";
  }

  static std::string bytes() {
    static constexpr const char* kSizes[] = {
        "0", "100", "30000", "100000", "{100 5000 100 ...}", "{10 10 10 9000 ...}"};
    return kSizes[draw(0, 6)];
  }

  void body(int depth, int loops) {
    const int n = draw(1, 4);
    for (int i = 0; i < n; ++i) {
      switch (draw(0, loops > 0 ? 7 : 5)) {
        case 0: shift(depth); break;
        case 1: halo(depth); break;
        case 2:
          line(depth, "MPI_Allreduce count=" + bytes() + " datatype=MPI_BYTE op=MPI_SUM");
          break;
        case 3: line(depth, "{1 0 0 ...}: MPI_Bcast count=8 datatype=MPI_BYTE root=0"); break;
        case 4: line(depth, by_rank(ranks_, 0, 3) + ": MPI_Pcontrol level=1"); break;
        default:
          line(depth, std::to_string(draw(0, 2) ? draw(20, 200) : draw(1, 5)) + ":");
          body(depth + 1, loops - 1);
      }
    }
  }

  void shift(int depth) {
    const std::string by = std::to_string(draw(1, ranks_));
    line(depth, "MPI_Sendrecv sendcount=" + bytes() + " sendtype=MPI_BYTE dest=rank+" + by +
                    " sendtag=1 recvcount=1 recvtype=MPI_BYTE source=rank+-" + by + " recvtag=1");
  }

  void halo(int depth) {
    const std::string size = bytes();
    line(depth, "MPI_Irecv count=1 datatype=MPI_BYTE source=rank+-1 tag=2");
    line(depth, "MPI_Irecv count=1 datatype=MPI_BYTE source=rank+1 tag=3");
    line(depth, "MPI_Isend count=" + size + " datatype=MPI_BYTE dest=rank+1 tag=2");
    line(depth, "MPI_Isend count=" + size + " datatype=MPI_BYTE dest=rank+-1 tag=3");
    if (draw(0, 2)) {
      line(depth, "MPI_Waitall requests=(3 2 1 0)");
    } else {
      line(depth, "MPI_Wait request=1");
      line(depth, "MPI_Waitall requests=(2 0 1)");
    }
  }

  int ranks_;
  std::string text_;
};

Machine random_machine() {
  Machine m;
  m.memory = {200'000, 20};
  m.has_own_latency = draw(0, 2) > 0;
  m.has_own_bandwidth = draw(0, 2) > 0;
  m.set_latency(draw(0, 5) * 700'000);
  m.set_inverse_bandwidth(draw(0, 4) * 100);
  m.processors = draw(1, 3);
  m.eager = draw(0, 2) ? 65536 : 1000;
  if (draw(0, 3) == 0) m.collectives = CollectiveModel::dimemas;
  if (draw(0, 3) == 0) {
    m.model = MessageModel::hockney;
    m.overhead = draw(0, 3) * 100'000;
  }
  return m;
}

std::string machine_text(const Machine& m) {
  std::string out = m.model == MessageModel::hockney ? "hockney" : "dimemas";
  for (const auto& [name, value] :
       {std::pair<const char*, std::int64_t>{"latency", m.network.latency},
        {"bandwidth", std::int64_t(m.network.inverse_bandwidth)},
        {"own latency", m.has_own_latency},
        {"own bandwidth", m.has_own_bandwidth},
        {"processors", m.processors},
        {"eager", m.eager},
        {"overhead", m.overhead}})
    out += std::string(" ") + name + "=" + std::to_string(value);
  return out + (m.collectives == CollectiveModel::dimemas ? " dimemas collectives\n" : "\n");
}

void expect_equal(const Outcome& a, const Outcome& b) {
  RC_ASSERT(a.blocked.empty() && b.blocked.empty());
  RC_ASSERT(a.ends == b.ends);
  RC_ASSERT(a.end.latencies == b.end.latencies);
  RC_ASSERT(a.end.bytes == b.end.bytes);
  RC_ASSERT(a.calls == b.calls);
  RC_ASSERT(a.messages == b.messages);
  RC_ASSERT(a.path == b.path);
  for (std::size_t s = 0; s < a.accounts.size(); ++s) {
    for (std::size_t c = 0; c < a.accounts[s].size(); ++c) {
      const Account &x = a.accounts[s][c], &y = b.accounts[s][c];
      RC_ASSERT(x.calls == y.calls);
      RC_ASSERT(x.compute == y.compute);
      RC_ASSERT(x.transfer == y.transfer);
      RC_ASSERT(x.waiting == y.waiting);
    }
  }
}

void expect_equal_delays(const Outcome& a, const Outcome& b) {
  RC_ASSERT(a.traffic == b.traffic);
  RC_ASSERT(a.delays.size() == b.delays.size());
  for (std::size_t i = 0; i < a.delays.size(); ++i) {
    const DelaySite &x = a.delays[i], &y = b.delays[i];
    RC_ASSERT(x.state == y.state && x.call == y.call);
    RC_ASSERT(x.by_stream == y.by_stream);
    RC_ASSERT(x.causes.size() == y.causes.size());
    for (std::size_t c = 0; c < x.causes.size(); ++c) {
      RC_ASSERT(x.causes[c].call == y.causes[c].call);
      RC_ASSERT(x.causes[c].by_waiter == y.causes[c].by_waiter);
    }
  }
}

RC_GTEST_PROP(Steady, EqualsIterating, ()) {
  const RandomProgram program(draw(2, 6));
  const trace::Trace trace = program.trace();
  const Machine machine = random_machine();
  Options steady;
  steady.paths = draw(0, 3) == 0;
  steady.delays = draw(0, 3) == 0;
  Options iterating = steady;
  iterating.steady_state = false;
  const Outcome leaping = run(trace, machine, steady);
  RC_TAG(leaping.leapt > 0 ? "leaps" : "does not leap");
  RC_LOG() << program.text() << machine_text(machine);
  const Outcome iterated = run(trace, machine, iterating);
  expect_equal(leaping, iterated);
  expect_equal_delays(leaping, iterated);
}

// Delays: what ranks wait for messages is what their accounts say, and has a cause each.
RC_GTEST_PROP(Delays, AddUpToWhatRanksWait, ()) {
  const RandomProgram program(draw(2, 6));
  const trace::Trace trace = program.trace();
  Options options;
  options.delays = true;
  const Outcome out = run(trace, random_machine(), options);
  Picoseconds path = 0;
  for (const PathShare& share : out.path) path += share.total();
  RC_ASSERT(path == out.end.time);
  for (const DelaySite& site : out.delays) {
    Picoseconds rest = 0;
    for (std::size_t s = 0; s < site.by_stream.size(); ++s) {
      RC_ASSERT(site.by_stream[s] <= out.accounts[s][site.call].waiting);
      rest += site.by_stream[s];
    }
    for (const DelayCause& cause : site.causes) {
      for (const Picoseconds t : cause.by_waiter) rest -= t;
    }
    // Shares are rounded.
    const auto roundings = static_cast<Picoseconds>(out.calls * trace.calls.size());
    RC_ASSERT(std::abs(rest) <= roundings);
  }
}

// Rounding to picoseconds apart, no change saves more than the critical path has of it.
RC_GTEST_PROP(Steady, NoChangeSavesMoreThanItsEstimate, ()) {
  const RandomProgram program(draw(2, 5));
  const trace::Trace trace = program.trace();
  const Machine machine = random_machine();
  Options with_paths;
  with_paths.paths = true;
  const Outcome now = run(trace, machine, with_paths);
  if (now.in_order) return;
  std::vector<Change> changes =
      changes_for(machine, now, run(trace, machine.with_ideal_network()), 3);
  RC_LOG() << program.text() << machine_text(machine);
  RC_ASSERT(static_cast<bool>(try_changes(trace, machine, {}, now, changes)));
  const auto roundings = static_cast<Picoseconds>(now.calls + now.messages);
  for (const Change& c : changes) {
    if (c.estimate && c.saves) RC_ASSERT(*c.saves <= *c.estimate + roundings);
  }
}

RC_GTEST_PROP(Steady, TheCriticalPathIsAsLongAsTheRun, ()) {
  const RandomProgram program(draw(2, 5));
  const trace::Trace trace = program.trace();
  Machine machine = random_machine();
  if (draw(0, 2) == 0) {
    machine.model = draw(0, 1) ? MessageModel::loggp : MessageModel::loggops;
    machine.gap = draw(0, 3) * 100'000;
    machine.overhead_per_byte = draw(0, 3) * 50;
  }
  Options with_paths;
  with_paths.paths = true;
  const Outcome a = run(trace, machine, with_paths);
  Picoseconds sum = 0;
  for (const auto& site : a.path) sum += site.total();
  RC_ASSERT(sum == a.end.time);
  RC_ASSERT(a.end.time == run(trace, machine).end.time);
}

RC_GTEST_PROP(Order, DoesNotMatterWithoutWildcards, ()) {
  const RandomProgram program(draw(2, 5));
  const trace::Trace trace = program.trace();
  Machine machine = random_machine();
  Options in_order;
  in_order.in_order = true;
  const Outcome a = run(trace, machine), b = run(trace, machine, in_order);
  RC_ASSERT(a.ends == b.ends);
  RC_ASSERT(a.end.latencies == b.end.latencies);
  RC_ASSERT(a.end.bytes == b.end.bytes);
  // Links and buses enough for all are as good as none.
  machine.output_links = machine.input_links = machine.buses = 1000;
  if (machine.model == MessageModel::dimemas) RC_ASSERT(run(trace, machine).ends == a.ends);
}

// A random program on a random machine, and on one whose network `change` makes slower.
struct TwoMachines {
  Outcome here, there;

  template <class Change>
  explicit TwoMachines(const Change& change) {
    const RandomProgram program(draw(2, 5));
    const trace::Trace trace = program.trace();
    Machine machine = random_machine();
    here = run(trace, machine);
    change(machine);
    there = run(trace, machine);
  }

  Picoseconds gained() const { return there.end.time - here.end.time; }
};

RC_GTEST_PROP(Gradient, IsThatOfTheTime, ()) {
  const Picoseconds more = draw(0, 2) ? 1 : 1000;
  const TwoMachines two([&](Machine& m) { m.set_latency(m.network.latency + more); });
  // The time is convex in the latency: between the derivatives at both ends, and exact if those
  // are equal.
  RC_ASSERT(two.gained() >= more * two.here.end.latencies);
  RC_ASSERT(two.gained() <= more * two.there.end.latencies);
}

RC_GTEST_PROP(Gradient, IsThatOfTheTimeByBandwidth, ()) {
  const int more = draw(0, 2) ? 1 : 100;
  const TwoMachines two(
      [&](Machine& m) { m.set_inverse_bandwidth(m.network.inverse_bandwidth + more); });
  // Convex in the time of a byte too. Among paths that are as long, the one counts that has more
  // latencies, which may have fewer bytes.
  RC_ASSERT(two.gained() >= more * two.here.end.bytes);
  RC_ASSERT(two.gained() <= more * two.there.end.bytes || two.there.end.latencies > 0);
}

// Runs that nobody could iterate: what lies in the file decides how long they take.
TEST(Steady, LeapsOverWhatOneRankDoesWhileOthersWait) {
  for (const char* const together : {"MPI_Barrier comm=0",
                                     "MPI_Bcast count=1 "
                                     "datatype=MPI_BYTE root=0 comm=0"}) {
    trace::Trace trace = parse_program(
        std::string("ranks 3\n[100000000 0 0]: MPI_Pcontrol level=1\n") + together + "\n");
    compute_before(trace, 0, {1000, 0, 0});
    const Outcome out = run(trace, Machine());
    EXPECT_GT(out.leapt, 99'000'000u);
    EXPECT_GE(out.ends[0], 100'000'000 * test::kMicrosecond);
  }
}

TEST(Steady, CountsNoFurtherThanItCan) {
  const std::string text = "ranks 2\n2305843009213693952: MPI_Pcontrol level=1\n";
  EXPECT_EQ(run(text, Machine()).end.time, 0);
  trace::Trace trace = parse_program(text);
  compute_before(trace, 0, {1, 1000});
  Options with_paths, with_delays;
  with_paths.paths = with_delays.delays = true;
  for (const Options& options : {Options(), with_paths, with_delays}) {
    const auto out = simulate(trace, Machine(), options);
    ASSERT_FALSE(out);
    EXPECT_NE(out.error().message.find("more than 53 days"), std::string::npos);
  }
}

// Clocks of ranks that do not communicate have shares at other calls.
TEST(Steady, LeapsWithSharesInSeveralGroups) {
  std::string text = "ranks 2\n200:\n";
  for (int call = 0; call < 600; ++call)
    text += call < 10 ? "  MPI_Pcontrol level=1\n" : "  [1 0]: MPI_Pcontrol level=1\n";
  trace::Trace trace = parse_program(text);
  for (const std::uint32_t call : {3u, 7u}) compute_before(trace, call, {10, 20});
  for (const std::uint32_t call : {300u, 599u}) compute_before(trace, call, {5, 0});
  Options options;
  options.paths = true;
  const Outcome leaping = run(trace, Machine(), options);
  options.steady_state = false;
  const Outcome iterating = run(trace, Machine(), options);
  EXPECT_GT(leaping.leapt, 0u);
  EXPECT_EQ(leaping.path, iterating.path);
  EXPECT_EQ(leaping.ends, iterating.ends);
}

TEST(Steady, SaysWhatTheLimitOfWorkStopped) {
  Options options;
  options.steady_state = false;
  options.work = 1000;
  const auto out = simulate(parse_program("ranks 2\n2305843009213693952: MPI_Barrier comm=0\n"),
                            Machine(), options);
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("stopped after 1000 steps (rank"), std::string::npos);
  EXPECT_NE(out.error().message.find("MPI_Barrier"), std::string::npos) << out.error().message;
}

}  // namespace
}  // namespace reprise::simulate
