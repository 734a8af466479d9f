#include "cli/look/deadlock_report.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::cli {
namespace {

using transform::Awaited;
using transform::Deadlock;
using transform::Waiting;

enum : std::uint32_t { kSend, kReceive, kBarrier, kWaitAny, kPut };

trace::Trace calls() {
  return analyze::parse_program(
      "ranks 2000\n"
      "MPI_Send dest=0 @ main a.c:1\n"
      "MPI_Recv source=0 @ main a.c:2\n"
      "MPI_Barrier @ main a.c:3\n"
      "MPI_Waitany requests=(0) @ main a.c:4\n"
      "MPI_Put target=0 @ main a.c:5\n");
}

Waiting receives(std::uint64_t rank, std::uint64_t peer) {
  return {rank, kReceive, {{Awaited::For::message, peer, kReceive, false}}};
}

TEST(Deadlock, NamesACycleAndWhoWaitsForIt) {
  Deadlock d{{receives(0, 1), receives(1, 0)}, {{0, 1}}, {}, {}};
  for (std::uint64_t r = 2; r < 100; ++r) {
    d.waiting.push_back({r, kBarrier, {{Awaited::For::collective, 0, kBarrier, false}}});
    d.behind_cycles.push_back(r);
  }
  EXPECT_EQ(deadlock_text(calls(), d),
            "\n  rank 0 waits for a message from rank 1 in MPI_Recv in main a.c:2"
            "\n  rank 1 waits for a message from rank 0 in MPI_Recv in main a.c:2"
            "\nthese wait for it:"
            "\n  ranks 2..99 in MPI_Barrier in main a.c:3");
}

TEST(Deadlock, IsShortOnManyRanks) {
  Deadlock ring, pairs;
  for (std::uint64_t r = 0; r < 1000; ++r) {
    ring.waiting.push_back(receives(r, (r + 1) % 1000));
    pairs.waiting.push_back(receives(r, r ^ 1));
    if (r % 2 == 0) pairs.cycles.push_back({r, r + 1});
  }
  ring.cycles.emplace_back();
  for (std::uint64_t r = 0; r < 1000; ++r) ring.cycles[0].push_back(r);
  const std::string in = " in MPI_Recv in main a.c:2";
  EXPECT_EQ(deadlock_text(calls(), ring), "\n  rank 0 waits for a message from rank 1" + in +
                                              "\n  rank 1 waits for a message from rank 2" + in +
                                              "\n  rank 2 waits for a message from rank 3" + in +
                                              "\n  rank 3 waits for a message from rank 4" + in +
                                              "\n  ranks 4..998" + in + ", of the same cycle" +
                                              "\n  rank 999 waits for a message from rank 0" + in);
  EXPECT_EQ(deadlock_text(calls(), pairs),
            "\n  rank 0 waits for a message from rank 1" + in +
                "\n  rank 1 waits for a message from rank 0" + in +
                "\nand these for each other:" + "\n  rank 2 waits for a message from rank 3" + in +
                "\n  rank 3 waits for a message from rank 2" + in +
                "\nand these, in 498 cycles of their own:" + "\n  ranks 4..999" + in);
}

// Each waits for the rank before it, by turns to send and to receive.
TEST(Deadlock, OfALongCycleDoesNotSayWhoWaitsForWhom) {
  Deadlock d;
  for (std::uint64_t r = 0; r < 20; ++r) {
    if (r % 2 == 0) {
      d.waiting.push_back(receives(r, (r + 19) % 20));
    } else {
      d.waiting.push_back({r, kSend, {{Awaited::For::receiver, r - 1, kSend, false}}});
    }
  }
  d.cycles = {{0}};
  for (std::uint64_t r = 19; r > 0; --r) d.cycles[0].push_back(r);
  const std::string receive = " in MPI_Recv in main a.c:2", send = " in MPI_Send in main a.c:1";
  EXPECT_EQ(deadlock_text(calls(), d),
            "\n  rank 0 waits for a message from rank 19" + receive +
                "\n  rank 19 waits for rank 18 to receive" + send +
                "\n  rank 18 waits for a message from rank 17" + receive +
                "\n  rank 17 waits for rank 16 to receive" + send + "\n  ranks 3 5 7 9 11 13 15" +
                send + ", of the same cycle" + "\n  ranks 2 4 6 8 10 12 14 16" + receive +
                ", of the same cycle" + "\n  rank 1 waits for rank 0 to receive" + send);
}

TEST(Deadlock, WithoutACycleNamesWhoIsWaitedFor) {
  Deadlock d;
  for (std::uint64_t r = 1; r < 1000; ++r) d.waiting.push_back(receives(r, r - 1));
  d.not_blocked = {0};
  const std::string in = " in MPI_Recv in main a.c:2";
  EXPECT_EQ(
      deadlock_text(calls(), d, {{{0, kSend}}, {}}),
      "\n  rank 1 waits for a message from rank 0" + in +
          "\n  rank 2 waits for a message from rank 1" + in +
          "\n  rank 3 waits for a message from rank 2" + in + "\n  ranks 4..999" + in +
          ", for other ranks" +
          "\n  rank 0 was in MPI_Send in main a.c:1, and all that it waited for was there: it "
          "would have gone on");
  EXPECT_EQ(deadlock_text(calls(), {{receives(1, 0)}, {}, {}, {0}}, {{{0, kPut}}, {}}),
            "\n  rank 1 waits for a message from rank 0" + in +
                "\n  rank 0 was in MPI_Put in main a.c:5, which may wait for ranks that are not "
                "known");
}

TEST(Deadlock, SaysHowRanksLeft) {
  const trace::Trace t = analyze::parse_program(
      "ranks 4\n"
      "MPI_Barrier @ main a.c:1\n"
      "[0 0 1 0]: MPI_Abort errorcode=1 @ main a.c:2\n"
      "[0 0 0 1]: MPI_Recv source=0 @ main a.c:3\n");
  const auto text = [&](std::uint64_t peer, const LastSeen& seen) {
    const Waiting w{3, 2, {{Awaited::For::message, peer, 2, false}}};
    const std::string all = deadlock_text(t, {{w}, {}, {}, {0, 1, 2}}, seen);
    return all.substr(all.rfind("\n  ") + 3);
  };
  EXPECT_EQ(text(1, {}), "rank 1 was outside MPI, after MPI_Barrier in main a.c:1");
  EXPECT_EQ(text(1, {{}, {1}}), "rank 1 had exited, after MPI_Barrier in main a.c:1");
  EXPECT_EQ(text(2, {}), "rank 2 had called MPI_Abort in main a.c:2");
}

TEST(Deadlock, NamesAllThatWouldDo) {
  const auto text = [](const std::vector<Awaited>& any_of) {
    return deadlock_text(calls(), {{{0, kWaitAny, any_of}}, {}, {}, {}});
  };
  const Awaited one{Awaited::For::message, 1, kWaitAny, false};
  const Awaited two{Awaited::For::message, 2, kWaitAny, false};
  const Awaited five{Awaited::For::message, 5, kWaitAny, false};
  const Awaited receiver{Awaited::For::receiver, 3, kWaitAny, false};
  const Awaited any{Awaited::For::message, 1, kWaitAny, true};
  const std::string wait = "\n  rank 0 waits for ", in = " in MPI_Waitany in main a.c:4";
  EXPECT_EQ(text({two}), wait + "a message from rank 2" + in);
  EXPECT_EQ(text({two, one, two}), wait + "a message from rank 1 or 2" + in);
  EXPECT_EQ(text({two, one, five}), wait + "a message from any of ranks 1 2 5" + in);
  EXPECT_EQ(text({two, any}), wait + "a message from any rank (such as rank 1)" + in);
  EXPECT_EQ(text({two, receiver, one}),
            wait + "a message from rank 1 or 2, or for rank 3 to receive," + in);
}

// Whoever is named as one that would do.
TEST(Deadlock, SaysWhatAllDidThatWouldDo) {
  const auto message = [](std::uint64_t peer, bool is_from_any) {
    return Awaited{Awaited::For::message, peer, kWaitAny, is_from_any};
  };
  const auto ends = [](const std::vector<Awaited>& any_of) {
    const std::string all = deadlock_text(calls(), {{{0, kWaitAny, any_of}}, {}, {}, {1, 2, 3}});
    return all.substr(all.rfind("\n  ") + 3);
  };
  const std::string after = " outside MPI, after MPI_Put in main a.c:5";
  EXPECT_EQ(ends({message(1, false), message(2, false)}), "ranks 1..2 were" + after);
  EXPECT_EQ(ends({message(3, true)}), "rank 3 was" + after);
}

}  // namespace
}  // namespace reprise::cli
