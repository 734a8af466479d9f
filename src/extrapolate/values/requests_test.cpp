// The number of requests of MPI_Waitall, which follows from the calls that make them.
#include "extrapolate/values/requests.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "extrapolate/values/instantiate.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::extrapolate {
namespace {

using List = std::vector<std::int64_t>;
// The number of a rank.
using Number = std::function<std::int64_t(std::int64_t rank, std::int64_t ranks)>;

trace::Series folded(const List& list) {
  trace::SeriesFolder folder;
  for (const std::int64_t v : list) folder.append(v);
  return folder.finish();
}

trace::Value by_rank(const Number& number, std::int64_t ranks) {
  List out;
  for (std::int64_t r = 0; r < ranks; ++r) out.push_back(number(r, ranks));
  return {.by_stream = folded(out), .classes = {}};
}

// Adds a call with a call path of its own. `peer` is the value of its rank, if it has one.
void add_call(trace::Trace& out, std::string_view function, trace::Value trips,
              const trace::Value& peer, std::vector<trace::Value> lists) {
  const trace::FunctionId id = *trace::find_function(function);
  const auto line = static_cast<std::uint32_t>(out.calls.size());
  trace::Call call{id, line, {}};
  for (const trace::Column& c : trace::function(id).scalars) {
    call.columns.push_back(c.kind == trace::Kind::peer ? peer : trace::Value::constant(0));
  }
  for (trace::Value& list : lists) call.columns.push_back(std::move(list));
  out.frames.push_back({.function = 1, .line = line + 1});
  out.callpaths.push_back({line});
  out.root.body.push_back({std::move(trips), line, {}});
  out.calls.push_back(std::move(call));
}

std::int64_t width(std::int64_t ranks) {  // of the grid, which is as square as may be
  std::int64_t d = 1;
  for (std::int64_t k = 1; k * k <= ranks; ++k) d = ranks % k == 0 ? k : d;
  return d;
}

struct Neighbor {
  Number exists;  // 0 or 1
  Number rank;
};

const std::vector<Neighbor> kNeighbors = {
    {[](auto r, auto n) { return r % width(n) > 0 ? 1 : 0; }, [](auto r, auto) { return r - 1; }},
    {[](auto r, auto n) { return r % width(n) < width(n) - 1 ? 1 : 0; },
     [](auto r, auto) { return r + 1; }},
    {[](auto r, auto n) { return r / width(n) > 0 ? 1 : 0; },
     [](auto r, auto n) { return r - width(n); }},
    {[](auto r, auto n) { return r / width(n) < n / width(n) - 1 ? 1 : 0; },
     [](auto r, auto n) { return r + width(n); }}};

std::int64_t neighbors_of(std::int64_t rank, std::int64_t ranks) {
  std::int64_t out = 0;
  for (const Neighbor& n : kNeighbors) out += n.exists(rank, ranks);
  return out;
}

// An MPI_Irecv from each neighbor, an MPI_Isend to each, and an MPI_Waitall for so many requests.
trace::Trace exchange(const Number& waits, std::int64_t ranks) {
  trace::Trace out;
  out.ranks = static_cast<std::uint64_t>(ranks);
  out.texts = {"", "f"};
  for (const char* function : {"MPI_Irecv", "MPI_Isend"}) {
    for (const Neighbor& n : kNeighbors) {
      add_call(out, function, by_rank(n.exists, ranks), by_rank(n.rank, ranks), {});
    }
  }
  trace::Value ages{.by_stream = {}, .classes = {}};
  List classes;
  for (std::int64_t r = 0; r < ranks; ++r) {
    List list;
    for (std::int64_t k = waits(r, ranks); k-- > 0;) list.push_back(k);
    ages.classes.push_back(folded(list));
    classes.push_back(r);
  }
  ages.by_stream = folded(classes);
  const trace::Value none = trace::Value::constant(0), empty{.by_stream = {}, .classes = {{}}};
  add_call(out, "MPI_Waitall", trace::Value::constant(1), none,
           {by_rank(waits, ranks), std::move(ages), none, empty, none, empty});
  return out;
}

// The number of requests of each rank's MPI_Waitall, or why there is none.
Result<List> extrapolated(const Number& waits, const List& inputs, std::int64_t ranks) {
  std::vector<trace::Trace> traces;
  std::vector<std::string> names;
  for (const std::int64_t p : inputs) {
    traces.push_back(exchange(waits, p));
    names.push_back(std::to_string(p));
  }
  const Request request{ranks, {}};
  const auto inferred = infer_program(traces, names, request);
  if (!inferred) return inferred.error();
  if (!inferred->refused.empty()) return Error{inferred->refused.front().why};
  const auto trace = instantiate(inferred->program, traces, request);
  if (!trace) return trace.error();
  List out;
  for (std::int64_t r = 0; r < ranks; ++r) {
    trace::Cursor cursor(*trace, static_cast<std::uint64_t>(r));
    while (cursor.next()) {
      if (cursor.event().function->name != "MPI_Waitall") continue;
      out.push_back(std::ssize(cursor.event().lists.front()));
    }
  }
  return out;
}

// The grids of 4 and 6 ranks are two wide: their numbers of requests alone have other laws.
TEST(RequestCounts, OfNeighborsOfAGrid) {
  const Number waits = [](auto r, auto n) { return 2 * neighbors_of(r, n); };
  const auto found = extrapolated(waits, {4, 6, 9}, 16);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, (List{4, 6, 6, 4, 6, 8, 8, 6, 6, 8, 8, 6, 4, 6, 6, 4}));
}

// Those of the sends alone, or of the receives, which are further back.
TEST(RequestCounts, OfOneFunction) {
  const auto found = extrapolated(neighbors_of, {4, 6, 9}, 16);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, (List{2, 3, 3, 2, 3, 4, 4, 3, 3, 4, 4, 3, 2, 3, 3, 2}));
}

TEST(RequestCounts, ColumnsThatAre) {
  const auto counts = [](const char* name) {
    const trace::Function& f = trace::function(*trace::find_function(name));
    std::uint32_t out = 0;
    for (std::uint32_t c = 0; c < f.columns(); ++c) out += is_request_count(f, c) ? 1 : 0;
    return out;
  };
  EXPECT_EQ(counts("MPI_Waitall"), 1U);
  EXPECT_EQ(counts("MPI_Startall"), 1U);
  EXPECT_EQ(counts("MPI_Wait"), 0U);
  EXPECT_EQ(counts("MPI_Alltoallv"), 0U);
}

}  // namespace
}  // namespace reprise::extrapolate
