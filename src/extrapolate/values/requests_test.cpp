// The requests of MPI_Waitall and MPI_Wait, which follow from the calls that made them.
#include "extrapolate/values/requests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "extrapolate/test_traces.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using List = test::Numbers;
using Number = test::NumberOfRank;
using test::by_rank;

// `peer` is the value of its rank, if it has one.
void add_call(trace::Trace& out, std::string_view function, trace::Value trips,
              const trace::Value& peer, std::vector<trace::Value> lists) {
  test::add_call(out, function, std::move(trips), test::only_of(trace::Kind::peer, peer),
                 std::move(lists));
}

std::int64_t width(std::int64_t ranks) { return test::columns_of_grid(ranks); }

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

// An MPI_Irecv from each neighbor, and an MPI_Isend to each.
trace::Trace exchange(std::int64_t ranks) {
  trace::Trace out = test::without_calls(ranks);
  for (const char* function : {"MPI_Irecv", "MPI_Isend"}) {
    for (const Neighbor& n : kNeighbors) {
      add_call(out, function, by_rank(n.exists, ranks), by_rank(n.rank, ranks), {});
    }
  }
  return out;
}

const trace::Value kZero = trace::Value::constant(0);

// Adds an MPI_Waitall for the youngest requests, so many of each rank. Lists are filled up to a
// length with null.
void add_wait_for_all(trace::Trace& out, const Number& waits, std::int64_t length = 0) {
  const auto ranks = static_cast<std::int64_t>(out.ranks);
  trace::Value ages{.by_stream = {}, .classes = {}};
  List classes;
  for (std::int64_t r = 0; r < ranks; ++r) {
    List list;
    for (std::int64_t k = waits(r, ranks); k-- > 0;) list.push_back(k);
    while (std::ssize(list) < length) list.push_back(trace::kNull);
    ages.classes.push_back(trace::fold_numbers(list));
    classes.push_back(r);
  }
  ages.by_stream = trace::fold_numbers(classes);
  const trace::Value empty{.by_stream = {}, .classes = {{}}};
  trace::Value lengths = length > 0 ? trace::Value::constant(length) : by_rank(waits, ranks);
  add_call(out, "MPI_Waitall", trace::Value::constant(1), kZero,
           {std::move(lengths), std::move(ages), kZero, empty, kZero, empty});
}

// Adds an MPI_Wait for each of the receives, in their order.
void add_waits(trace::Trace& out) {
  const auto ranks = static_cast<std::int64_t>(out.ranks);
  for (std::size_t k = 0; k < kNeighbors.size(); ++k) {
    const Number younger = [k](auto rank, auto n) {
      std::int64_t later = 0;
      for (std::size_t j = k + 1; j < kNeighbors.size(); ++j)
        later += kNeighbors[j].exists(rank, n);
      return later;
    };
    add_call(out, "MPI_Wait", by_rank(kNeighbors[k].exists, ranks), kZero, {});
    const auto& scalars = trace::function(out.calls.back().function).scalars;
    const auto request = std::ranges::find(scalars, trace::Kind::request, &trace::Column::kind);
    out.calls.back().columns[static_cast<std::size_t>(request - scalars.begin())] =
        by_rank(younger, ranks);
  }
}

// What a rank's calls of a function have of requests, in their order: ages, null as -1.
List requests_of(const trace::Trace& trace, std::int64_t rank, std::string_view function) {
  List out;
  trace::Cursor cursor(trace, static_cast<std::uint64_t>(rank));
  while (cursor.next()) {
    const trace::Event& event = cursor.event();
    if (event.function->name != function) continue;
    for (std::size_t c = 0; c < event.scalars.size(); ++c) {
      if (event.function->scalars[c].kind == trace::Kind::request) out.push_back(event.scalars[c]);
    }
    if (event.lists.empty()) continue;
    for (const std::int64_t v : event.lists.front()) out.push_back(v == trace::kNull ? -1 : v);
  }
  return out;
}

using Make = std::function<trace::Trace(std::int64_t ranks)>;

// The grids of 4 and 6 ranks are two wide, where numbers of requests alone have other laws.
void expect_exact(const std::function<void(trace::Trace&)>& complete, std::string_view function,
                  const Make& exchange = reprise::extrapolate::exchange) {
  std::vector<trace::Trace> traces;
  for (const std::int64_t p : {4, 6, 9}) {
    traces.push_back(exchange(p));
    complete(traces.back());
  }
  constexpr std::int64_t kRanks = 20;
  const auto made = test::extrapolate_from(traces, {kRanks, {}});
  ASSERT_TRUE(made) << made.error().message;
  trace::Trace wanted = exchange(kRanks);
  complete(wanted);
  for (std::int64_t r = 0; r < kRanks; ++r) {
    EXPECT_EQ(requests_of(*made, r, function), requests_of(wanted, r, function)) << "rank " << r;
  }
}

const Number kOfBoth = [](auto r, auto n) { return 2 * neighbors_of(r, n); };

TEST(Requests, AreAsManyAsWereMade) {
  expect_exact([](trace::Trace& t) { add_wait_for_all(t, kOfBoth); }, "MPI_Waitall");
}

TEST(Requests, OfOneFunction) {
  expect_exact([](trace::Trace& t) { add_wait_for_all(t, neighbors_of); }, "MPI_Waitall");
}

TEST(Requests, ThenNull) {
  expect_exact([](trace::Trace& t) { add_wait_for_all(t, kOfBoth, 8); }, "MPI_Waitall");
}

// The sends are completed first; what is pending then are the later receives.
TEST(Requests, OneByOne) {
  expect_exact(
      [](trace::Trace& t) {
        add_wait_for_all(t, neighbors_of);
        add_waits(t);
      },
      "MPI_Wait");
}

// An MPI_Irecv in a loop over the neighbors.
trace::Trace exchange_in_loop(std::int64_t ranks) {
  trace::Trace out = test::without_calls(ranks);
  add_call(out, "MPI_Barrier", trace::Value::constant(1), kZero, {});
  trace::Value peers{.by_stream = {}, .classes = {}};
  List classes;
  for (std::int64_t r = 0; r < ranks; ++r) {
    List list;
    for (const Neighbor& n : kNeighbors) {
      if (n.exists(r, ranks)) list.push_back(n.rank(r, ranks));
    }
    peers.classes.push_back(trace::fold_numbers(list));
    classes.push_back(r);
  }
  peers.by_stream = trace::fold_numbers(classes);
  add_call(out, "MPI_Irecv", trace::Value::constant(1), peers, {});
  trace::Item call = std::move(out.root.body.back());
  out.root.body.back() = {by_rank(neighbors_of, ranks), trace::Item::kBody, {std::move(call)}};
  return out;
}

TEST(Requests, MadeInALoop) {
  expect_exact([](trace::Trace& t) { add_wait_for_all(t, neighbors_of); }, "MPI_Waitall",
               exchange_in_loop);
}

TEST(Requests, OneByOneInALoop) {
  expect_exact(
      [](trace::Trace& t) {
        const auto ranks = static_cast<std::int64_t>(t.ranks);
        trace::Value ages{.by_stream = {}, .classes = {}};
        List classes;
        for (std::int64_t r = 0; r < ranks; ++r) {
          List list;
          for (std::int64_t k = neighbors_of(r, ranks); k-- > 0;) list.push_back(k);
          ages.classes.push_back(trace::fold_numbers(list));
          classes.push_back(r);
        }
        ages.by_stream = trace::fold_numbers(classes);
        add_call(t, "MPI_Wait", trace::Value::constant(1), kZero, {});
        const auto& scalars = trace::function(t.calls.back().function).scalars;
        const auto request = std::ranges::find(scalars, trace::Kind::request, &trace::Column::kind);
        t.calls.back().columns[static_cast<std::size_t>(request - scalars.begin())] = ages;
        trace::Item call = std::move(t.root.body.back());
        t.root.body.back() = {by_rank(neighbors_of, ranks), trace::Item::kBody, {std::move(call)}};
      },
      "MPI_Wait", exchange_in_loop);
}

TEST(Requests, ColumnsThatAre) {
  const auto columns = [](const char* name) {
    const trace::Function& f = trace::function(*trace::find_function(name));
    std::uint32_t out = 0;
    for (std::uint32_t c = 0; c < f.columns(); ++c) out += is_of_requests(f, c) ? 1 : 0;
    return out;
  };
  EXPECT_EQ(columns("MPI_Waitall"), 2U);
  EXPECT_EQ(columns("MPI_Startall"), 2U);
  EXPECT_EQ(columns("MPI_Wait"), 1U);
  EXPECT_EQ(columns("MPI_Alltoallv"), 0U);
}

}  // namespace
}  // namespace reprise::extrapolate
