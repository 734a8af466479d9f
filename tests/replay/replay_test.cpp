// What a replay does without MPI: which traces it refuses, the computation that it emulates, the
// tables of its objects, its memory, its files, its options and its summary.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "analyze/program_text.hpp"
#include "replay/calls/arena.hpp"
#include "replay/calls/object_table.hpp"
#include "replay/check.hpp"
#include "replay/compute.hpp"
#include "replay/files.hpp"
#include "replay/options.hpp"
#include "replay/report.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::replay {
namespace {

using trace::Trace;

// --- Refusals ---

std::string refusal(
    const std::string& program, const Obstacle& obstacle = [](auto) { return ""; }) {
  const Trace trace = analyze::parse_program(program);
  const Status status = check(trace, "app", obstacle, 0, trace.ranks);
  return status ? "" : status.error().message;
}

TEST(ReplayCheck, TakesWhatEndsByItself) {
  EXPECT_EQ(refusal("ranks 3\nMPI_Init\n5:\n  [0 2 1]: MPI_Barrier\nMPI_Finalize\n"), "");
  EXPECT_EQ(refusal("ranks 2\nMPI_Init\n3:\n  {0 0 1}: MPI_Finalize\n"), "") << "in the last pass";
}

TEST(ReplayCheck, RefusesRanksThatNeverFinalize) {
  EXPECT_NE(refusal("ranks 3\nMPI_Init\n[1 1 0]: MPI_Finalize\n").find("rank 2 never came"),
            std::string::npos);
  EXPECT_NE(refusal("ranks 2\nMPI_Init\n0:\n  MPI_Finalize\n").find("rank 0 never came"),
            std::string::npos);
}

TEST(ReplayCheck, AnyThreadMayFinalize) {
  EXPECT_EQ(refusal("ranks 2\nthreads 2\n[0 1 1 0]: MPI_Finalize\n"), "");
}

TEST(ReplayCheck, RefusesObjectsThatNothingHasMade) {
  EXPECT_NE(refusal("ranks 1\nMPI_Barrier comm=unknown\nMPI_Finalize\n").find("a communicator"),
            std::string::npos);
  EXPECT_NE(refusal("ranks 1\nMPI_Waitall requests=(0 unknown)\nMPI_Finalize\n").find("a request"),
            std::string::npos);
  EXPECT_NE(refusal("ranks 1\nMPI_Type_free datatype=unknown\nMPI_Finalize\n").find("a datatype"),
            std::string::npos);
}

TEST(ReplayCheck, RefusesRequestsOfOtherThreads) {
  EXPECT_NE(refusal("ranks 1\nthreads 2\n[1 0]: MPI_Waitall requests=(0 -4097)\nMPI_Finalize\n")
                .find("a request that was made by another thread"),
            std::string::npos);
}

// The requests of all executions of an MPI_Waitall of two, folded as a recorder does.
std::string refusal_of_requests(const std::string& executions,
                                const std::vector<std::int64_t>& requests) {
  Trace t = analyze::parse_program("ranks 1\nthreads 2\n[" + executions +
                                   " 0]: MPI_Waitall requests=(0 1)\nMPI_Finalize\n");
  const trace::Function& f = trace::function(t.calls[0].function);
  const auto list = std::ranges::find(f.lists, "requests", &trace::Column::name);
  const auto at = f.scalars.size() + 2 * static_cast<std::size_t>(list - f.lists.begin()) + 1;
  trace::SeriesFolder folder;
  for (const std::int64_t r : requests) folder.append(r);
  t.calls[0].columns[at] = {.by_stream = {}, .classes = {folder.finish()}};
  const Status status = check(
      t, "app", [](auto) { return ""; }, 0, t.ranks);
  return status ? "" : status.error().message;
}

// Two values are a run, whose first value tells nothing of the others.
TEST(ReplayCheck, RefusesRequestsOfOtherThreadsWithinRuns) {
  for (const auto& requests :
       std::vector<std::vector<std::int64_t>>{{0, -4097},
                                              {0, -1},
                                              {0, trace::kForeign},
                                              {5, trace::kForeign},
                                              {3, 3, 3, 3, 3, 0, -4097, 0},
                                              {0, 1, trace::kNull, 2, 3, -1},
                                              {0, 1, 2, 3, 4, 3, 2, 1, 0, -1}}) {
    EXPECT_NE(refusal_of_requests(std::to_string(requests.size() / 2), requests)
                  .find("a request that was made by another thread"),
              std::string::npos)
        << requests.back();
  }
}

// A run without an end goes on as far as the call is executed, and no further.
TEST(ReplayCheck, TakesRequestsThatCountDown) {
  for (const auto& requests :
       std::vector<std::vector<std::int64_t>>{{1, 0},
                                              {3, 2, 1, 0},
                                              {0, trace::kNull},
                                              {5, trace::kNull},
                                              {0, trace::kNone, 0, trace::kNone},
                                              {0, 1, trace::kNull, 2, 1, 0}})
    EXPECT_EQ(refusal_of_requests(std::to_string(requests.size() / 2), requests), "");
}

// Objects count only as far as a rank executes the call.
TEST(ReplayCheck, LooksAtWhatEachRankExecutes) {
  const auto of_barrier = [](const std::string& trips, const std::string& comm) {
    return refusal("ranks 3\n" + trips + ": MPI_Barrier comm=" + comm + "\nMPI_Finalize\n");
  };
  EXPECT_EQ(of_barrier("[1 1 1]", "[0 {0 unknown} 0]"), "");
  EXPECT_EQ(of_barrier("[2 1 2]", "[{0 0} {0 unknown} {0 0}]"), "");
  EXPECT_NE(of_barrier("[1 2 1]", "[{0 0} {0 unknown} {0 0}]"), "");
  EXPECT_NE(of_barrier("[1 1 1]", "[0 unknown 0]"), "");
  EXPECT_EQ(of_barrier("[1 0 1]", "[0 unknown 0]"), "");

  const auto of_wait = [](const std::string& trips, const std::string& lengths) {
    return refusal("ranks 2\n" + trips + ": MPI_Waitall requests=(" + lengths +
                   "){0 1 2 unknown}\nMPI_Finalize\n");
  };
  EXPECT_EQ(of_wait("3", "1"), "");
  EXPECT_NE(of_wait("4", "1"), "");
  EXPECT_EQ(of_wait("3", "[1 0]"), "");
  EXPECT_NE(of_wait("3", "[1 2]"), "");
  EXPECT_EQ(of_wait("[3 9]", "[{1 1 1 ...} {3 0 0 0 0 0 0 0 0}]"), "");
  EXPECT_NE(of_wait("[4 9]", "[{1 1 1 ...} {3 0 0 0 0 0 0 0 0}]"), "");
}

// So many ranks that calls counted anew for each of them would not come to an end.
TEST(ReplayCheck, CountsCallsOnceForRanksThatMakeTheSameTrips) {
  constexpr std::uint64_t kRanks = 1 << 18;
  std::string text = "ranks " + std::to_string(kRanks) + "\nMPI_Barrier\n";
  for (int k = 0; k < 100; ++k) text += "MPI_Barrier\n";
  Trace t = analyze::parse_program(text + "MPI_Finalize\n");
  std::vector<trace::Term> classes, trips;  // irregular
  std::uint64_t random = 1;
  for (std::uint64_t r = 0; r < kRanks; ++r) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    classes.push_back({.value = static_cast<std::int64_t>(random >> 63U)});
    trips.push_back({.value = static_cast<std::int64_t>(random >> 62U & 1U)});
  }
  const auto scalars = trace::function(t.calls[0].function).scalars;
  const auto comm = std::ranges::find(scalars, "comm", &trace::Column::name) - scalars.begin();
  trace::Value& comms = t.calls[0].columns[static_cast<std::size_t>(comm)];
  t.root.body[0].trips = {.by_stream = trace::Series(trips), .classes = {}};
  comms = {.by_stream = trace::Series(classes),
           .classes = {trace::Series::constant(0),
                       trace::Series({{.value = 0}, {.value = trace::kForeign}})}};
  const auto refused = [&t] {
    return !check(
        t, "app", [](auto) { return ""; }, 0, t.ranks);
  };
  EXPECT_FALSE(refused());
  trips.front().value = 2;
  classes.front().value = 1;
  t.root.body[0].trips.by_stream = trace::Series(trips);
  comms.by_stream = trace::Series(classes);
  EXPECT_TRUE(refused());
}

TEST(ReplayCheck, RefusesFunctionsWithAnObstacle) {
  const auto obstacle = [](trace::FunctionId f) {
    return trace::function(f).name == "MPI_Barrier" ? "it is not there" : "";
  };
  EXPECT_NE(refusal("ranks 1\nMPI_Barrier\nMPI_Finalize\n", obstacle).find("it is not there"),
            std::string::npos);
  EXPECT_EQ(refusal("ranks 1\nMPI_Finalize\n", obstacle), "");
}

// --- Computation ---

// Two calls in a loop on two ranks, with computation before each: ranks differ in what they spend.
Trace timed(std::int64_t passes) {
  Trace t =
      analyze::parse_program("ranks 2\n" + std::to_string(passes) +
                             ":\n  MPI_Barrier @ main a.c:7\n  MPI_Allreduce @ solve b.c:9\n");
  t.timing.mode = trace::TimeMode::paths;
  for (std::uint32_t c = 0; c < 2; ++c) {
    trace::CallTimes& times = t.times.emplace_back();
    trace::Histogram h(5);
    for (std::int64_t k = 0; k < passes; ++k) h.add(1000 * (c + 1) + k % 7);
    trace::DeltaTimes delta;
    delta.classes = {h};
    delta.counts = trace::Series::constant(passes);
    delta.sums = trace::Series({trace::Term{
        .value = 1000 * (c + 1) * passes, .step = 500 * passes, .count = trace::kUnbounded}});
    times.communicate = delta;
    times.paths.push_back({.from = 1 - c, .compute = delta, .modes = {}, .mode_of = {}});
    times.arrivals = trace::Value::constant(0);
  }
  return t;
}

// What is computed before all calls of one index [ns].
double computed(const Trace& t, std::uint64_t stream, const Options& options, std::uint32_t call) {
  const auto model = compute_model(t, stream, options);
  trace::Cursor cursor(t, stream);
  double sum = 0;
  for (std::uint32_t previous = 1 - t.calls.size() % 2; cursor.next();
       previous = cursor.event().call) {
    const std::int64_t ns = model->before(cursor.event(), previous);
    EXPECT_GE(ns, 0);
    if (cursor.event().call == call) sum += static_cast<double>(ns);
  }
  return sum;
}

TEST(ReplayCompute, EachRankSpendsWhatItSpent) {
  const Trace t = timed(1000);
  for (const std::uint64_t stream : {0, 1}) {
    for (const std::uint32_t call : {0u, 1u}) {
      const double recorded = t.times[call].paths[0].compute.sum_of(stream);
      EXPECT_NEAR(computed(t, stream, {}, call), recorded, 1e-3 * recorded)
          << "call " << call << " of stream " << stream;
    }
  }
}

TEST(ReplayCompute, SeedsRepeat) {
  const Trace t = timed(100);
  EXPECT_EQ(computed(t, 0, {}, 0), computed(t, 0, {}, 0));
}

TEST(ReplayCompute, ScalesOfAllAndOfPlaces) {
  const Trace t = timed(1000);
  const double whole = computed(t, 0, {}, 0), other = computed(t, 0, {}, 1);
  Options half;
  half.compute_scale = 0.5;
  EXPECT_NEAR(computed(t, 0, half, 0), whole / 2, 1e-3 * whole);
  for (const char* place : {"solve", "b.c:9", "MPI_Allreduce"}) {
    Options none;
    none.compute_scale_at = {{place, 0}};
    EXPECT_LE(computed(t, 0, none, 1), 1) << place << ": what rounding leaves over";
    EXPECT_NEAR(computed(t, 0, none, 0), whole, 1e-3 * whole);
  }
  Options last;
  last.compute_scale_at = {{"solve", 0}, {"b.c:9", 2}};
  EXPECT_NEAR(computed(t, 0, last, 1), 2 * other, 2e-3 * other) << "the last counts";
}

TEST(ReplayCompute, NothingWithoutTimesOrByAnotherPath) {
  Trace t = timed(10);
  const auto model = compute_model(t, 0, {});
  trace::Cursor cursor(t, 0);
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(model->before(cursor.event(), ComputeModel::kNoCall), 0) << "never came from there";
  t.times.clear();
  EXPECT_EQ(compute_model(t, 0, {}), nullptr);
}

// --- Objects ---

TEST(ReplayTable, KeepsObjectsByNumber) {
  Sharing sharing;
  Table<int> table(sharing);
  EXPECT_EQ(table.find(7), std::nullopt);
  table.predefine(0, 100);
  table.make(7, 42);
  EXPECT_EQ(table.find(7), 42);
  EXPECT_TRUE(table.has(0));
  table.free(0);
  EXPECT_EQ(table.find(0), 100) << "predefined objects stay";
  table.make(0, 5);
  EXPECT_EQ(table.find(0), 100);
  table.free(7);
  table.free(7);
  EXPECT_FALSE(table.has(7));
}

TEST(ReplayTable, WhatIsGivenOutOftenIsFreedAsOften) {
  Sharing sharing;
  Table<int> table(sharing);
  for (const int handle : {1, 2, 3}) table.make(4, handle);
  for (const int handle : {3, 2, 1}) {
    EXPECT_EQ(table.find(4), handle);
    table.free(4);
  }
  EXPECT_FALSE(table.has(4));
}

TEST(ReplayTable, AnObjectInTheMakingIsNotThereYet) {
  Sharing sharing;
  Table<int> table(sharing);
  *table.place(2) = 9;
  EXPECT_EQ(table.find(2), std::nullopt);
  table.made(2);
  EXPECT_EQ(table.find(2), 9);
}

TEST(ReplayTable, ThreadsWaitForOneAnother) {
  Sharing sharing;
  sharing.threads = true;
  Table<int> table(sharing);
  std::thread maker([&] {
    *table.place(2) = 9;
    table.made(2);
    table.make(3, 8);
  });
  EXPECT_EQ(table.find(3), 8);
  EXPECT_EQ(table.find(2), 9);
  maker.join();
}

// --- Memory and files ---

TEST(ReplayArena, GrowsAndKeepsWhatItHandedOut) {
  Arena arena(1);
  std::byte* small = arena.at_least(100);
  EXPECT_EQ(arena.at_least(50), small) << "calls share it";
  const std::byte first = small[0];
  std::byte* large = arena.at_least(1 << 20);
  EXPECT_NE(large, small);
  EXPECT_EQ(small[0], first);
  large[(1 << 20) - 1] = std::byte{1};
  EXPECT_EQ(arena.at_least(100), large);
  arena.forget();
  EXPECT_NE(arena.at_least(0), nullptr);
}

TEST(ReplayArena, FreshBlocksAreApart) {
  Arena arena(1);
  std::byte *a = arena.fresh(64), *b = arena.fresh(64);
  EXPECT_TRUE(a + 64 <= b || b + 64 <= a);
}

TEST(ReplayFiles, NamesStayWithinTheScratchFolder) {
  EXPECT_EQ(scratch_path("/s", "../../etc/passwd"), "/s/..%..%etc%passwd");
  EXPECT_EQ(scratch_path("/s", "ufs:/data/x"), "/s/ufs%%data%x");
}

TEST(ReplayFiles, AFileThatIsThereStays) {
  const Result<std::string> folder = make_scratch("");
  ASSERT_TRUE(folder);
  const std::string path = scratch_path(*folder, "data");
  ensure_file(path);
  EXPECT_GT(std::filesystem::file_size(path), std::uintmax_t{1} << 20) << "and takes no room";
  std::filesystem::resize_file(path, 10);
  ensure_file(path);
  EXPECT_EQ(std::filesystem::file_size(path), 10u);
  remove_scratch(*folder);
  EXPECT_FALSE(std::filesystem::exists(*folder));
}

// --- Options and summary ---

Options parsed(std::vector<std::string> words) {
  CLI::App app;
  Options o;
  add_options(app, o);
  std::ranges::reverse(words);  // as CLI11 wants them
  app.parse(std::move(words));
  return o;
}

TEST(ReplayOptions, WordsSayThemAgain) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"app.reprise"},
        {"app.reprise", "--wildcards", "arrival", "--compute", "none"},
        {"app.reprise", "--compute", "spin", "--compute-scale", "0.1", "--compute-scale",
         "a.c:7=2"},
        {"app.reprise", "--message-scale", "3", "--seed", "7", "--scratch", "/tmp", "--json",
         "out"}}) {
    const Options o = parsed(words);
    const std::vector<std::string> again = words_of(o);
    EXPECT_EQ(again.size(), words.size());
    const Options same = parsed(again);
    EXPECT_EQ(words_of(same), again);
    EXPECT_EQ(same.compute_scale, o.compute_scale);
    EXPECT_EQ(same.compute_scale_at, o.compute_scale_at);
    EXPECT_EQ(same.json_file, o.json_file);
  }
  EXPECT_THROW(parsed({"app.reprise", "--compute-scale", "a.c:7=fast"}), CLI::ParseError);
  EXPECT_THROW(parsed({"app.reprise", "--compute-scale", "-1"}), CLI::ParseError);
}

TEST(ReplayReport, SumsWhatRanksSpent) {
  const Trace t = timed(10);
  const std::vector<Totals> totals = recorded_totals(t);
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_NEAR(totals[0].compute, 30e-6, 1e-12);
  EXPECT_NEAR(totals[1].mpi, 40e-6, 1e-12);
  EXPECT_NEAR(totals[1].total, 80e-6, 1e-12);
}

TEST(ReplayReport, ComparesWithTheRecording) {
  Report report{.file = "app",
                .mpi = "Some MPI",
                .recorded = 2.0,
                .ranks = {},
                .then = {},
                .losses = {},
                .no_compute = {},
                .differences = {}};
  report.ranks = {{.calls = 3, .bytes = 8, .mpi = 0.5, .compute = 1, .total = 1.5},
                  {.calls = 4, .bytes = 8, .mpi = 1.0, .compute = 1, .total = 1.8}};
  EXPECT_NE(report.text().find("7 calls, 16 bytes sent"), std::string::npos) << report.text();
  EXPECT_NE(report.text().find("all 7 calls of the recording were replayed in 1.800000 s; the "
                               "recording took 2.000000 s: -10.00 %, accuracy 90.00 %\n"),
            std::string::npos)
      << report.text();
  EXPECT_NE(report.json().find("\"accuracy\": 0.9"), std::string::npos) << report.json();
}

TEST(ReplayReport, HasNoAccuracyWhereTimesAreNotComparable) {
  Trace t = timed(10);
  t.mpi = "MPICH 4.0.2";
  Options o;
  EXPECT_TRUE(differences_of(t, o, "MPICH 4.2").empty());
  o.compute_scale_at = {{"solve", 0.1}};
  const std::vector<std::string> all = differences_of(t, o, "Open MPI 4.1.4");
  EXPECT_EQ(all, (std::vector<std::string>{"--compute-scale", "recorded with MPICH 4.0.2"}));
  Report report{.file = "app",
                .mpi = "Open MPI 4.1.4",
                .recorded = 2.0,
                .ranks = {},
                .then = {},
                .losses = {},
                .no_compute = {},
                .differences = all};
  report.ranks = {{.calls = 3, .bytes = 8, .mpi = 0.5, .compute = 1, .total = 1.5}};
  EXPECT_NE(report.text().find("the recording took 2.000000 s\nthese times are not comparable "
                               "(--compute-scale; recorded with MPICH 4.0.2)\n"),
            std::string::npos)
      << report.text();
  EXPECT_EQ(report.text().find("accuracy"), std::string::npos);
  EXPECT_EQ(report.json().find("\"accuracy\""), std::string::npos);
}

TEST(ReplayReport, AccuracyIsZeroAtLeast) {
  Report report{.file = "app",
                .mpi = "Some MPI",
                .recorded = 1.0,
                .ranks = {{.calls = 1, .bytes = 0, .mpi = 3, .compute = 0, .total = 3}},
                .then = {},
                .losses = {},
                .no_compute = {},
                .differences = {}};
  EXPECT_NE(report.text().find("+200.00 %, accuracy 0.00 %"), std::string::npos) << report.text();
}

TEST(ReplayCompute, RefusesAPlaceThatNoCallHas) {
  const Trace t = timed(10);
  Options o;
  for (const char* place : {"MPI_Barrier", "solve", "a.c:7"})
    o.compute_scale_at.emplace_back(place, 2);
  EXPECT_TRUE(check_places(t, o, "app"));
  o.compute_scale_at.emplace_back("nosuch", 2);
  const Status refused = check_places(t, o, "app");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("unknown place nosuch"), std::string::npos)
      << refused.error().message;
}

TEST(ReplayReport, SaysWhatIsNotReplayed) {
  Report report{.file = "app",
                .mpi = "Some MPI",
                .recorded = 0,
                .ranks = {},
                .then = {},
                .losses = {{"calls that returned an error", 3}},
                .no_compute = "--compute none",
                .differences = {"--compute none"}};
  report.ranks = {{.calls = 3, .bytes = 8, .mpi = 0.5, .compute = 0, .total = 1.5}};
  EXPECT_TRUE(
      report.text().ends_with("all 3 calls of the recording were replayed in 1.500000 s\n"
                              "computation was left out (--compute none)\n"
                              "not in the recording: calls that returned an error: 3\n"))
      << report.text();
  EXPECT_NE(report.json().find("\"differences\": [\"--compute none\"],\n  \"computes\": false,\n  "
                               "\"lost\": {\"calls that returned an "
                               "error\": 3}\n}\n"),
            std::string::npos)
      << report.json();
}

}  // namespace
}  // namespace reprise::replay
