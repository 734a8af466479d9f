// Traces that can be those of a run, and others that cannot.
#include "extrapolate/verify/verify.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "trace/calls/predefined.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Value;
using ByRank = std::function<std::int64_t(std::int64_t rank)>;

constexpr std::int64_t kChar = 1;  // MPI_CHAR

ByRank always(std::int64_t v) {
  return [v](std::int64_t) { return v; };
}

// A program without loops but those of single calls.
struct Program {
  explicit Program(std::int64_t ranks) {
    t.ranks = static_cast<std::uint64_t>(ranks);
    t.texts = {"", "f"};
  }

  Value value(const ByRank& of) const {
    trace::SeriesFolder out;
    for (std::uint64_t r = 0; r < t.ranks; ++r) out.append(of(static_cast<std::int64_t>(r)));
    return {.by_stream = out.finish(), .classes = {}};
  }

  // Columns that are not named are 0, or MPI_CHAR, and lists that are not named are empty.
  Program& call(const char* name, const ByRank& trips, const std::map<std::string, ByRank>& columns,
                const std::map<std::string, std::vector<std::int64_t>>& lists = {}) {
    const trace::FunctionId id = *trace::find_function(name);
    const trace::Function& f = trace::function(id);
    trace::Call c{id, static_cast<std::uint32_t>(t.callpaths.size()), {}};
    for (const trace::Column& column : f.scalars) {
      const auto found = columns.find(std::string(column.name));
      const std::int64_t usual = column.kind == trace::Kind::datatype ? kChar : 0;
      c.columns.push_back(found == columns.end() ? Value::constant(usual) : value(found->second));
    }
    for (const trace::Column& column : f.lists) {
      const auto found = lists.find(std::string(column.name));
      trace::SeriesFolder elements;
      if (found != lists.end()) {
        for (const std::int64_t v : found->second) elements.append(v);
      }
      const std::int64_t length = found == lists.end() ? 0 : std::ssize(found->second);
      c.columns.push_back(Value::constant(length));
      c.columns.push_back(length == 0 ? Value::constant(0)
                                      : Value{.by_stream = {}, .classes = {elements.finish()}});
    }
    t.frames.push_back({.function = 1, .line = static_cast<std::uint32_t>(t.calls.size() + 1)});
    t.callpaths.push_back({static_cast<std::uint32_t>(t.frames.size() - 1)});
    t.root.body.push_back({value(trips), static_cast<std::uint32_t>(t.calls.size()), {}});
    t.calls.push_back(std::move(c));
    return *this;
  }

  trace::Trace t;
};

std::string text_of(const Verdict& verdict) {
  std::string out;
  for (const Contradiction& c : verdict.contradictions) {
    out += c.what + " +" + std::to_string(c.more) + " at";
    for (const std::string& s : c.sites) out += " " + s.substr(0, s.find(' '));
    out += "\n";
  }
  return out;
}

std::string verdict_on(const Program& p) { return text_of(verify(p.t)); }

Program ring(std::int64_t ranks, const ByRank& sent) {
  Program p(ranks);
  p.call("MPI_Send", sent,
         {{"dest", [=](auto r) { return (r + 1) % ranks; }},
          {"count", always(8)},
          {"tag", always(3)}});
  p.call("MPI_Recv", always(5),
         {{"source", [=](auto r) { return (r + ranks - 1) % ranks; }},
          {"count", always(8)},
          {"tag", always(3)}});
  return p;
}

TEST(Verify, ARingComesOutEven) {
  EXPECT_EQ(verdict_on(ring(7, always(5))), "");
  EXPECT_EQ(verdict_on(ring(1, always(5))), "");
}

TEST(Verify, MessagesThatNobodyReceives) {
  const auto more = [](std::int64_t r) { return r == 2 ? 6 : 5; };
  EXPECT_EQ(
      verdict_on(ring(7, more)),
      "rank 3 is sent 6 messages with tag 3 by rank 2 and receives 5 +0 at MPI_Send MPI_Recv\n");
}

// What is not received in the inputs may stay so, at the same call site only.
TEST(Verify, WhatDoesNotHoldInTheInputsIsNotDemanded) {
  const auto more = [](std::int64_t r) { return r == 2 ? 6 : 5; };
  const std::vector<trace::Trace> even{ring(4, always(5)).t}, uneven{ring(4, more).t};
  const trace::Trace made = ring(9, more).t;
  EXPECT_EQ(verify(made, even).contradictions.size(), 1U);
  EXPECT_TRUE(verify(made, uneven).contradictions.empty());
  Program other = ring(9, always(5));
  other.call("MPI_Bcast", [](auto r) { return r > 0 ? 1 : 0; }, {{"count", always(1)}});
  EXPECT_EQ(verify(other.t, uneven).contradictions.size(), 1U);
}

TEST(Verify, RoomForMessages) {
  const auto with_room = [](std::int64_t room) {
    Program p(4);
    p.call("MPI_Sendrecv", always(2),
           {{"dest", [](auto r) { return r ^ 1; }},
            {"source", [](auto r) { return r ^ 1; }},
            {"sendcount", always(10)},
            {"recvcount", [room](auto r) { return r == 3 ? room : 10; }}});
    return verdict_on(p);
  };
  EXPECT_EQ(with_room(10), "");
  EXPECT_EQ(with_room(11), "");
  EXPECT_NE(with_room(9).find("has room for"), std::string::npos);
}

TEST(Verify, NegativeCounts) {
  Program p(3);
  p.call("MPI_Sendrecv", always(1),
         {{"dest", [](auto r) { return (r + 1) % 3; }},
          {"source", [](auto r) { return (r + 2) % 3; }},
          {"sendcount", [](auto r) { return r == 2 ? -4 : 4; }},
          {"recvcount", always(4)}});
  p.call("MPI_Bcast", always(1), {{"count", always(-1)}});
  EXPECT_EQ(verdict_on(p),
            "MPI_Sendrecv of rank 2 has the sendcount -4 +0 at MPI_Sendrecv\n"
            "MPI_Bcast of rank 0 has the count -1 +2 at MPI_Bcast\n");
}

TEST(Verify, Wildcards) {
  const auto collect = [](std::int64_t received) {
    Program p(6);
    p.call("MPI_Send", [](auto r) { return r > 0 ? 2 : 0; }, {{"tag", always(1)}});
    p.call("MPI_Recv", [=](auto r) { return r > 0 ? 0 : received; },
           {{"source", always(trace::kAnySource)}, {"tag", always(1)}});
    return verdict_on(p);
  };
  EXPECT_EQ(collect(10), "");
  EXPECT_NE(collect(9).find("is sent 10 messages and receives 9"), std::string::npos);
  EXPECT_NE(collect(11).find("receives 11, 11 with a wildcard"), std::string::npos);
}

TEST(Verify, PeersAndRootsAreRanks) {
  Program p(4);
  p.call("MPI_Send", [](auto r) { return r == 3 ? 1 : 0; }, {{"dest", always(4)}});
  p.call("MPI_Bcast", always(1), {{"root", always(4)}});
  const std::string found = verdict_on(p);
  EXPECT_NE(found.find("MPI_Send of rank 3 has the dest 4 in a communicator of 4"),
            std::string::npos);
  EXPECT_NE(found.find("MPI_Bcast of rank 0 has the root 4 in a communicator of 4"),
            std::string::npos);
}

// No elements are no bytes, whatever the datatype: members agree.
TEST(Verify, NoElementsOfUnknownDatatypes) {
  Program p(4);
  const auto type = [](auto r) { return r == 2 ? trace::kFirstMadeType + 7 : kChar; };
  p.call("MPI_Bcast", always(1), {{"datatype", type}});
  p.call("MPI_Sendrecv", always(1),
         {{"dest", [](auto r) { return r ^ 1; }},
          {"source", [](auto r) { return r ^ 1; }},
          {"sendtype", type}});
  EXPECT_EQ(verdict_on(p), "");
}

// Sums that do not fit are not compared.
TEST(Verify, MoreBytesThanCanBeCounted) {
  Program p(2);
  const auto huge = always(std::int64_t{1} << 61);
  p.call("MPI_Sendrecv", always(8),
         {{"dest", [](auto r) { return r ^ 1; }},
          {"source", [](auto r) { return r ^ 1; }},
          {"sendcount", huge},
          {"recvcount", [](auto r) { return (std::int64_t{1} << 61) + r; }}});
  EXPECT_EQ(verdict_on(p), "");
}

// Nodes of four ranks; the last one has what is left.
Program nodes(std::int64_t ranks, const ByRank& size, const ByRank& rank) {
  Program p(ranks);
  p.call("MPI_Comm_split", always(1),
         {{"color", [](auto r) { return r / 4; }},
          {"key", [](auto r) { return r; }},
          {"newcomm", always(trace::kFirstMadeComm)},
          {"newcomm_rank", rank},
          {"newcomm_size", size}});
  return p;
}

TEST(Verify, PartsOfASplit) {
  const auto size = [](std::int64_t r) { return r < 8 ? 4 : 2; };
  const auto rank = [](std::int64_t r) { return r % 4; };
  EXPECT_EQ(verdict_on(nodes(10, size, rank)), "");
  EXPECT_EQ(verdict_on(nodes(10, always(4), rank)),
            "the communicator of rank 8 has the size 4, and 2 members +0 at MPI_Comm_split\n");
  const auto backwards = [&](std::int64_t r) { return size(r) - 1 - r % 4; };
  EXPECT_EQ(
      verdict_on(nodes(10, size, backwards)),
      "the ranks in the communicator of rank 0 do not follow the keys +2 at MPI_Comm_split\n");
  EXPECT_NE(verdict_on(nodes(10, size, always(0))).find("has not one member for each of its ranks"),
            std::string::npos);
}

TEST(Verify, CollectivesOnParts) {
  const auto calls = [](const ByRank& trips, const ByRank& root) {
    Program p = nodes(8, always(4), [](auto r) { return r % 4; });
    p.call("MPI_Bcast", trips,
           {{"comm", always(trace::kFirstMadeComm)}, {"root", root}, {"count", always(1)}});
    return verdict_on(p);
  };
  // Each part for itself.
  EXPECT_EQ(calls([](auto r) { return r / 4; }, [](auto r) { return r / 4; }), "");
  EXPECT_NE(
      calls([](auto r) { return r == 5 ? 2 : 3; }, always(0)).find("MPI_Bcast (root 0, 1 bytes)"),
      std::string::npos);
  EXPECT_NE(
      calls(always(3), [](auto r) { return r % 2; }).find("and rank 1, of the same communicator"),
      std::string::npos);
}

TEST(Verify, RowsOfAGrid) {
  const auto grid = [](std::int64_t size) {
    Program p(6);
    p.call("MPI_Cart_create", always(1),
           {{"newcomm", always(2)},
            {"newcomm_rank", [](auto r) { return r; }},
            {"newcomm_size", always(6)}},
           {{"dims", {2, 3}}, {"periods", {0, 0}}});
    p.call("MPI_Cart_sub", always(1),
           {{"comm", always(2)},
            {"newcomm", always(3)},
            {"newcomm_rank", [](auto r) { return r % 3; }},
            {"newcomm_size", always(size)}},
           {{"remain_dims", {0, 1}}});
    return verdict_on(p);
  };
  EXPECT_EQ(grid(3), "");
  EXPECT_NE(grid(4).find("has the size 4, and 3 members"), std::string::npos);
}

// Started twice each, one after the other.
TEST(Verify, PersistentRequests) {
  const auto started = [](const ByRank& times) {
    Program p(2);
    p.call("MPI_Send_init", [](auto r) { return r == 0 ? 1 : 0; }, {{"dest", always(1)}});
    p.call("MPI_Recv_init", [](auto r) { return r == 1 ? 1 : 0; }, {{"source", always(0)}});
    p.call("MPI_Start", times, {});
    return verdict_on(p);
  };
  EXPECT_EQ(started(always(2)), "");
  EXPECT_NE(started([](auto r) { return r + 1; }).find("is sent 1 message with tag 0"),
            std::string::npos);
}

TEST(Verify, LoopsAreNotExpanded) {
  const std::int64_t many = std::int64_t{1} << 35;
  Program p(3);
  p.call("MPI_Sendrecv", always(many),
         {{"dest", [](auto r) { return (r + 1) % 3; }},
          {"source", [](auto r) { return (r + 2) % 3; }}});
  p.call("MPI_Barrier", [many](auto r) { return many + r / 2; }, {});
  EXPECT_EQ(verdict_on(p),
            "rank 0 calls MPI_Barrier 34359738368 times and rank 2, of the same communicator, "
            "34359738369 times +0 at MPI_Barrier\n");
}

}  // namespace
}  // namespace reprise::extrapolate
