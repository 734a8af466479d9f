#include "write/c/write.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "analyze/program_text.hpp"

namespace reprise::write::c {
namespace {

std::string written(const std::string& program) {
  const auto source = write(analyze::parse_program(program), "t", {});
  return source ? source->program : "refused: " + source.error().message;
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(CWrite, WritesLoopsAndPeers) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "100:\n"
      "  MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag=5 @ main a.c:9\n"
      "  {0 0 1 ...}: MPI_Barrier @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "for (int turn = 0; turn < iterations(100); turn++) {");
  EXPECT_HAS(c, "const int i = again(turn, 100);");
  EXPECT_HAS(c, "MPI_Send(OUT(8, MPI_INT), (rank + 1) % RANKS, 5, MPI_COMM_WORLD);  /* a.c:9 */");
  EXPECT_HAS(c, "if (i % 3 == 2) {");
}

// Beyond the recorded trips a root of 3 - i would leave the ranks.
TEST(CWrite, LetsWhatFollowsTheMainLoopBeginAnew) {
  const auto loop_of = [](const std::string& root) {
    return written("ranks 4\nMPI_Init @ main a.c:1\n4: MPI_Bcast count=8 datatype=MPI_INT root=" +
                   root + " @ main a.c:2\nMPI_Finalize @ main a.c:3\n");
  };
  EXPECT_HAS(loop_of("{3 2 1 0}"), "const int i = again(turn, 4);");
  EXPECT_HAS(loop_of("0"),
             "for (int turn = 0; turn < iterations(4); turn++) {\n    again(turn, 4);");
}

TEST(CWrite, WritesBranchesOnRanks) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "[1 0 0 0]: MPI_Send count=8 datatype=MPI_INT dest=1 tag=5 @ main a.c:9\n"
      "[0 1 1 1]: MPI_Barrier @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "if (rank == 0) {");
  EXPECT_HAS(c, "} else {");
  EXPECT_HAS(c, "MPI_Barrier(MPI_COMM_WORLD);");
}

TEST(CWrite, NamesTheFileOfFewCalls) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "MPI_Barrier @ verdict b.h:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "{\"MPI_Barrier\", \"verdict b.h:10\", 0}");
  EXPECT_HAS(c, "{\"MPI_Finalize\", \"main:11\", 0}");
}

TEST(CWrite, TellsEachRankItsOwnTable) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "12: MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag=[{3 1 7 ...} {5 9 4 1 ...}] @ main "
      "a.c:9\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "static struct table TAG = {.terms = TERMS(");
  EXPECT_HAS(c, "static struct table TAG_2 = {.terms = TERMS(");
  EXPECT_HAS(c, "rank == 0 ? next(&TAG");
  // Beyond the recorded iterations they begin anew together.
  EXPECT_HAS(c, "    again(turn, 12);\n");
}

TEST(CWrite, TellsManyRanksTheirPartsOfATable) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "12: MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag=[{3 1 7 ...} {5 9 4 1 ...} {2 8 6 6 3 "
      "...} "
      "{3 1 7 ...}] @ main a.c:9\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "{.terms = TERMS(CASE, ");
  EXPECT_HAS(c, "next(&TAG)");
}

std::string sends(std::size_t tables, std::size_t tags) {
  std::string program = "ranks 2\nMPI_Init @ main a.c:1\n";
  for (std::size_t t = 0; t < tables; ++t) {
    std::string values;
    std::size_t tag = t + 17;
    for (std::size_t i = 0; i < tags; ++i, tag = (tag * 7919 + 13) % 10007)
      values += std::to_string(tag) + " ";
    program += std::to_string(tags) + ": MPI_Send count=8 datatype=MPI_INT dest=rank+1 tag={" +
               values + "} @ main a.c:" + std::to_string(t + 2) + "\n";
  }
  return program + "MPI_Finalize @ main a.c:99\n";
}

TEST(CWrite, PutsLongTablesIntoAFile) {
  const auto source = [](std::size_t tables, std::size_t tags, Parts parts) {
    return *write(analyze::parse_program(sends(tables, tags)), "t",
                  {.parts = parts, .tables_name = "t.tables"});
  };
  const Source beside = source(3, 400, Parts::beside);
  EXPECT_HAS(beside.program, "It reads t.tables, which belongs beside the program.");
  EXPECT_HAS(beside.program, "static struct table TAG = {.terms = STORED + 0};");
  EXPECT_HAS(beside.program, ".stored = &stored");
  EXPECT_HAS(beside.tables, "reprise tables 1 ");
  EXPECT_HAS(beside.tables, "\n# TAG\nLIST 400 17 ");
  EXPECT_HAS(beside.tables, " END\n# TAG_2\n");
  // Few words stay, as do all if nothing may stand beside the program.
  EXPECT_EQ(source(3, 300, Parts::beside).tables, "");
  EXPECT_EQ(source(40, 30, Parts::beside).tables, "");
  const Source within = source(3, 400, Parts::within);
  EXPECT_EQ(within.tables, "");
  EXPECT_HAS(within.program, "TERMS(LIST, 400, 17, ");
}

// MPI may read the lists of a nonblocking call until it is completed.
TEST(CWrite, KeepsListsOfPendingCalls) {
  const std::string call =
      " sendcounts=(1 2) sdispls=(0 1) sendtype=MPI_INT recvcounts=(1 1) rdispls=(0 1) "
      "recvtype=MPI_INT";
  const std::string c = written("ranks 2\nMPI_Init @ main a.c:1\nMPI_Ialltoallv" + call +
                                " @ main a.c:2\nMPI_Wait request=0 @ main a.c:3\nMPI_Alltoallv" +
                                call + " @ main a.c:4\nMPI_Finalize @ main a.c:5\n");
  EXPECT_HAS(c, "KEPT(2, scaled_sendcounts)");
  EXPECT_HAS(c, "KEPT(2, sdispls)");
  EXPECT_EQ(c.find("KEPT", c.find("MPI_Alltoallv(")), std::string::npos) << c;
}

TEST(CWrite, WaitsForAllThatArePending) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "10:\n"
      "  {1 2 ...}: MPI_Isend count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 @ main a.c:9\n"
      "  MPI_Waitall requests=({1 2 ...}){0 1 0 ...} @ main a.c:10\n"
      "MPI_Finalize @ main a.c:11\n");
  EXPECT_HAS(c, "over();");
  EXPECT_HAS(c, "MPI_Waitall(");
}

TEST(CWrite, NamesRequestsByTheirAges) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "3: MPI_Isend count=8 datatype=MPI_INT dest=MPI_PROC_NULL tag=5 @ main a.c:9\n"
      "MPI_Waitall requests=(2){0 2} @ main a.c:10\n"
      "MPI_Wait request=0 @ main a.c:11\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "these(2, (int[]){0, 2})");
  EXPECT_HAS(c, "MPI_Wait(newest(1), MPI_STATUS_IGNORE);");
}

TEST(CWrite, AsksOnceForWhatARepeatedCallNames) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "9: MPI_Iprobe source=0 tag={3 1 7 2 2 8 3 9 4} @ main a.c:9\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "const long long tag = next(&TAG);");
  EXPECT_HAS(c, "do MPI_Iprobe(0, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); while (!flag);");
}

// Macros of the runtime part would take the commas of an array for their own.
TEST(CWrite, HasShortTablesWhereALoopChoosesFromThem) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "3: MPI_Send count={32 8 9} datatype=MPI_INT dest=rank^1 tag={3 1 7} @ main a.c:9\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "const int count = (int[]){32, 8, 9}[i];");
  EXPECT_HAS(c, "MPI_Send(OUT(count, MPI_INT), rank ^ 1, (int[]){3, 1, 7}[i], MPI_COMM_WORLD);");
}

TEST(CWrite, ChoosesOneOfTwoByAComparison) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "2: MPI_Send count=8 datatype=MPI_INT dest=rank^1 tag={7 20} @ main a.c:9\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "rank ^ 1, i == 0 ? 7 : 20, MPI_COMM_WORLD);");
}

// On a torus of 3 x 3 ranks: to the east and to the south, and then to the north or to the south;
// and three times to the east, then to the south.
TEST(CWrite, ChoosesLawsByTheIndicesOfLoops) {
  std::string two, halves;
  for (int rank = 0; rank < 9; ++rank) {
    const int x = rank % 3, y = rank / 3;
    const int east = (x + 1) % 3 + 3 * y, south = x + 3 * ((y + 1) % 3);
    const int north = x + 3 * ((y + 2) % 3);
    const auto add = [rank](std::string& to, std::initializer_list<int> peers) {
      to += rank == 0 ? "[{" : " {";
      for (const int peer : peers) to += std::to_string(peer) + " ";
      to += "...}";
    };
    add(two, {east, south, north, east, south, south});
    add(halves, {east, east, east, south, south, south});
  }
  const std::string send = "MPI_Send count=8 datatype=MPI_INT dest=";
  const std::string c = written("ranks 9\nMPI_Init @ main a.c:1\n4:\n  2:\n    3: " + send + two +
                                "] tag=7 @ main a.c:8\n  6: " + send + halves +
                                "] tag=7 @ main a.c:9\n  MPI_Barrier @ main a.c:10\n"
                                "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "(int[]){east, south, north, east, south, south}[j * 3 + k]");
  EXPECT_HAS(c, "j < 3 ? east : south, 7");
}

// The places of objects in their array are numbers like any others.
TEST(CWrite, ChoosesObjectsByTheIndexOfALoop) {
  const std::string c = written(
      "ranks 2\n"
      "MPI_Init @ main a.c:1\n"
      "4:\n"
      "  MPI_Type_contiguous count=2 oldtype=MPI_INT newtype={128 129 130 131} @ main a.c:2\n"
      "  MPI_Barrier @ main a.c:3\n"
      "4: MPI_Bcast count=1 datatype={128 129 130 131} root=0 @ main a.c:4\n"
      "4: MPI_Type_free datatype={131 130 129 128} @ main a.c:5\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "MPI_Type_contiguous(2, MPI_INT, &types[i]);");
  EXPECT_HAS(c, "= types[i];");
  EXPECT_HAS(c, "MPI_Type_free(&types[3 - i]);");
}

// Two calls that go through the same lists share their matrix.
TEST(CWrite, HasAMatrixWhereALoopGoesThroughAListOnEachRank) {
  const std::string tags = "[{31 5 8} {7 90 2} {6 64 41} {1 22 3}]";
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "3: MPI_Recv count=8 datatype=MPI_INT source=rank^1 tag=" +
      tags +
      " @ main a.c:9\n"
      "MPI_Barrier @ main a.c:10\n"
      "3: MPI_Send count=8 datatype=MPI_INT dest=rank^1 tag=" +
      tags +
      " @ main a.c:11\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "static const int TAG[RANKS][3] = {\n  {31, 5, 8},\n  {7, 90, 2},\n");
  EXPECT_HAS(
      c, "MPI_Recv(IN(8, MPI_INT), rank ^ 1, TAG[rank][i], MPI_COMM_WORLD, MPI_STATUS_IGNORE);");
  EXPECT_HAS(c, "MPI_Send(OUT(8, MPI_INT), rank ^ 1, TAG[rank][i], MPI_COMM_WORLD);");
}

// One rank has more iterations than those whose values are a list, and an expression for them.
TEST(CWrite, HasRowsAsLongAsTheMostIterations) {
  const std::string c = written(
      "ranks 4\n"
      "MPI_Init @ main a.c:1\n"
      "[3 3 3 5]: MPI_Recv count=8 datatype=MPI_INT source=0 tag=[{31 5 8} {7 90 2} {6 64 41} {1 2 "
      "3 4 5}] @ main a.c:9\n"
      "MPI_Finalize @ main a.c:12\n");
  EXPECT_HAS(c, "static const int TAG[RANKS][5] = {");
  EXPECT_HAS(c, "{1, 2, 3, 4, 5}");
}

// Names that the library or the runtime part have are given to nothing else.
TEST(CWrite, NamesNothingLikeTheLibraryDoes) {
  const std::string c = written(
      "ranks 2\nMPI_Init @ main a.c:1\n"
      "MPI_Barrier @ main a.c:2 > index b.c:3\nMPI_Barrier @ main a.c:2 > index b.c:4\n"
      "MPI_Barrier @ main a.c:3 > start b.c:5\nMPI_Barrier @ main a.c:3 > start b.c:6\n"
      "MPI_Finalize @ main a.c:5\n");
  EXPECT_EQ(c.find("void index("), std::string::npos) << c;
  EXPECT_EQ(c.find("void start("), std::string::npos) << c;
}

TEST(CWrite, NamesIndicesOfDeepLoopsLikeNothingElse) {
  std::string program =
      "ranks 2\nMPI_Init @ main a.c:1\n"
      "MPI_Barrier @ main a.c:2 > i6 b.c:3\nMPI_Barrier @ main a.c:2 > i6 b.c:4\n";
  std::string indent;
  for (int depth = 0; depth < 7; ++depth, indent += "  ") {
    program += indent + "{2 3 ...}:\n" + indent + "  MPI_Barrier @ main a.c:5\n";
  }
  const std::string c = written(program + "MPI_Finalize @ main a.c:6\n");
  EXPECT_HAS(c, "void i6(void)");
  EXPECT_HAS(c, "for (int i6_2 = 0, n_i6_2 = ");
}

TEST(CWrite, ClosesNoCommentEarly) {
  const std::string c =
      written("ranks 1\nprogram ./a */ int x;\nMPI_Init @ main a.c:1\nMPI_Finalize @ main a.c:2\n");
  EXPECT_HAS(c, "*\\x2f int x;");
}

TEST(CWrite, LeavesHostileNamesInCommentsAndStrings) {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\nMPI_Init @ main a.c:1\nMPI_Barrier @ main a.c:2 > f b.c:3\n"
      "MPI_Barrier @ main a.c:2 > f b.c:4\nMPI_Finalize @ main a.c:5\n");
  const std::string hostile = "\"*\\\n/ HOSTILE(); ?\?/\r";
  trace.program = hostile;
  for (std::string& text : trace.texts) {
    if (!text.empty()) text += hostile;
  }
  const auto program = write(trace, hostile, {});
  ASSERT_TRUE(program) << program.error().message;
  std::istringstream lines(program->program);
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("HOSTILE();");
    if (at == std::string::npos) continue;
    const bool is_comment = line.rfind("/*", at) != std::string::npos || line.starts_with(" *");
    const bool is_string = line.rfind('"', at) != std::string::npos;
    EXPECT_TRUE(is_comment || is_string) << line;
    ++found;
  }
  EXPECT_GT(found, 2u);
}

TEST(CWrite, HasTheRuntimePartWhereItIsAskedFor) {
  const trace::Trace trace =
      analyze::parse_program("ranks 1\nMPI_Init @ main a.c:1\nMPI_Finalize @ main a.c:2\n");
  EXPECT_HAS(write(trace, "t", {})->program, "#include \"reprise_benchmark.h\"\n");
  const std::string whole = write(trace, "t", {.parts = Parts::within})->program;
  EXPECT_EQ(whole.find("#include \"reprise_benchmark.h\""), std::string::npos);
  EXPECT_HAS(whole, runtime());
  EXPECT_HAS(runtime(), "reprise_modulo");
}

// What follows from the number before is a place in an array.
TEST(CWrite, NumbersObjectsOfTablesThatGoOn) {
  const auto made = [](int n) {
    std::string types;
    for (int i = 0; i < n; ++i) types += (i > 0 ? " " : "") + std::to_string(128 + i);
    return written("ranks 2\nMPI_Init @ main a.c:1\n" + std::to_string(n) +
                   ": MPI_Type_contiguous count=2 oldtype=MPI_INT newtype={" + types +
                   "} @ main a.c:2\nMPI_Finalize @ main a.c:11\n");
  };
  EXPECT_HAS(made(100), "static MPI_Datatype types[MADE + 1];");
  EXPECT_HAS(made(100), "types[e] = MPI_DATATYPE_NULL;");
  EXPECT_HAS(made(100), "&types[next(&NEWTYPE)]");
  EXPECT_HAS(made(3), "static MPI_Datatype types[] = {");
}

// Texts that differ from execution to execution come from tables of their characters.
TEST(CWrite, TakesTextsFromTables) {
  const std::string c = written(
      "ranks 2\n"
      "4:\n"
      "  MPI_File_open filename=({3 1 3 3}){97 98 99 100 98 97 97 98 97 97} amode=2 fh=0\n"
      "  MPI_File_close fh=0\n");
  EXPECT_HAS(c, "file_name(characters(n_filename, take(");
}

TEST(CWrite, RefusesWithAReason) {
  EXPECT_HAS(written("ranks 2\nthreads 2\nMPI_Init @ main a.c:1\n"), "each rank has 2 threads");
  EXPECT_HAS(written("ranks 2\nMPI_Wait request=unknown @ main a.c:1\n"), "a request that");
}

// The parameters of the procedure that is invoked have other numbers than those passed on.
TEST(CWrite, PassesParametersThroughProcedures) {
  const auto inner = [](const std::string& at, const std::string& type, const std::string& blocks) {
    return "MPI_Send count=8 datatype=" + type + " dest=MPI_PROC_NULL tag=5" + at +
           " > inner c.c:1\n"
           "MPI_Type_indexed blocklengths=" +
           blocks + " displacements=(0 8) oldtype=MPI_INT newtype=40" + at + " > inner c.c:2\n";
  };
  const auto outer = [&](const std::string& line, const std::string& root, const std::string& type,
                         const std::string& blocks) {
    const std::string at = " @ main a.c:" + line + " > outer b.c:";
    return "MPI_Bcast count=1 datatype=MPI_INT root=" + root + at + "1\n" +
           inner(at + "2", type, blocks);
  };
  const std::string c =
      written("ranks 2\nMPI_Init @ main a.c:1\n" + outer("2", "0", "MPI_INT", "(1 2)") +
              outer("3", "1", "MPI_DOUBLE", "(3 4)") + inner(" @ main a.c:4", "MPI_INT", "(5 6)") +
              "MPI_Finalize @ main a.c:9\n");
  EXPECT_HAS(c, "void inner(int site, MPI_Datatype datatype, const int *blocklengths)");
  EXPECT_HAS(c, "void outer(int site, int root, MPI_Datatype datatype, const int *blocklengths)");
  EXPECT_HAS(c, "inner(site + 1, datatype, blocklengths);");
  EXPECT_HAS(c, "outer(1, 0, MPI_INT, (int[]){1, 2});");
  EXPECT_HAS(c, "inner(7, MPI_INT, (int[]){5, 6});");
}

TEST(CWrite, DeclaresTripCountsOfProceduresAsWideAsTheyAre) {
  const auto exchange = [](const std::string& line, const std::string& trips) {
    const std::string at = " @ main a.c:" + line + " > outer a.c:1 > exchange b.c:";
    return trips + ":\n  MPI_Barrier" + at + "1\n  MPI_Bcast count=1 datatype=MPI_INT root=0" + at +
           "2\nMPI_Barrier" + at + "3\n";
  };
  const auto all = [&](const std::string& trips) {
    return written("ranks 2\nMPI_Init @ main a.c:1\n" + exchange("2", "3") + exchange("3", trips) +
                   "MPI_Finalize @ main a.c:9\n");
  };
  const std::string c = all("3000000000");
  EXPECT_HAS(c, "long long trips)");
  EXPECT_HAS(c, "for (long long i = 0; i < trips; i++) {");
  EXPECT_HAS(c, "3000000000");
  EXPECT_HAS(all("5"), "int trips)");
}

TEST(CWrite, RefusesPredefinedObjectsThatThereAreNoneOf) {
  for (const std::string type : {"-5", "127"}) {
    const std::string c =
        written("ranks 2\nMPI_Init @ main a.c:1\nMPI_Bcast count=1 datatype=" + type +
                " root=0 @ main a.c:2\n");
    EXPECT_HAS(c, "it uses a predefined object that there is none of");
  }
}

// Lengths as damaged traces have them.
TEST(CWrite, RefusesListsOfImpossibleLengths) {
  const auto of = [](const std::string& call) {
    return written("ranks 2\nMPI_Init @ main a.c:1\n" + call + " @ main a.c:2\n");
  };
  for (const std::string length : {"1000000000000", "-3"}) {
    const std::string why = "it has a list of " + length + " elements";
    EXPECT_HAS(of("MPI_File_open filename=(" + length + "){97} amode=1 fh=0"), why);
    EXPECT_HAS(of("MPI_Type_create_hindexed blocklengths=(" + length + "){1} displacements=(" +
                  length + "){8} oldtype=MPI_INT newtype=40"),
               why);
    EXPECT_HAS(of("MPI_Type_indexed blocklengths=(" + length + "){1} displacements=(" + length +
                  "){8} oldtype=MPI_INT newtype=40"),
               why);
  }
}

TEST(CWrite, FillsLongListsOfAddressesByALoop) {
  const std::string c = written(
      "ranks 2\nMPI_Init @ main a.c:1\n"
      "MPI_Type_create_hindexed blocklengths=(100000){1} displacements=(100000){8 ...} "
      "oldtype=MPI_INT newtype=40 @ main a.c:2\n");
  EXPECT_HAS(c, "for (int e = 0; e < 100000; e++)");
  EXPECT_LT(c.size(), 20000u);
}

}  // namespace
}  // namespace reprise::write::c
