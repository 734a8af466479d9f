#include <gtest/gtest.h>

#include "reprise/trace.hpp"
#include "trace/file.hpp"

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
