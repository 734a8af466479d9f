#include "analyze/compare/compare.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::analyze {
namespace {

Comparison compared(const std::string& a, const std::string& b,
                    const std::vector<std::string>& ignore = {}) {
  Ignored ignored;
  for (const std::string& word : ignore) EXPECT_TRUE(ignored.add(word)) << word;
  return compare(parse_program(a), parse_program(b), ignored);
}

std::string on_two_ranks(const std::string& calls) { return "ranks 2\n" + calls; }

const std::string kSend = "MPI_Send count=8 datatype=MPI_INT dest=0 tag=1\n";
const std::string kOther = "MPI_Send count=9 datatype=MPI_INT dest=0 tag=1\n";
const std::string kBarrier = "MPI_Barrier\n";
const std::string kReduce = "MPI_Allreduce count=1 datatype=MPI_INT op=MPI_SUM\n";

TEST(Compare, EqualProgramsAreEqual) {
  const std::string text = on_two_ranks("100: " + kSend + kBarrier);
  const Comparison c = compared(text, text);
  EXPECT_TRUE(c.equal());
  EXPECT_FALSE(c.first);
}

TEST(Compare, FoldingDoesNotMatter) {
  const std::string folded = on_two_ranks("4: " + kSend + kBarrier);
  const std::string flat = on_two_ranks(kSend + kSend + "2:\n  " + kSend + kBarrier);
  EXPECT_TRUE(compared(folded, flat).equal());
  const std::string by_rank = "ranks 2\nMPI_Send count=8 datatype=MPI_INT dest=rank+1 tag=0\n";
  const std::string absolute = "ranks 2\nMPI_Send count=8 datatype=MPI_INT dest=[1 0] tag=0\n";
  EXPECT_TRUE(compared(by_rank, absolute).equal()) << "peers are compared as ranks";
}

TEST(Compare, NamesWhatChanged) {
  const Comparison c = compared(on_two_ranks(kBarrier + kSend + kBarrier),
                                on_two_ranks(kBarrier + kOther + kBarrier));
  EXPECT_FALSE(c.equal());
  EXPECT_EQ(c.differing_ranks, 2u);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->rank, 0u);
  EXPECT_EQ(c.first->position, 1u);
  EXPECT_EQ(c.first->columns, std::vector<std::string>{"count"});
  EXPECT_NE(c.first->a->find("count=8"), std::string::npos);
  EXPECT_NE(c.first->b->find("count=9"), std::string::npos);
  EXPECT_EQ(c.changed, 2u) << "one on each rank";
  EXPECT_EQ(c.only_a + c.only_b, 0u);
}

// mpi4py has no buffer for them.
TEST(Compare, WhatIsSentToProcNullMayBeIgnored) {
  const std::string a = on_two_ranks(
      "MPI_Sendrecv sendcount=8 sendtype=MPI_INT dest=MPI_PROC_NULL sendtag=1 recvcount=4 "
      "recvtype=MPI_INT source=0 recvtag=1\n");
  const std::string nothing = on_two_ranks(
      "MPI_Sendrecv sendcount=0 sendtype=MPI_BYTE dest=MPI_PROC_NULL sendtag=1 recvcount=4 "
      "recvtype=MPI_INT source=0 recvtag=1\n");
  const std::string less = on_two_ranks(
      "MPI_Sendrecv sendcount=8 sendtype=MPI_INT dest=MPI_PROC_NULL sendtag=1 recvcount=3 "
      "recvtype=MPI_INT source=0 recvtag=1\n");
  EXPECT_FALSE(compared(a, nothing).equal());
  EXPECT_TRUE(compared(a, nothing, {"proc_null"}).equal());
  EXPECT_FALSE(compared(a, less, {"proc_null"}).equal());
}

TEST(Compare, ACallThatWasInsertedIsOneDifference) {
  const std::string before = "10:\n  " + kSend + "  " + kBarrier + "  " + kReduce;
  const Comparison c =
      compared(on_two_ranks(before + before), on_two_ranks(before + kOther + before));
  EXPECT_EQ(c.changed, 0u);
  EXPECT_EQ(c.only_a, 0u);
  EXPECT_EQ(c.only_b, 2u);
  EXPECT_EQ(c.functions.at("MPI_Send").a, 40u);
  EXPECT_EQ(c.functions.at("MPI_Send").b, 42u);
  EXPECT_EQ(c.functions.at("MPI_Barrier").a, c.functions.at("MPI_Barrier").b);
}

TEST(Compare, AStreamThatEndsEarly) {
  const Comparison c = compared("ranks 2\n[3 3]: " + kBarrier, "ranks 2\n[3 2]: " + kBarrier);
  EXPECT_EQ(c.differing_ranks, 1u);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->rank, 1u);
  EXPECT_EQ(c.first->position, 2u);
  EXPECT_TRUE(c.first->a);
  EXPECT_FALSE(c.first->b);
  EXPECT_EQ(c.only_a, 1u);
}

TEST(Compare, AnotherFunctionIsNoChange) {
  const Comparison c = compared(on_two_ranks(kBarrier), on_two_ranks(kReduce));
  EXPECT_EQ(c.changed, 0u);
  EXPECT_EQ(c.only_a, 2u);
  EXPECT_EQ(c.only_b, 2u);
  EXPECT_TRUE(c.first->columns.empty());
}

TEST(Compare, OtherRanksAreNotCompared) {
  const Comparison c = compared("ranks 2\nMPI_Barrier\n", "ranks 3\nMPI_Barrier\n");
  EXPECT_FALSE(c.equal());
  EXPECT_EQ(c.ranks_b, 3u);
  EXPECT_TRUE(c.functions.empty());
}

TEST(Compare, CallPaths) {
  const std::string a = on_two_ranks("MPI_Barrier @ main a.c:1 > f a.c:9\n");
  const std::string b = on_two_ranks("MPI_Barrier @ main a.c:2 > f a.c:9\n");
  const Comparison c = compared(a, b);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->columns, std::vector<std::string>{"callpath"});
  EXPECT_NE(c.first->place_a.find("a.c:1"), std::string::npos);
  EXPECT_EQ(c.changed, 2u);
  EXPECT_TRUE(compared(a, b, {"callpaths"}).equal());
}

TEST(Compare, ColumnsThatMayDiffer) {
  const std::string a = on_two_ranks(kSend), b = on_two_ranks(kOther);
  EXPECT_TRUE(compared(a, b, {"count"}).equal());
  EXPECT_FALSE(compared(a, b, {"tag", "datatype", "matches", "polls"}).equal());
  Ignored ignored;
  EXPECT_FALSE(ignored.add("colour"));
  EXPECT_TRUE(ignored.add("times"));
}

TEST(Compare, RequestsThatMayShareAHandle) {
  const auto sent = [](const std::string& dest) {
    return "MPI_Isend count=1 datatype=MPI_INT dest=" + dest + " tag=0\n";
  };
  const auto wait = [](const char* requests) {
    return "MPI_Waitall requests=(" + std::string(requests) +
           ") matched_source=() matched_tag=()\n";
  };
  const std::string made = sent("MPI_PROC_NULL") +
                           "MPI_Irecv count=1 datatype=MPI_INT source=0 tag=0\n" + sent("0") +
                           "MPI_Irecv count=1 datatype=MPI_INT source=1 tag=0\n";
  const std::string a = on_two_ranks(made + wait("2 1") + wait("1 0"));
  const auto is_equal = [&](const std::string& b) {
    return compared(a, on_two_ranks(made + b), {"handles"}).equal();
  };
  EXPECT_TRUE(is_equal(wait("2 3") + wait("1 0")));
  EXPECT_FALSE(compared(a, on_two_ranks(made + wait("2 3") + wait("1 0"))).equal());
  EXPECT_FALSE(is_equal(wait("2 3") + wait("0 1"))) << "the order in a list counts";
  EXPECT_FALSE(is_equal(wait("0 1") + wait("1 0")));
}

TEST(Compare, RequestsOfCollectivesOfOneRankMayShareAHandle) {
  const std::string one = "MPI_Wait request=1\nMPI_Wait request=0\n";
  const std::string other = "MPI_Wait request=0\nMPI_Wait request=0\n";
  const std::string made = "MPI_Ibarrier comm=0\nMPI_Ibarrier comm=0\n";
  const std::string alone = "ranks 1\n" + made;
  EXPECT_TRUE(compared(alone + one, alone + other, {"handles"}).equal());
  EXPECT_FALSE(compared(alone + one, alone + other).equal());
  EXPECT_FALSE(compared(on_two_ranks(made + one), on_two_ranks(made + other), {"handles"}).equal());
}

TEST(Compare, Lists) {
  const std::string all = "MPI_Waitall requests=(1 0) matched_source=() matched_tag=()\n";
  const std::string one = "MPI_Waitall requests=(0) matched_source=() matched_tag=()\n";
  const Comparison c = compared(on_two_ranks(all), on_two_ranks(one));
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->columns, std::vector<std::string>{"requests"});
  EXPECT_TRUE(compared(on_two_ranks(all), on_two_ranks(one), {"requests"}).equal());
  EXPECT_FALSE(compared(on_two_ranks(all), on_two_ranks(one), {"matches"}).equal())
      << "which requests a Waitall waits for does not follow from a match";
}

TEST(Compare, MatchesAndWhatFollowsFromThem) {
  const auto any = [](const char* requests, int index, int source) {
    return "MPI_Waitany requests=(" + std::string(requests) + ") index=" + std::to_string(index) +
           " matched_source=" + std::to_string(source) + " matched_tag=0\n";
  };
  const std::string a = on_two_ranks(any("1 0", 0, 1) + any("NULL 0", 1, 0));
  const std::string b = on_two_ranks(any("1 0", 1, 0) + any("0 NULL", 0, 1));
  const Comparison c = compared(a, b);
  EXPECT_EQ(c.changed, 4u);
  EXPECT_EQ(c.first->columns, (std::vector<std::string>{"index", "matched_source"}));
  EXPECT_TRUE(compared(a, b, {"matches"}).equal());
  const auto some = [](const char* requests, int index) {
    return "MPI_Waitsome requests=(" + std::string(requests) + ") index=" + std::to_string(index) +
           "\n";
  };
  EXPECT_TRUE(compared(on_two_ranks(some("1 0", 0) + some("NULL 0", 1)),
                       on_two_ranks(some("1 0", 1) + some("0 NULL", 0)), {"matches"})
                  .equal());
  const std::string wait = "MPI_Wait request=0 matched_source=1 matched_tag=0\n";
  const std::string later = "MPI_Wait request=1 matched_source=0 matched_tag=0\n";
  const Comparison w = compared(on_two_ranks(wait), on_two_ranks(later), {"matches"});
  ASSERT_TRUE(w.first);
  EXPECT_EQ(w.first->columns, std::vector<std::string>{"request"});
}

TEST(Compare, Threads) {
  const std::string a = "ranks 1\nthreads 2\n[1 0]: MPI_Barrier\n[0 2]: " + kSend;
  const std::string b = "ranks 1\nthreads 2\n[0 1]: MPI_Barrier\n[2 0]: " + kSend;
  EXPECT_FALSE(compared(a, b).equal());
  EXPECT_TRUE(compared(a, b, {"threads"}).equal());
  const Comparison more = compared("ranks 1\nMPI_Barrier\n", a, {"threads"});
  EXPECT_EQ(more.only_b, 2u) << "a thread that the other trace does not have";
}

TEST(Compare, DamageIsNoDifference) {
  const std::string a = on_two_ranks(kBarrier);
  const Comparison c = compared(a, on_two_ranks("-1: " + kBarrier));
  EXPECT_FALSE(c.damaged_a);
  EXPECT_TRUE(c.damaged_b);
}

// A long stream with one difference in its middle: it is walked once, in little memory.
TEST(Compare, FindsOneOfManyCalls) {
  const std::string many = "50000:\n  " + kSend + "  " + kBarrier;
  const Comparison c = compared(on_two_ranks(many + many), on_two_ranks(many + kReduce + many));
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->position, 100000u);
  EXPECT_EQ(c.only_b, 2u);
  EXPECT_EQ(c.only_a + c.changed, 0u);
}

}  // namespace
}  // namespace reprise::analyze
