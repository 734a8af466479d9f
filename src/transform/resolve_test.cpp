// Wildcards against a matcher that tries every order of every message.
#include "transform/resolve.hpp"
#include "mpi/arguments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "mpi/communicators/groups.hpp"
#include "trace/calls/predefined.hpp"
#include "transform/test_traces.hpp"

namespace reprise::transform {
namespace {

using test::TestCall;
using test::TestStream;

// What a rank of a random program does: all messages have a tag of 0 or 1; a receive may be posted
// first and waited for later.
struct Act {
  enum { send, receive, post, wait } what = send;
  std::int64_t peer = 0;  // or kAnySource
  std::int64_t tag = 0;   // or kAnyTag
};
using Program = std::vector<std::vector<Act>>;

// The state of a run: what was sent and not received, in order, and how far each rank has come.
struct Message {
  std::int64_t source, tag;
  auto operator<=>(const Message&) const = default;
};
struct Met {
  std::int64_t source = -1, tag = 0;
  auto operator<=>(const Met&) const = default;
};
struct State {
  std::vector<std::size_t> at;             // by rank
  std::vector<std::vector<Message>> mail;  // by receiver
  std::vector<std::vector<std::pair<Act, std::size_t>>>
      posted;                         // by rank: receives without message
  std::vector<std::vector<Met>> met;  // by rank: of each receive, in the order of posting
  auto operator<=>(const State&) const = default;
};
bool operator==(const Act& a, const Act& b) {
  return a.what == b.what && a.peer == b.peer && a.tag == b.tag;
}
auto operator<=>(const Act& a, const Act& b) {
  return std::tuple(a.what, a.peer, a.tag) <=> std::tuple(b.what, b.peer, b.tag);
}

// Every send is buffered. One step of one rank; or of the network: the oldest message of a source
// that a posted receive takes goes to the first receive posted that takes it.
class BruteForce {
 public:
  explicit BruteForce(const Program& program) : program_(program) {}

  // Whether some order ends with all ranks done, and whether some order gets stuck.
  bool can_end = false, can_hang = false;
  std::set<std::vector<std::vector<Met>>> endings;

  void explore() {
    State s;
    s.at.resize(program_.size());
    s.mail.resize(program_.size());
    s.posted.resize(program_.size());
    s.met.resize(program_.size());
    visit(s);
  }

 private:
  static bool takes(const Act& a, const Message& m) {
    return (a.peer == trace::kAnySource || a.peer == m.source) &&
           (a.tag == trace::kAnyTag || a.tag == m.tag);
  }

  void visit(const State& s) {
    if (seen_.size() > 20000 || !seen_.insert(s).second) return;
    bool moved = false;
    for (std::size_t r = 0; r < program_.size(); ++r) {
      State next = s;
      if (step(next, r)) {
        moved = true;
        visit(next);
      }
      // Which sender comes first is a matter of luck; of one sender the messages stay in order.
      for (std::size_t m = 0; m < s.mail[r].size(); ++m) {
        State arrived = s;
        if (arrive(arrived, r, m)) {
          moved = true;
          visit(arrived);
        }
      }
    }
    if (moved) return;
    bool done = true;
    for (std::size_t r = 0; r < program_.size(); ++r) done &= s.at[r] == program_[r].size();
    (done ? can_end : can_hang) = true;
    if (done) endings.insert(s.met);
  }

  bool step(State& s, std::size_t r) const {
    if (s.at[r] == program_[r].size()) return false;
    const Act& a = program_[r][s.at[r]];
    switch (a.what) {
      case Act::send:
        s.mail[static_cast<std::size_t>(a.peer)].push_back({static_cast<std::int64_t>(r), a.tag});
        break;
      case Act::post:
      case Act::receive:
        s.posted[r].emplace_back(a, s.met[r].size());
        s.met[r].push_back({});
        break;
      case Act::wait: return blocked(s, r) ? false : (++s.at[r], true);
    }
    ++s.at[r];
    return true;
  }

  static bool blocked(const State& s, std::size_t r) { return !s.posted[r].empty(); }

  static bool arrive(State& s, std::size_t r, std::size_t m) {
    const Message message = s.mail[r][m];
    const auto receive =
        std::ranges::find_if(s.posted[r], [&](const auto& p) { return takes(p.first, message); });
    if (receive == s.posted[r].end()) return false;
    for (std::size_t before = 0; before < m; ++before) {
      if (s.mail[r][before].source == message.source && takes(receive->first, s.mail[r][before]))
        return false;
    }
    s.met[r][receive->second] = {message.source, message.tag};
    s.posted[r].erase(receive);
    s.mail[r].erase(s.mail[r].begin() + static_cast<std::ptrdiff_t>(m));
    return true;
  }

  const Program& program_;
  std::set<State> seen_;
};

// A program that can end: messages are sent, and each receiver takes as many as it is sent, with
// wildcards or without. A blocking receive is written as one that is followed by a wait.
Program random_program() {
  const auto ranks = *rc::gen::inRange<std::size_t>(2, 4);
  Program out(ranks);
  const auto messages = *rc::gen::inRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < messages; ++i) {
    const auto from = *rc::gen::inRange<std::size_t>(0, ranks);
    const auto to = (from + *rc::gen::inRange<std::size_t>(1, ranks)) % ranks;
    const auto tag = *rc::gen::inRange<std::int64_t>(0, 2);
    Act receive{*rc::gen::arbitrary<bool>() ? Act::post : Act::receive,
                static_cast<std::int64_t>(from), tag};
    if (*rc::gen::inRange(0, 3) > 0) receive.peer = trace::kAnySource;
    if (*rc::gen::arbitrary<bool>()) receive.tag = trace::kAnyTag;
    out[from].push_back({Act::send, static_cast<std::int64_t>(to), tag});
    out[to].push_back(receive);
    if (receive.what == Act::receive || *rc::gen::arbitrary<bool>()) out[to].push_back({Act::wait});
  }
  for (auto& acts : out) acts.push_back({Act::wait});
  return out;
}

// `met`: whom the receives of each rank met, as a recording says; empty: unknown.
trace::Trace trace_of(const Program& program, const std::vector<std::vector<Met>>& met) {
  std::vector<TestStream> streams(program.size());
  for (std::size_t r = 0; r < program.size(); ++r) {
    std::size_t receives = 0;
    std::vector<std::size_t> open;  // receives that were posted and not waited for
    std::vector<bool> wild;
    for (const Act& a : program[r]) {
      if (a.what == Act::send) {
        streams[r].push_back({"MPI_Send", 1, {{"dest", a.peer}, {"tag", a.tag}, {"datatype", 6}}});
      } else if (a.what != Act::wait) {
        wild.push_back(a.peer == trace::kAnySource || a.tag == trace::kAnyTag);
        open.push_back(receives++);
        streams[r].push_back(
            {"MPI_Irecv", 2, {{"source", a.peer}, {"tag", a.tag}, {"datatype", 6}}});
      } else {
        TestCall wait{"MPI_Waitall", 3};
        for (std::size_t i = 0; i < open.size(); ++i) {
          wait.lists["requests"].push_back(static_cast<std::int64_t>(open.size() - 1 - i));
          if (!wild[open[i]]) continue;
          const Met m = met.empty() ? Met{trace::kNone, trace::kNone} : met[r][open[i]];
          wait.lists["matched_source"].push_back(m.source);
          wait.lists["matched_tag"].push_back(m.tag);
        }
        open.clear();
        streams[r].push_back(wait);
      }
    }
    streams[r].push_back({"MPI_Finalize", 4});
  }
  return test::make_trace(streams);
}

// Whom the receives of a trace without wildcards name.
std::vector<std::vector<Met>> named(const trace::Trace& trace) {
  std::vector<std::vector<Met>> out(trace.ranks);
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    for (const trace::Event& e : test::events_of(trace, r)) {
      if (e.function->name != "MPI_Irecv") {
        for (const auto& list : e.lists) {
          if (&list != &e.lists.front()) RC_ASSERT(list.empty());  // no matches are left
        }
        continue;
      }
      out[r].push_back({mpi::scalar_named(e, "source"), mpi::scalar_named(e, "tag")});
    }
  }
  return out;
}

RC_GTEST_PROP(Resolve, TheRecordedMatchesAreTaken, ()) {
  const Program program = random_program();
  BruteForce all(program);
  all.explore();
  RC_PRE(!all.endings.empty());
  const auto& met = *std::next(
      all.endings.begin(),
      static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, all.endings.size())));
  auto out = resolve(trace_of(program, met), {.check = true});
  RC_ASSERT(static_cast<bool>(out));
  RC_ASSERT(!out->deadlock.has_value());
  RC_ASSERT(out->counts.left() == 0U);
  RC_ASSERT(named(out->trace) == met);
  RC_ASSERT(!has_wildcards(out->trace));
}

RC_GTEST_PROP(Resolve, TheFirstMatchesAreOnesThatCanBe, ()) {
  const Program program = random_program();
  BruteForce all(program);
  all.explore();
  auto out = resolve(trace_of(program, {}), {.matching = Matching::first, .check = true});
  RC_ASSERT(static_cast<bool>(out));
  RC_TAG(out->deadlock ? "deadlock" : all.can_hang ? "none found" : "none");
  if (out->deadlock) {
    RC_ASSERT(all.can_hang);
  } else {
    RC_ASSERT(all.endings.contains(named(out->trace)));
  }
}

RC_GTEST_PROP(Resolve, AnotherOrderThatHangsIsFound, ()) {
  const Program program = random_program();
  BruteForce all(program);
  all.explore();
  const auto out = explore(trace_of(program, {}), {});
  RC_ASSERT(static_cast<bool>(out));
  RC_TAG(out->deadlock ? "found" : out->is_complete ? "none" : "not complete");
  if (out->deadlock) RC_ASSERT(all.can_hang);
  if (!out->deadlock && out->is_complete) RC_ASSERT(!all.can_hang);
}

TEST(Resolve, RanksThatSendToEachOtherRelyOnBuffering) {
  std::vector<TestStream> streams(2);
  for (std::int64_t r = 0; r < 2; ++r) {
    streams[r].push_back({"MPI_Send", 1, {{"count", 10}, {"datatype", 6}, {"dest", 1 - r}}});
    streams[r].push_back({"MPI_Recv", 2, {{"source", 1 - r}, {"datatype", 6}}});
  }
  const trace::Trace trace = test::make_trace(streams);
  const std::uint64_t bytes = 10 * static_cast<std::uint64_t>(trace::predefined_type_size(6));
  EXPECT_FALSE(resolve(trace, {.eager = bytes, .check = true})->deadlock.has_value());
  const auto out = resolve(trace, {.eager = bytes - 1, .check = true});
  ASSERT_TRUE(out->deadlock.has_value());
  EXPECT_EQ(out->deadlock->cycles, (std::vector<std::vector<std::uint64_t>>{{0, 1}}));
}

TEST(Resolve, ManyCallsAndRanksNeedNoStack) {
  // A chain: each rank waits for the one before it, and the last is walked first.
  constexpr std::int64_t kRanks = 2000;
  std::vector<TestStream> streams(kRanks);
  for (std::int64_t r = 0; r < kRanks; ++r) {
    for (int i = 0; i < 20; ++i) {
      if (r + 1 < kRanks) streams[r].push_back({"MPI_Recv", 1, {{"source", trace::kAnySource}}});
      if (r > 0) streams[r].push_back({"MPI_Send", 2, {{"dest", r - 1}}});
    }
  }
  const auto out = resolve(test::make_trace(streams), {.matching = Matching::first, .check = true});
  ASSERT_TRUE(static_cast<bool>(out));
  EXPECT_FALSE(out->deadlock.has_value());
  EXPECT_EQ(out->counts.resolved, 20U * (kRanks - 1));
}

}  // namespace
}  // namespace reprise::transform
