#include "generate/c_language.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::generate {
namespace {

std::string written(const std::string& program) {
  const Result<std::string> text =
      c_language().write(analyze::parse_program(program), {.trace = "t"});
  return text ? *text : "refused: " + text.error().message;
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(C, WritesLoopsAndPeers) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "100:\n"
      "  MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag=5 @ main a.c:9\n"
      "  {0 0 1 ...}: MPI_Barrier @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "for (long long n0 = 0, i0 = 0; n0 < trips(100); i0 = ++n0 % 100) {");
  EXPECT_HAS(c, "MPI_Send(OUT(8, MPI_INT), (rank + 1) % ranks, 5, WORLD);");
  EXPECT_HAS(c, "/* main:9 */");
  EXPECT_HAS(c, "if (i0 % 3 == 2) {");
}

// Beyond the recorded trips a root of 3 - i0 would leave the ranks.
TEST(C, LetsWhatFollowsTheMainLoopBeginAnew) {
  const auto loop_of = [](const std::string& root) {
    return written("ranks 4\nMPI_Init @ main a.c:1\n4: MPI_Bcast count=8 datatype=MPI_INT root=" +
                   root + " @ main a.c:2\nMPI_Finalize @ main a.c:3\n");
  };
  EXPECT_HAS(loop_of("{3 2 1 0}"),
             "for (long long n0 = 0, i0 = 0; n0 < trips(4); i0 = ++n0 % 4) {");
  EXPECT_HAS(loop_of("0"), "for (long long i0 = 0; i0 < trips(4); i0++) {");
}

TEST(C, WritesBranchesOnRanks) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "[1 0 0 0]: MPI_Send count=8 datatype=MPI_INT dest=1 tag=5 @ main a.c:9\n"
      "[0 1 1 1]: MPI_Barrier @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "} else {");
  EXPECT_HAS(c, "MPI_Barrier(WORLD);");
}

TEST(C, NamesTheFileOfFewCalls) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "MPI_Barrier @ verdict b.h:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "/* verdict b.h:10 */");
  EXPECT_HAS(c, "/* main:11 */");
}

TEST(C, ScalesNoSingleElements) {
  const auto sends = [](const std::string& count) {
    return written("ranks 2\nMPI_Init @ main a.c:1\nMPI_Send count=" + count +
                   " datatype=MPI_INT dest=rank+1 tag=5 @ main a.c:2\nMPI_Finalize @ main a.c:3\n");
  };
  EXPECT_HAS(sends("8"), "--message-scale");
  EXPECT_EQ(sends("1").find("--message-scale"), std::string::npos);
}

TEST(C, CountsRoundsByTheLoopAround) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "5:\n"
      "  3:\n"
      "    {1 1 2 ...}:\n"
      "      {0 1 0 0 ...}: MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag={0 7 14 21 28} @ "
      "main "
      "a.c:9\n"
      "      MPI_Barrier @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "% 4 == 1) {");
  EXPECT_HAS(c, "rank ^ 1, 7 * i0, WORLD);");
}

TEST(C, LetsEachRowGoRound) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "12: MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag=[{3 1 7 ...} {5 9 4 1 ...}] @ main "
      "a.c:9\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "{{3, 3, 1, 7}, {4, 5, 9, 4, 1}}");
  EXPECT_HAS(c, "turn(TAG_1[rank], i0)");
}

TEST(C, WaitsForAllThatIsHeld) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "10:\n"
      "  {1 2 ...}: MPI_Isend count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 @ main a.c:9\n"
      "  MPI_Waitall requests=({1 2 ...}){0 1 0 ...} @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "MPI_Waitall(held, last(held), no_statuses); over();");
}

TEST(C, WaitsForTheYoungestInAnyOrder) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "3: MPI_Isend count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 @ main a.c:9\n"
      "MPI_Waitall requests=(3){1 2 0} @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "youngest(3, (int[]){1, 2, 0})");
  EXPECT_HAS(c, "MPI_Request *pending;");
  // One that is left over needs more than a stack of requests.
  const std::string left = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "3: MPI_Isend count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 @ main a.c:9\n"
      "MPI_Waitall requests=(2){0 2} @ main a.c:10\n"
      "MPI_Wait request=0 @ main a.c:11\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(left, "these(2, (int[]){0, 2})");
}

TEST(C, KnowsTheNumberOfRanks) {
  const std::string begin = "ranks 2\nMPI_Init @ main a.c:1\n";
  const std::string all = "MPI_Alltoall sendcount=8 sendtype=MPI_INT recvcount=8 recvtype=MPI_INT";
  const std::string end = " @ main a.c:3\nMPI_Finalize @ main a.c:4\n";
  EXPECT_HAS(written(begin + all + end),
             "MPI_Alltoall(FROM_ALL(8, MPI_INT), INTO_ALL(8, MPI_INT), WORLD);");
}

TEST(C, LeavesOutTheFunctionOfTheLineBefore) {
  const std::string name(30, 'f');
  std::string program = "ranks 2\nMPI_Init @ main a.c:1\n";
  for (const char* line : {"21", "22"}) {
    program +=
        "MPI_Sendrecv sendcount=8 sendtype=MPI_INT dest=0 sendtag=5 recvcount=8 "
        "recvtype=MPI_DOUBLE source=0 recvtag=" +
        std::string(line) + " @ " + name + " a.c:" + line + "\n";
  }
  const std::string c = written(program + "MPI_Finalize @ main a.c:30\n");
  EXPECT_HAS(c, "/* " + name + ":21 */");
  EXPECT_HAS(c, "/* :22 */");
}

TEST(C, LetsAnyRequestEndWhereAllDo) {
  const std::string c = written(
      "ranks 1\n"
      "MPI_Init @ main a.c:1\n"
      "10:\n"
      "  2: MPI_Isend count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 @ main a.c:9\n"
      "  2: MPI_Waitany requests=(2){1 0 NULL 0 ...} index={0 1 ...} @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "over_one(number);");
}

TEST(C, ClosesNoCommentEarly) {
  const std::string c =
      written("ranks 1\nprogram ./a */ int x;\nMPI_Init @ main a.c:1\nMPI_Finalize @ main a.c:2\n");
  EXPECT_HAS(c, "*\\x2f int x;");
}

TEST(C, RefusesWithAReason) {
  EXPECT_HAS(written("ranks 2\nthreads 2\nMPI_Init @ main a.c:1\n"), "each rank has 2 threads");
  EXPECT_HAS(written("ranks 2\nMPI_Wait request=unknown @ main a.c:1\n"), "requests");
}

TEST(Languages, AreFoundByName) {
  EXPECT_EQ(find_language("c"), &c_language());
  EXPECT_EQ(find_language("basic"), nullptr);
}

}  // namespace
}  // namespace reprise::generate
