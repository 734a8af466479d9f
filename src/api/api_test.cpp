#include <gtest/gtest.h>

#include "reprise/trace.hpp"
#include "trace/file/file.hpp"

namespace reprise {
namespace {

// Two ranks that send to each other three times: "MPI_Send(dest = rank + 1)" in a loop.
trace::Trace example() {
  trace::Trace t;
  t.program = "./pingpong";
  t.mpi = "Some MPI 1.0";
  t.date = 1700000000;
  t.duration = 2500;
  t.ranks = 2;
  t.losses = {{"calls that returned an error", 7}};
  t.texts = {"", "exchange", "pingpong.c"};
  t.frames = {{.function = 1, .file = 2, .line = 40}};
  t.callpaths = {{0}};
  const trace::FunctionId send = *trace::find_function("MPI_Send");
  trace::Call call{.function = send, .columns = {}};
  for (const trace::Column& c : trace::function(send).scalars) {
    const std::int64_t value = c.name == "count" ? 8 : c.kind == trace::Kind::peer ? 1 : 0;
    call.columns.push_back(trace::Value::constant(value));
    if (c.kind == trace::Kind::peer) call.columns.back().encoding = trace::Encoding::relative;
  }
  t.calls = {call};
  trace::Item leaf{.call = 0, .body = {}};
  t.root.body = {{.trips = trace::Value::constant(3), .body = {leaf}}};
  return t;
}

Trace read(const trace::Trace& trace) {
  Result<Trace> read = Trace::decode(*trace::encode_trace(trace), "example");
  EXPECT_TRUE(read) << read.error().message;
  return *read;
}

TEST(Api, TellsTheFactsOfARun) {
  const Trace t = read(example());
  EXPECT_EQ(t.program(), "./pingpong");
  EXPECT_EQ(t.mpi(), "Some MPI 1.0");
  EXPECT_EQ(t.date().time_since_epoch().count(), 1700000000);
  EXPECT_EQ(t.duration().count(), 2500);
  EXPECT_EQ(t.ranks(), 2u);
  EXPECT_EQ(t.threads(), 1u);
  ASSERT_EQ(t.losses().size(), 1u);
  EXPECT_EQ(t.losses()[0].count, 7u);
}

TEST(Api, WalksTheProgram) {
  const Trace t = read(example());
  ASSERT_EQ(t.root().body().size(), 1u);
  const Item loop = t.root().body()[0];
  EXPECT_FALSE(loop.call());
  EXPECT_TRUE(loop.trips().is_constant());
  EXPECT_EQ(loop.trips().at({.rank = 1}, 0), 3);
  ASSERT_EQ(loop.body().size(), 1u);
  const Call call = *loop.body()[0].call();
  EXPECT_EQ(call.function().name(), "MPI_Send");
  EXPECT_TRUE(call.function().has_trait("send"));
  EXPECT_FALSE(call.function().has_trait("collective"));
  EXPECT_FALSE(call.function().has_trait("no such word"));
  ASSERT_EQ(call.callpath().size(), 1u);
  EXPECT_EQ(call.callpath()[0].function, "exchange");
  EXPECT_EQ(call.callpath()[0].line, 40u);
}

TEST(Api, TellsPlacesAboveWrappers) {
  trace::Trace t = example();
  t.texts.insert(t.texts.end(), {"void solve<double>", "solve.cpp"});
  t.frames.push_back({.function = 3, .file = 4, .line = 12});
  t.callpaths = {{0, 1}};
  EXPECT_EQ(read(t).call(0).place(), 0u);
  EXPECT_EQ(read(t).call(0).place_text(), "exchange pingpong.c:40");
  t.wrappers = {{1, 2}};
  const Call call = read(t).call(0);
  EXPECT_EQ(call.place(), 1u);
  EXPECT_EQ(call.place_text(), "solve solve.cpp:12 via exchange");
  EXPECT_TRUE(call.callpath()[0].is_wrapper);
  EXPECT_FALSE(call.callpath()[1].is_wrapper);
}

TEST(Api, WalksTheCallsOfAStream) {
  const Trace t = read(example());
  Cursor c = t.cursor({.rank = 1});
  int calls = 0;
  for (; c.next(); ++calls) {
    EXPECT_EQ(c.function(), t.call(0).function());
    EXPECT_EQ(c.scalar("dest"), 0);
    EXPECT_EQ(c.scalar("count"), 8);
    EXPECT_EQ(c.scalar("nothing"), std::nullopt);
    EXPECT_EQ(c.scalars().size(), c.function().scalars().size());
  }
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(c.status());
}

// Thread 0 makes a datatype, thread 1 uses it.
TEST(Api, KnowsTheTypesOfOtherThreads) {
  trace::Trace t = example();
  t.threads = 2;
  const auto by_thread = [](std::int64_t first, std::int64_t second) {
    trace::Value v;
    const std::vector<trace::Term> body{{.value = first}, {.value = second}};
    v.by_stream = trace::Series({{.count = trace::kUnbounded, .period = 2, .body = body}});
    return v;
  };
  trace::Call make{.function = *trace::find_function("MPI_Type_contiguous"), .columns = {}};
  for (const trace::Column& c : trace::function(make.function).scalars) {
    const std::int64_t value = c.name == "newtype" ? 128 : c.kind == trace::Kind::bytes ? 24 : 0;
    make.columns.push_back(trace::Value::constant(value));
  }
  t.calls.push_back(make);
  t.root.body.front().trips = by_thread(0, 3);
  t.root.body.push_back({.trips = by_thread(1, 0), .call = 1, .body = {}});
  const Trace whole = read(t);
  Cursor user = whole.cursor({.rank = 1, .thread = 1});
  ASSERT_TRUE(user.next());
  EXPECT_EQ(user.type_size(128), 24);
  EXPECT_EQ(user.type_size(129), std::nullopt);
}

// Three sends of two ranks that took 100 to 300 ns on rank 0 and 5 us each on rank 1.
trace::Trace timed_example() {
  trace::Trace t = example();
  t.timing.mode = trace::TimeMode::paths;
  trace::DeltaTimes in_call;
  in_call.classes = {trace::Histogram(8), trace::Histogram(8)};
  for (const std::int64_t ns : {100, 200, 300}) in_call.classes[0].add(ns);
  for (int i = 0; i < 3; ++i) in_call.classes[1].add(5000);
  in_call.class_of = trace::Series({{.value = 0, .step = 1, .count = 2}});
  in_call.counts = trace::Series({{.value = 3, .count = 2}});
  in_call.sums = trace::Series({{.value = 600}, {.value = 15000}});
  in_call.max_stream = 1;
  trace::DeltaTimes before;
  before.classes = {trace::Histogram(8)};
  before.classes[0].add(7);
  before.counts = trace::Series({{.value = 1}, {.value = 0}});
  t.times = {{.communicate = in_call, .paths = {}, .arrivals = trace::Value::constant(0)}};
  t.times[0].paths.push_back({.from = trace::Path::kStart,
                              .compute = before,
                              .modes = {},
                              .mode_of = trace::Value::constant(0)});
  return t;
}

TEST(Api, TellsTheTimesOfCalls) {
  const Trace t = read(timed_example());
  EXPECT_TRUE(t.has_times());
  const std::vector<Delta> deltas = t.call(0).deltas();
  ASSERT_EQ(deltas.size(), 2u);
  const Delta& in_call = deltas[0];
  EXPECT_EQ(in_call.kind(), Delta::Kind::communicate);
  EXPECT_EQ(in_call.origin(), Delta::Origin::any);
  EXPECT_EQ(in_call.total().count, 6u);
  EXPECT_EQ(in_call.total().sum, 15600);
  EXPECT_EQ(in_call.total().min, 100);
  EXPECT_EQ(in_call.total().max, 5000);
  EXPECT_EQ(in_call.max_rank(), 1u);
  EXPECT_TRUE(in_call.has_sums());
  EXPECT_EQ(in_call.count({.rank = 1}), 3u);
  EXPECT_EQ(in_call.sum({.rank = 0}), 600);
  EXPECT_EQ(in_call.sum({.rank = 1}), 15000);
  EXPECT_EQ(in_call.bins().size(), 4u);
  ASSERT_EQ(in_call.bins({.rank = 1}).size(), 1u);
  EXPECT_EQ(in_call.bins({.rank = 1})[0].count, 3u);
  EXPECT_EQ(in_call.bins({.rank = 1})[0].deviation, 0);
  const Delta& before = deltas[1];
  EXPECT_EQ(before.kind(), Delta::Kind::compute);
  EXPECT_EQ(before.origin(), Delta::Origin::start);
  EXPECT_FALSE(before.has_sums());
  EXPECT_TRUE(before.bins({.rank = 1}).empty());
}

TEST(Api, HasNoDeltasWithoutTimes) {
  const Trace t = read(example());
  EXPECT_FALSE(t.has_times());
  EXPECT_TRUE(t.call(0).deltas().empty());
}

TEST(Api, EverythingHoldsOnToTheTrace) {
  Item root = read(example()).root();
  EXPECT_EQ(root.body()[0].body()[0].call()->function().name(), "MPI_Send");
  Cursor c = read(example()).cursor({.rank = 0});
  EXPECT_TRUE(c.next());
  EXPECT_EQ(c.scalar("dest"), 1);
}

TEST(Api, SaysWhatIsWrong) {
  const Result<Trace> missing = Trace::open("/nonexistent/file");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("/nonexistent/file"), std::string::npos);
  const std::uint8_t text[] = {'n', 'o'};
  ASSERT_FALSE(Trace::decode(text, "text"));
}

TEST(Api, NamesValues) {
  EXPECT_EQ(describe_value(ColumnKind::datatype, 13), "MPI_DOUBLE");
  EXPECT_EQ(describe_value(ColumnKind::peer, special::process_null), "MPI_PROC_NULL");
  EXPECT_EQ(describe_value(ColumnKind::count, 13), "13");
  EXPECT_EQ(predefined_type_size(13), 8);
  EXPECT_EQ(predefined_type_size(128), std::nullopt);
}

}  // namespace
}  // namespace reprise
