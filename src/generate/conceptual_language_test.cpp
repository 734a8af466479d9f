#include "generate/conceptual_language.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "analyze/program_text.hpp"

namespace reprise::generate {
namespace {

std::string written(const std::string& program, Substitutes substitutes) {
  const Result<Benchmark> text = conceptual_language().write(
      analyze::parse_program(program), {.trace = "t", .substitutes = substitutes});
  return text ? text->text : "refused: " + text.error().message;
}

std::string on_four(const std::string& call, Substitutes substitutes) {
  return written(
      "ranks 4\nMPI_Init @ main a.c:1\n" + call + " @ main a.c:2\nMPI_Finalize @ main a.c:3\n",
      substitutes);
}

// The text without what breaks its lines.
std::string on_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\n *"), " ");
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Table 1 of Wu, Mueller and Pakin (2011). Sizes are reckoned by hand: elements have 4 bytes, and
// members 1, 2, 3 and 6 elements, or 3 on average.
struct Row {
  const char *call, *paper, *own;
};

constexpr Row kTable[] = {
    {"MPI_Allgather sendcount=3 sendtype=MPI_INT recvcount=3 recvtype=MPI_INT",
     "ALL TASKS REDUCE 3 INTEGERS TO TASK 0 THEN "
     "TASK 0 MULTICASTS A size1 BYTE MESSAGE TO ALL OTHER TASKS",
     "ALL TASKS MULTICAST A size1 BYTE MESSAGE TO TASKS u SUCH THAT u >= 0"},
    {"MPI_Allgatherv sendcount=[1 2 3 6] sendtype=MPI_INT recvcounts=(1 2 3 6) displs=(0 1 3 6) "
     "recvtype=MPI_INT",
     "ALL TASKS REDUCE 3 INTEGERS TO TASK 0 THEN "
     "TASK 0 MULTICASTS A size1 BYTE MESSAGE TO ALL OTHER TASKS",
     "FOR EACH s IN {0, ..., num_tasks-1} TASK s ASYNCHRONOUSLY SENDS A"},
    {"MPI_Alltoallv sendcounts=(1 2 3 6) sdispls=(0 1 3 6) sendtype=MPI_INT recvcounts=(3 3 3 3) "
     "rdispls=(0 3 6 9) recvtype=MPI_INT",
     "ALL TASKS MULTICAST A size1 BYTE MESSAGE TO TASKS u SUCH THAT u >= 0",
     "THEN TASK s ASYNCHRONOUSLY SENDS A"},
    {"MPI_Gather sendcount=3 sendtype=MPI_INT recvcount=3 recvtype=MPI_INT root=2",
     "ALL TASKS REDUCE 3 INTEGERS TO TASK 2", "ALL TASKS MULTICAST A size1 BYTE MESSAGE TO TASK 2"},
    {"MPI_Gatherv sendcount=[1 2 3 6] sendtype=MPI_INT recvcounts=(1 2 3 6) displs=(0 1 3 6) "
     "recvtype=MPI_INT root=2",
     "ALL TASKS REDUCE 3 INTEGERS TO TASK 2", "THEN TASK s ASYNCHRONOUSLY SENDS A"},
    {"MPI_Reduce_scatter recvcounts=(1 2 3 6) datatype=MPI_INT op=MPI_SUM",
     "FOR EACH s IN {0, ..., num_tasks-1} ALL TASKS REDUCE",
     "FOR EACH s IN {0, ..., num_tasks-1} ALL TASKS REDUCE"},
    {"MPI_Scatter sendcount=3 sendtype=MPI_INT recvcount=3 recvtype=MPI_INT root=2",
     "TASK 2 MULTICASTS A size1 BYTE MESSAGE TO ALL OTHER TASKS",
     "TASK 2 MULTICASTS A size1 BYTE MESSAGE TO ALL OTHER TASKS"},
    {"MPI_Scatterv sendcounts=(1 2 3 6) displs=(0 1 3 6) sendtype=MPI_INT recvcount=[1 2 3 6] "
     "recvtype=MPI_INT root=2",
     "TASK 2 MULTICASTS A size1 BYTE MESSAGE TO ALL OTHER TASKS",
     "THEN TASK 2 ASYNCHRONOUSLY SENDS A"},
};

TEST(Conceptual, SubstitutesAsThePaperDoes) {
  for (const Row& row : kTable) {
    SCOPED_TRACE(row.call);
    EXPECT_HAS(on_one_line(on_four(row.call, Substitutes::paper)), row.paper);
    EXPECT_HAS(on_one_line(on_four(row.call, Substitutes::own)), row.own);
  }
}

TEST(Conceptual, AveragesSizes) {
  const std::string all = on_four(kTable[1].call, Substitutes::paper);
  EXPECT_HAS(all, "WITH DEFAULT 48.") << "four blocks of 12 bytes";
  EXPECT_HAS(on_four(kTable[2].call, Substitutes::paper), "WITH DEFAULT 12.");
  EXPECT_HAS(on_four(kTable[7].call, Substitutes::paper), "WITH DEFAULT 12.");
}

TEST(Conceptual, ListsWhatItSubstitutes) {
  EXPECT_HAS(on_four(kTable[4].call, Substitutes::paper),
             "#   MPI_Gatherv, 4 calls: REDUCE of the mean size to the root\n");
  EXPECT_HAS(on_four(kTable[4].call, Substitutes::own),
             "#   MPI_Gatherv, 4 calls: SENDS from each member to the root, of its size\n");
}

// What is executed by the back end, for each row of the table above: elements have 4 bytes.
TEST(Conceptual, CallsWhatTheLanguageLacks) {
  const char* const calls[] = {
      "ALL TASKS BACKEND EXECUTE \"int n = \" AND size1 AND \"; MPI_Allgather(",
      "THEN ALL TASKS BACKEND EXECUTE \"MPI_Allgatherv(",
      "THEN ALL TASKS BACKEND EXECUTE \"MPI_Alltoallv(",
      "ALL TASKS BACKEND EXECUTE \"int n = \" AND size1 AND \"; int root = \" AND 2 AND \"; "
      "MPI_Gather(",
      "BACKEND EXECUTE \"int root = \" AND 2 AND \"; MPI_Gatherv(",
      "THEN ALL TASKS BACKEND EXECUTE \"MPI_Reduce_scatter(",
      "AND \"; MPI_Scatter(",
      "AND \"; MPI_Scatterv(",
  };
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    SCOPED_TRACE(kTable[i].call);
    const std::string text = on_four(kTable[i].call, Substitutes::none);
    EXPECT_HAS(on_one_line(text), calls[i]);
    EXPECT_HAS(text, "# MPI functions that the language lacks, called by BACKEND EXECUTES:\n");
    EXPECT_EQ(text.find("done otherwise"), std::string::npos) << text;
  }
}

TEST(Conceptual, CallsNothingThatTheLanguageHas) {
  const std::string text = on_four("MPI_Barrier", Substitutes::none);
  EXPECT_EQ(text.find("BACKEND"), std::string::npos) << text;
  EXPECT_EQ(text, on_four("MPI_Barrier", Substitutes::own));
}

// Blocks of 2^31 bytes: one more than an int counts.
TEST(Conceptual, RefusesCallsWhoseCountsNoIntHolds) {
  const std::string call =
      "MPI_Allgather sendcount=536870912 sendtype=MPI_INT recvcount=536870912 recvtype=MPI_INT";
  EXPECT_EQ(on_four(call, Substitutes::none),
            "refused: MPI_Allgather in main a.c:2 cannot be called: its count is 2147483648 (MPI "
            "takes an int); leave out --exact");
  EXPECT_HAS(on_four(call, Substitutes::own), "2147483648");
}

// Trips and peers that differ from pass to pass: how often a call came before has a name.
TEST(Conceptual, NamesLongExpressions) {
  const std::string text = written(
      "ranks 4\nMPI_Init @ main a.c:1\n"
      "10:\n"
      "  {1 3 0 2 4 1 2 0 5 2 ...}:\n"
      "    MPI_Isend count=[1 2 3 4] datatype=MPI_INT dest={1 2 0 0 3 1 2 3 3 ...} tag=0 @ main "
      "a.c:2\n"
      "    MPI_Wait request=0 @ main a.c:3\n"
      "MPI_Finalize @ main a.c:4\n",
      Substitutes::own);
  EXPECT_HAS(text, "LET k1 BE ");
  EXPECT_LT(text.size(), 4000u) << text;
}

// Its compiler compares all other tasks with a task that has no parentheses in C.
TEST(Conceptual, NamesRootsThatAreChosen) {
  const std::string text = written(
      "ranks 4\nMPI_Init @ main a.c:1\n4:\n"
      "  MPI_Bcast count=3 datatype=MPI_INT root={0 0 1 2} @ main a.c:2\n"
      "MPI_Finalize @ main a.c:3\n",
      Substitutes::own);
  EXPECT_HAS(on_one_line(text),
             "LET r BE 0 IF i0 < 2 OTHERWISE i0-1 WHILE TASK r MULTICASTS A size1 BYTE MESSAGE TO "
             "ALL OTHER TASKS");
}

// The number of iterations is a parameter though the last one does more than the others.
TEST(Conceptual, TheLastIterationIsThatOfTheParameter) {
  const std::string text = written(
      "ranks 4\nMPI_Init @ main a.c:1\n5:\n"
      "  MPI_Barrier @ main a.c:2\n"
      "  {0 0 0 0 1}:\n"
      "    MPI_Allreduce count=5 datatype=MPI_INT op=MPI_SUM @ main a.c:3\n"
      "MPI_Finalize @ main a.c:4\n",
      Substitutes::own);
  EXPECT_HAS(text, "FOR EACH i0 IN {0, ..., reps1-1} {");
  EXPECT_HAS(text, "IF i0 = reps1-1 THEN");
}

// Two numbers behind others are no line.
TEST(Conceptual, ListsTheNumbersOfLevels) {
  const std::string text = written(
      "ranks 4\nMPI_Init @ main a.c:1\n4:\n"
      "  MPI_Bcast count={64 20 8 4} datatype=MPI_BYTE root=0 @ main a.c:2\n"
      "MPI_Finalize @ main a.c:3\n",
      Substitutes::own);
  EXPECT_HAS(on_one_line(text),
             "64 IF i0 = 0 OTHERWISE 20 IF i0 = 1 OTHERWISE 8 IF i0 = 2 OTHERWISE 4");
}

// Ranks that leave a loop early: what is true of the iteration or of the rank.
TEST(Conceptual, SaysWhoGoesThroughAllIterations) {
  const std::string text = written(
      "ranks 4\nMPI_Init @ main a.c:1\n[3 4 3 4]:\n"
      "  MPI_Send count=1 datatype=MPI_BYTE dest=rank tag=0 @ main a.c:2\n"
      "MPI_Finalize @ main a.c:3\n",
      Substitutes::own);
  EXPECT_HAS(on_one_line(text), "TASKS t SUCH THAT i0 < 3 \\/ t MOD 2 ");
}

// The language has MPI_Wait, unless other requests stay pending.
TEST(Conceptual, ListsCompletionsThatAreLate) {
  const auto text = [](const char* request) {
    return written(
        "ranks 4\nMPI_Init @ main a.c:1\n"
        "MPI_Isend count=1 datatype=MPI_BYTE dest=0 tag=0 @ main a.c:2\n" +
            std::string(request) + "MPI_Wait request=0 @ main a.c:4\nMPI_Finalize @ main a.c:5\n",
        Substitutes::own);
  };
  EXPECT_EQ(text("").find("done otherwise"), std::string::npos) << text("");
  EXPECT_HAS(text("MPI_Isend count=1 datatype=MPI_BYTE dest=0 tag=0 @ main a.c:3\n"
                  "MPI_Wait request=1 @ main a.c:3\n"),
             "#   MPI_Wait, 4 calls: AWAITS COMPLETION once no other request is pending\n");
}

TEST(Conceptual, RefusesThreads) {
  EXPECT_HAS(written("ranks 2\nthreads 2\nMPI_Init @ main a.c:1\n", Substitutes::own), "several");
}

}  // namespace
}  // namespace reprise::generate
