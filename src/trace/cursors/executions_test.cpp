#include "trace/cursors/executions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/cursors/cursor.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::trace {
namespace {

Value trips(const std::vector<std::int64_t>& values) {
  return {.by_stream = {}, .classes = {fold_numbers(values)}};
}

Item call(std::uint32_t number, Value passes) {
  return {.trips = std::move(passes), .call = number, .body = {}};
}

Trace trace_of(std::vector<Item> body, std::size_t calls) {
  Trace out;
  out.ranks = 1;
  const FunctionId barrier = *find_function("MPI_Barrier");
  out.calls.resize(calls,
                   {barrier, 0, std::vector(function(barrier).columns(), Value::constant(0))});
  out.root.body = std::move(body);
  return out;
}

TEST(LastCall, MayBeLongBeforeTheLastPass) {
  Item loop{.trips = Value::constant(std::int64_t{1} << 60), .body = {}};
  loop.body = {call(0, trips({1, 1, 1, 0, 0, 0})), call(1, trips({0, 1, 0, 0, 0}))};
  EXPECT_EQ(last_call(trace_of({loop}, 2), 0), 0u);
}

TEST(LastCall, OfAStreamWithoutCalls) {
  EXPECT_EQ(last_call(trace_of({call(0, Value::constant(0))}, 1), 0), std::nullopt);
}

// Bodies of any trips, two deep.
RC_GTEST_PROP(LastCall, IsTheOneThatAWalkEndsWith, ()) {
  const auto some = [](std::size_t most) {
    return trips(*rc::gen::container<std::vector<std::int64_t>>(most, rc::gen::inRange(0, 3)));
  };
  std::uint32_t calls = 0;
  std::vector<Item> body;
  for (int k = 0; k < 3; ++k) {
    Item loop{.trips = some(1), .body = {}};
    for (int b = 0; b < 2; ++b) {
      Item inner{.trips = some(3), .body = {}};
      inner.body = {call(calls, some(5)), call(calls + 1, some(5))};
      calls += 2;
      loop.body.push_back(std::move(inner));
    }
    loop.body.push_back(call(calls++, some(3)));
    body.push_back(std::move(loop));
  }
  const Trace t = trace_of(std::move(body), calls);
  std::optional<std::uint32_t> last;
  std::vector<std::uint64_t> times(calls, 0);
  for (Cursor cursor(t, 0); cursor.next(); ++times[*last]) last = cursor.event().call;
  RC_ASSERT(last_call(t, 0) == last);
  RC_ASSERT(executions(t, 0) == times);
}

}  // namespace
}  // namespace reprise::trace
