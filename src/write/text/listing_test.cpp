#include "write/text/listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analyze/program_text.hpp"
#include "program/build.hpp"
#include "write/text/layout.hpp"

namespace reprise::write {
namespace {

std::string text_of(const Words& words) {
  std::string out;
  for (const Word& w : words.list()) out += (out.empty() ? "" : " ") + w.text;
  return out;
}

std::string listing(const trace::Trace& trace, const TextOptions& options = {}) {
  const program::Program program = program::explain(trace);
  const Listing all = list_program(program, options);
  std::string out;
  for (const std::string& l : all.ranks) out += "# " + l + "\n";
  for (const Line& l : all.lines) {
    out += std::string(2 * l.depth, ' ') + text_of(l.words);
    out += (l.place.empty() ? "" : "  " + l.place) + "\n";
  }
  return out;
}

std::string listing(const std::string& text, const TextOptions& options = {}) {
  return listing(analyze::parse_program(text), options);
}

TEST(Listing, WordsCalls) {
  EXPECT_EQ(listing("ranks 2\n[1 0]: MPI_Send count=8 datatype=MPI_DOUBLE dest=1 tag=3\n"),
            "if rank == 0: Send(8 double, to 1, tag 3)\n");
  EXPECT_EQ(listing("ranks 2\n[1 0]: MPI_Send count=8 datatype=MPI_DOUBLE dest=1 tag=3\n",
                    {.full = true}),
            "if rank == 0: MPI_Send(count=8 datatype=MPI_DOUBLE dest=1 tag=3)\n");
}

TEST(Listing, SaysWhatIsTheRank) {
  EXPECT_EQ(listing("ranks 8\nMPI_Comm_split color=0 key=[0 1 2 3 4 5 6 7] newcomm=2 "
                    "newcomm_rank=[0 1 2 3 4 5 6 7] newcomm_size=8\n"),
            "Comm_split(color 0, key rank, newcomm 2)\n");
}

TEST(Listing, NamesFunctionsThatCallOneOtherAlone) {
  EXPECT_EQ(listing("ranks 2\n"
                    "MPI_Init @ main a.c:1 > run a.c:2 > solve a.c:3\n"
                    "MPI_Finalize @ main a.c:1 > run a.c:2 > solve a.c:4\n"),
            "main: run: solve:\n"
            "  Init  a.c:3\n"
            "  Finalize  a.c:4\n");
  EXPECT_EQ(listing("ranks 2\n"
                    "MPI_Init @ main a.c:1 > run a.c:2 > solve a.c:3\n"
                    "MPI_Finalize @ main a.c:1 > run a.c:5\n"),
            "main: run:\n"
            "  solve: Init  a.c:3\n"
            "  Finalize  a.c:5\n");
}

TEST(Listing, SaysWhereListsAreEmpty) {
  const std::string text = listing("ranks 3\nMPI_Scatterv sendcounts=([0 0 3]){5 ...} root=2\n");
  EXPECT_NE(text.find("sendcounts ([5 x3] if rank == 2, else [])"), std::string::npos) << text;
}

TEST(Listing, SaysLengthsOfListsPerCase) {
  const std::string text = listing("ranks 3\nMPI_Gatherv recvcounts=([3 0 0]){5 6 9} root=0\n");
  EXPECT_NE(text.find("recvcounts ([5 6 9] if rank == 0, else [])"), std::string::npos) << text;
}

TEST(Listing, HasAFunctionForEachCallOnOneLine) {
  EXPECT_EQ(listing("ranks 2\nMPI_Init @ main a.c:1\n"
                    "MPI_Send dest=1 tag=1 @ main a.c:3 > move a.c:6 > shift a.c:9\n"
                    "MPI_Wait @ main a.c:3 > move a.c:6 > shift a.c:10\n"
                    "MPI_Send dest=0 tag=2 @ main a.c:3 > move a.c:6 > shift a.c:9\n"
                    "MPI_Wait @ main a.c:3 > move a.c:6 > shift a.c:10\n"),
            "shift(dest, tag):\n"
            "  Send(to dest, tag)  a.c:9\n"
            "  Wait  a.c:10\n"
            "main:\n"
            "  Init  a.c:1\n"
            "  move:  a.c:3\n"
            "    shift(1, 1)  a.c:6\n"
            "    shift(0, 2)  a.c:6\n");
}

// Unknown functions are left out where they take one line, or where named functions stand beside.
TEST(Listing, LeavesOutUnknownFunctions) {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "MPI_Init @ main a.c:1 > x a.c:2\n"
      "MPI_Barrier @ main a.c:3 > x a.c:4 > solve a.c:5\n"
      "MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:3 > x a.c:4 > solve a.c:6\n"
      "MPI_Barrier @ main a.c:7 > x a.c:8\n"
      "MPI_Allreduce @ main a.c:7 > x a.c:9\n"
      "MPI_Finalize @ main a.c:10\n");
  for (trace::Frame& f : trace.frames) {
    if (trace.texts[f.function] == "x") f.function = 0;
  }
  EXPECT_EQ(listing(trace),
            "Init  a.c:2\n"
            "solve: Barrier; Bcast(int, root 0)  a.c:3\n"
            "?: Barrier; Allreduce  a.c:7\n"
            "Finalize  a.c:10\n");
}

// A solver of several steps is called in each time step, of which each seventh ends with output:
// where it is called again without a call between looks like a step of its own.
TEST(Listing, SaysWhereIterationsMayBeHidden) {
  const std::string solver = "  {30 31 29}:\n    MPI_Bcast count=1 datatype=MPI_INT root=0\n";
  EXPECT_EQ(listing("ranks 2\n3:\n" + solver + "  {1 1 0}: MPI_Barrier\n"),
            "for i in 0..2 (or more):\n"
            "  {30 31 29} times: Bcast(int, root 0)\n"
            "  if i < 2: Barrier\n");
  EXPECT_EQ(listing("ranks 2\n3:\n" + solver + "  [{1 1 0} 0]: MPI_Barrier\n"),
            "for i in 0..2 (or more):\n"
            "  {30 31 29} times: Bcast(int, root 0)\n"
            "  if rank == 0: if i < 2: Barrier\n");
  EXPECT_EQ(
      listing("ranks 2\n3:\n" + solver + "  {1 0 1}: MPI_Barrier\n  {0 1 0}: MPI_Allreduce\n"),
      "for i in 0..2:\n"
      "  {30 31 29} times: Bcast(int, root 0)\n"
      "  if i != 1: Barrier\n"
      "  if i == 1: Allreduce\n")
      << "one of two calls in each iteration";
  EXPECT_EQ(
      listing("ranks 2\n3:\n" + solver + "  {1 0 1}: MPI_Barrier\n  {1 0 0}: MPI_Allreduce\n"),
      "for i in 0..2 (or more):\n"
      "  {30 31 29} times: Bcast(int, root 0)\n"
      "  if i != 1: Barrier\n"
      "  if i == 0: Allreduce\n")
      << "neither in the second";
  EXPECT_EQ(listing("ranks 2\n3:\n" + solver + "  MPI_Barrier\n"),
            "3 times:\n"
            "  {30 31 29} times: Bcast(int, root 0)\n"
            "  Barrier\n")
      << "there is a call in each iteration";
  EXPECT_EQ(listing("ranks 2\n3:\n  5: MPI_Bcast count=1 datatype=MPI_INT root=0\n"
                    "  {1 1 0}: MPI_Barrier\n"),
            "for i in 0..2:\n"
            "  5 times: Bcast(int, root 0)\n"
            "  if i < 2: Barrier\n")
      << "equal numbers are no sums of several";
}

// The same whether functions and loops around the calls are shown or not.
TEST(Listing, SaysWhereIterationsOfFunctionsMayBeHidden) {
  const auto head = [](const std::string& rest) {
    const std::string text = listing(
        "ranks 2\n3:\n  {30 31 29}:\n    MPI_Bcast count=1 "
        "datatype=MPI_INT root=0 @ main a.c:1 > solve a.c:2\n" +
        rest);
    const std::size_t main = text.find("main:\n");
    const std::size_t begin = main == std::string::npos ? 0 : main + 6;
    const std::size_t first = text.find_first_not_of(' ', begin);
    return text.substr(first, text.find('\n', first) - first) + "\n" + text;
  };
  const auto says_more = [&](const std::string& rest) {
    const std::string text = head(rest);
    EXPECT_NE(text.find("solve"), std::string::npos) << text;
    return text.substr(0, text.find('\n')).find("or more") != std::string::npos;
  };
  const std::string at = " @ main a.c:3 > put a.c:4\n", again = " @ main a.c:7 > put a.c:4\n";
  EXPECT_TRUE(says_more("  {1 1 0}: MPI_Barrier" + at));
  EXPECT_FALSE(says_more("  MPI_Barrier" + at));
  EXPECT_TRUE(says_more("  {1 1 0}: MPI_Barrier" + at + "  {1 1 0}: MPI_Barrier" + again))
      << "a procedure that is invoked twice";
  EXPECT_FALSE(says_more("  {1 1 0}: MPI_Barrier" + at + "  {0 0 1}: MPI_Barrier" + again));
  EXPECT_FALSE(says_more("  MPI_Barrier" + at + "  {1 1 0}: MPI_Barrier" + again));
  const auto put = [](const std::string& line, const std::string& barrier,
                      const std::string& reduce) {
    const std::string from = " @ main a.c:" + line + " > put a.c:";
    return "  {" + barrier + "}: MPI_Barrier" + from + "4\n  {" + reduce + "}: MPI_Allreduce" +
           from + "5\n";
  };
  EXPECT_TRUE(says_more(put("3", "1 0 0", "0 1 0"))) << "neither in the third";
  EXPECT_FALSE(says_more(put("3", "1 0 0", "0 1 1")));
  EXPECT_TRUE(says_more(put("3", "1 0 0", "0 1 0") + put("7", "1 0 0", "0 1 0")));
  EXPECT_TRUE(says_more("  {4 4 0}: MPI_Barrier @ main a.c:3\n")) << "a loop of no trips";
  EXPECT_TRUE(
      says_more("  {4 7 0}:\n    MPI_Barrier @ main a.c:3\n    MPI_Allreduce @ main "
                "a.c:4\n"));
  EXPECT_FALSE(says_more("  {4 7 5}: MPI_Barrier @ main a.c:3\n"));
}

TEST(Listing, HasTransposesAsCoordinates) {
  EXPECT_EQ(listing("ranks 4\n"
                    "[1 0 1 0]: MPI_Send count=1 datatype=MPI_INT dest=rank+1 tag=0\n"
                    "[1 1 0 0]: MPI_Send count=1 datatype=MPI_INT dest=rank+2 tag=0\n"
                    "MPI_Send count=1 datatype=MPI_INT dest=[0 2 1 3] tag=0\n"),
            "# 2 x 2 grid: x = rank % 2, y = rank / 2; west is x-1, north y-1\n"
            "if x == 0: Send(int, to east)\n"
            "if y == 0: Send(int, to south)\n"
            "Send(int, to (y, x))\n");
}

// Texts read as such where they are passed, where they differ from execution to execution, and
// where ranks have different ones.
TEST(Listing, ShowsNamesOfFilesAsTexts) {
  EXPECT_EQ(listing("ranks 2\n"
                    "MPI_File_open filename='one' amode=2 fh=0 @ main a.c:9 > store a.c:3\n"
                    "MPI_File_close fh=0 @ main a.c:9 > store a.c:4\n"
                    "MPI_File_open filename='two' amode=2 fh=0 @ main a.c:12 > store a.c:3\n"
                    "MPI_File_close fh=0 @ main a.c:12 > store a.c:4\n"),
            "store(filename):\n"
            "  File_open(amode MPI_MODE_RDWR, fh 0, filename)  a.c:3\n"
            "  File_close(fh 0)  a.c:4\n"
            "main:\n"
            "  store(\"one\")  a.c:9\n"
            "  store(\"two\")  a.c:12\n");
  EXPECT_EQ(listing("ranks 2\n"
                    "2:\n"
                    "  MPI_File_open filename=({3 4}){97 98 99 100 98 97 97} amode=2 fh=0\n"
                    "  MPI_File_close fh=0\n"),
            "for i in 0..1:\n"
            "  File_open(amode MPI_MODE_RDWR, fh 0, {\"abc\" \"dbaa\"})\n"
            "  File_close(fh 0)\n");
  EXPECT_EQ(listing("ranks 2\n"
                    "4:\n"
                    "  MPI_File_open filename=({3 1 3 3}){97 98 99 100 98 97 97 98 97 97} amode=2 "
                    "fh=0\n"
                    "  MPI_File_close fh=0\n"),
            "4 times:\n"
            "  File_open(amode MPI_MODE_RDWR, fh 0, {\"abc\" \"d\" \"baa\" x2})\n"
            "  File_close(fh 0)\n");
}

// A text tells how long it is.
TEST(Listing, PassesTextsWithoutTheirLengths) {
  const auto store = [](const std::string& line, const std::string& name) {
    const std::string at = " @ main a.c:" + line + " > store a.c:";
    return "MPI_File_open filename=" + name + " amode=2 fh=0" + at + "3\nMPI_File_close fh=0" + at +
           "4\n";
  };
  EXPECT_EQ(listing("ranks 2\n" + store("9", "'one'") + store("12", "'three'")),
            "store(filename):\n"
            "  File_open(amode MPI_MODE_RDWR, fh 0, filename)  a.c:3\n"
            "  File_close(fh 0)  a.c:4\n"
            "main:\n"
            "  store(\"one\")  a.c:9\n"
            "  store(\"three\")  a.c:12\n");
}

// A function that is met at two places is one procedure; what differs is passed.
TEST(Listing, ShowsProceduresOnce) {
  EXPECT_EQ(
      listing("ranks 4\n"
              "[0 1 1 1]: MPI_Send count=8 datatype=MPI_INT dest=rank-1 tag=1 @ main a.c:9 > "
              "trade a.c:3\n"
              "[1 1 1 0]: MPI_Recv count=8 datatype=MPI_INT source=rank+1 tag=1 @ main a.c:9 "
              "> trade a.c:4\n"
              "MPI_Barrier @ main a.c:10\n"
              "5:\n"
              "  [0 1 1 1]: MPI_Send count=9 datatype=MPI_INT dest=rank-1 tag=1 @ main a.c:12 "
              "> trade a.c:3\n"
              "  [1 1 1 0]: MPI_Recv count=9 datatype=MPI_INT source=rank+1 tag=1 @ main "
              "a.c:12 > trade a.c:4\n"
              "  {0 0 0 0 1}: MPI_Barrier @ main a.c:13\n"),
      "trade(count):\n"
      "  if rank > 0: Send(count int, to rank - 1, tag 1)  a.c:3\n"
      "  if rank < 3: Recv(count int, from rank + 1, tag 1)  a.c:4\n"
      "main:\n"
      "  trade(8)  a.c:9\n"
      "  Barrier  a.c:10\n"
      "  5 times:\n"
      "    trade(9)  a.c:12\n"
      "    the last time: Barrier  a.c:13\n");
}

TEST(Listing, JoinsCallsOfOneKind) {
  EXPECT_EQ(listing("ranks 2\n"
                    "MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:9 > input a.c:3\n"
                    "MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:9 > input a.c:4\n"
                    "MPI_Bcast count=5 datatype=MPI_DOUBLE root=0 @ main a.c:9 > input a.c:5\n"),
            "main: input:\n"
            "  Bcast(int, root 0) x2  a.c:3\n"
            "  Bcast(5 double, root 0)  a.c:5\n");
}

// `4 times: Bcast x2` would be 8 calls in another order where roots differ.
TEST(Listing, DoesNotJoinLoops) {
  EXPECT_EQ(listing("ranks 4\n"
                    "4: MPI_Bcast count=1 datatype=MPI_INT root={0 1 2 3} @ main a.c:3\n"
                    "4: MPI_Bcast count=1 datatype=MPI_INT root={0 1 2 3} @ main a.c:4\n"),
            "for i in 0..3: Bcast(int, root i)  a.c:3\n"
            "for i in 0..3: Bcast(int, root i)  a.c:4\n");
}

// Said often enough, a value of several cases has a name.
TEST(Listing, NamesLongValuesThatRepeat) {
  std::string program = "ranks 6\n";
  for (int line = 1; line <= 4; ++line) {
    program += "MPI_Bcast count=[1650 1650 1650 1320 1320 1320] datatype=MPI_DOUBLE root=" +
               std::to_string(line) + " @ main a.c:" + std::to_string(line) + "\n";
  }
  EXPECT_EQ(listing(program),
            "# a = 1320 if rank > 2, else 1650\n"
            "Bcast(a double, root 1)  a.c:1\n"
            "Bcast(a double, root 2)  a.c:2\n"
            "Bcast(a double, root 3)  a.c:3\n"
            "Bcast(a double, root 4)  a.c:4\n");
  EXPECT_EQ(listing(program, {.full = true}).find("count=a"), std::string::npos);
}

// Of many such values, those whose names save most have one: here the frequent ones.
TEST(Listing, NamesFewValues) {
  std::string program = "ranks 6\n";
  for (int value = 0; value < 40; ++value) {
    const std::string n = std::to_string(1000 + value);
    for (int use = 0; use < (value % 2 == 0 ? 4 : 5); ++use) {
      program += "MPI_Bcast count=[1650 1650 1650 " + n + " " + n + " " + n +
                 "] datatype=MPI_DOUBLE root=" + std::to_string(use) + "\n";
    }
  }
  const std::string all = listing(program);
  EXPECT_NE(all.find(" = 1039 if rank > 2, else 1650\n"), std::string::npos);
  EXPECT_EQ(all.find(" = 1038 if rank > 2, else 1650\n"), std::string::npos);
  EXPECT_EQ(std::ranges::count(all, '#'), 24);
}

// What wildcards matched, and ordinary buffers, are no arguments of procedures.
TEST(Listing, LeavesOutParametersThatSayNothing) {
  const auto receive = [](const std::string& line, const std::string& source) {
    const std::string at = " @ main a.c:" + line + " > take b.c:";
    return "MPI_Recv count=8 datatype=MPI_INT source=MPI_ANY_SOURCE tag=3 matched_source=" +
           source + " matched_tag=3" + at + "1\nMPI_Barrier" + at + "2\n";
  };
  EXPECT_EQ(
      listing("ranks 4\n" + receive("1", "0") + "MPI_Barrier @ main a.c:2\n" + receive("3", "1")),
      "take():\n"
      "  Recv(8 int, from any, tag 3)  b.c:1\n"
      "  Barrier  b.c:2\n"
      "main:\n"
      "  take()  a.c:1\n"
      "  Barrier  a.c:2\n"
      "  take()  a.c:3\n");
}

// Ordinary on all ranks to which it matters.
TEST(Listing, NamesBuffersThatMatterOnSomeRanks) {
  const auto gather = [](const std::string& line, const std::string& buffer) {
    const std::string at = " @ main a.c:" + line + " > gather b.c:";
    return "MPI_Gather sendbuf=" + buffer + " sendcount=1 recvcount=1 root=0" + at +
           "1\nMPI_Barrier" + at + "2\n";
  };
  const std::string program = "ranks 3\n" + gather("1", "[- 0 0]") + "MPI_Barrier @ main a.c:2\n" +
                              gather("3", "MPI_IN_PLACE");
  const std::string plain = listing(program), full = listing(program, {.full = true});
  EXPECT_NE(plain.find("  gather(buffer)  a.c:1\n"), std::string::npos) << plain;
  EXPECT_NE(full.find("  gather(sendbuf=(- if rank == 0, else buffer))  a.c:1\n"),
            std::string::npos)
      << full;
}

TEST(Layout, BreaksLongLines) {
  Words words;
  words.add("Send(8", 0, true);
  for (int i = 0; i < 40; ++i) words.add("word" + std::to_string(i), i % 10 == 0 ? 2 : 3);
  for (const Row& row : lay_out({{1, words, "a.c:9"}}, 80)) {
    EXPECT_LE(row.indent + row.words.width() + row.padding + row.place.size(), 80U);
  }
  EXPECT_EQ(lay_out({{1, words, "a.c:9"}}, 0).size(), 1U);
}

TEST(Layout, BreaksLinesBetweenCases) {
  Words words;
  words.add("Send(", 0, true);
  words.split("(rank^{2 1 4} if z == 0, rank + 11 if y == 0 && x > 2, else 7)", 3, true);
  const std::vector<Words> lines = words.lines(37, 37);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].list().front().text, "rank");
  EXPECT_EQ(words.lines(60, 60)[1].list().front().text, "else");
}

// The last line, every argument by name.
std::string last_line(const std::string& program) {
  const std::string all = listing(program, {.full = true});
  const std::size_t end = all.rfind('\n', all.size() - 2);
  const std::string last = end == std::string::npos ? all : all.substr(end + 1);
  const std::size_t text = last.find_first_not_of(' ');
  return last.substr(text, last.size() - 1 - text);
}

// What every entry into a loop sees again is written once.
TEST(Entries, OfTheInnermostLoopWhoseEntriesAreAlike) {
  EXPECT_EQ(last_line("ranks 2\n60:\n  3:\n    MPI_Send dest=1 tag={1 2 4 ...}\n"),
            "60 times: 3 times: MPI_Send(dest=1 tag={1 2 4})");
  EXPECT_EQ(last_line("ranks 2\n60:\n  3: MPI_Send dest=1 tag={1 2 4 ...}\n"),
            "60 times: 3 times: MPI_Send(dest=1 tag={1 2 4})");
}

TEST(Entries, OfALoopFurtherOut) {
  EXPECT_EQ(last_line("ranks 2\n60:\n  2:\n    3:\n      MPI_Send dest=1 tag={1 2 4 5 7 9 ...}\n"),
            "60 times: 2 times: 3 times: MPI_Send(dest=1 tag={1 2 4 5 7 9})");
}

// Levels that take 3, 1 and 2 passes: six in each step.
TEST(Entries, OfPassesThatVary) {
  const std::string levels = "ranks 2\n60:\n  3:\n    {3 1 2 ...}:\n      MPI_Send dest=1 ";
  const std::string head = "60 times: 3 times: {3 1 2} times: ";
  EXPECT_EQ(last_line(levels + "tag={9 9 9 5 7 7 ...}\n"),
            head + "MPI_Send(dest=1 tag={9 x3 5 7 7})");
  // Not by level: the second entry of the innermost loop begins with another value.
  EXPECT_EQ(last_line(levels + "tag={5 6 ...}\n"), head + "MPI_Send(dest=1 tag={5 6 5 6 5 6})");
}

// Too few passes to fold. Which iterations they belong to is known all the same.
TEST(Entries, OfFewValues) {
  const std::string middle = "ranks 2\n3:\n  3:\n    {0 1 0 0 1 0 0 1 0}: MPI_Send dest=1 tag=";
  EXPECT_EQ(last_line(middle + "{4 9 6}\n"),
            "3 times: for j in 0..2: if j == 1: MPI_Send(dest=1 tag={4 9 6})");
  EXPECT_EQ(last_line(middle + "{4 5 6}\n"),
            "for i in 0..2: for j in 0..2: if j == 1: MPI_Send(dest=1 tag=i + 4)");
}

TEST(Laws, OfIterationsWithGaps) {
  EXPECT_EQ(last_line("ranks 2\n6:\n  {0 1 1 0 1 1}: MPI_Send dest=1 tag={3 5 9 11}\n"),
            "for i in 0..5: if i % 3 != 0: MPI_Send(dest=1 tag=i * 2 + 1)");
}

// Partners of a butterfly: the masks are powers of two.
TEST(Laws, OfMasks) {
  trace::Trace trace = analyze::parse_program("ranks 8\n3: MPI_Send count=1 dest={1 2 4}\n");
  const auto scalars = trace::function(trace.calls[0].function).scalars;
  const auto dest = std::ranges::find(scalars, "dest", &trace::Column::name);
  trace.calls[0].columns[static_cast<std::size_t>(dest - scalars.begin())].encoding =
      trace::Encoding::exclusive_or;
  EXPECT_EQ(listing(trace), "for i in 0..2: Send(-, to rank ^ 1 << i)\n");
}

// The tag is two digits to the base of an extent, as in NAS BT: (x + y - i) % 4 and (i - x) % 4.
TEST(Laws, OfCoordinatesAndIterations) {
  std::string tags, east;
  for (int rank = 0; rank < 16; ++rank) {
    const int x = rank % 4, y = rank / 4;
    tags += "{";
    for (int i = 0; i < 3; ++i)
      tags += std::to_string(100 + (x + y - i + 4) % 4 + (i - x + 4) % 4 * 4) + " ";
    tags += "...} ";
    east += std::to_string((x + 1) % 4 + 4 * y) + " ";
  }
  EXPECT_EQ(last_line("ranks 16\n3:\n  MPI_Send count=1 dest=[" + east + "] tag=[" + tags + "]\n"),
            "for i in 0..2: MPI_Send(count=1 dest=east "
            "tag=(x + y - i) % 4 + 4 * ((i - x) % 4) + 100)");
}

// With two ranks along x a step to the east is one to the west: where no rank is at the border, the
// one that does not wrap is meant.
TEST(Laws, OfNeighborsWithoutWrap) {
  EXPECT_EQ(last_line("ranks 4\n[0 1 0 1]: MPI_Recv count=1 source=[0 0 2 2]\n"
                      "[0 0 1 1]: MPI_Recv count=1 source=[0 1 0 1]\n"
                      "[1 0 1 0]: MPI_Recv count=1 source=[1 1 3 3]\n"
                      "[1 1 0 0]: MPI_Recv count=1 source=[2 3 2 3]\n"),
            "if y == 0: MPI_Recv(count=1 source=south)");
}

TEST(Branches, HaveComplementsInProcedures) {
  std::string text = "ranks 4\n";
  for (const char* line : {"1", "2"}) {
    for (const char* call :
         {"[1 0 1 0]: MPI_Barrier", "[0 1 0 1]: MPI_Bcast count=1 root=0", "MPI_Allreduce count=1"})
      text += std::string(call) + " @ main a.c:" + line +
              " > f b.c:" + std::to_string(std::string(call).size()) + "\n";
  }
  EXPECT_EQ(listing(text),
            "# 2 x 2 grid: x = rank % 2, y = rank / 2\n"
            "f():\n"
            "  if x == 0: Barrier  b.c:22\n"
            "  else: Bcast(-, root 0)  b.c:35\n"
            "  Allreduce(-)  b.c:21\n"
            "main:\n"
            "  f() x2  a.c:1\n");
}

TEST(Entries, NotOfThoseThatDiffer) {
  EXPECT_EQ(last_line("ranks 2\n20:\n  3:\n    MPI_Send dest=1 tag={1 2 4 5 ...}\n"),
            "20 times: 3 times: MPI_Send(dest=1 tag={(1 2 4 5)x15})");
}

TEST(Entries, OfLists) {
  EXPECT_EQ(last_line("ranks 2\n20:\n  2:\n    MPI_Waitall requests=({2 1 ...}){0 1 1 ...}\n"),
            "20 times: for j in 0..1: MPI_Waitall(requests=[2 - j: 0 1 1])");
}

// On 2 x 3 ranks y is cyclic; x ends at borders, but for one call.
TEST(Grids, ADimensionWithBordersIsNotCyclic) {
  const std::string receives =
      "ranks 6\n"
      "MPI_Recv count=1 datatype=MPI_INT tag=0 source=[4 5 0 1 2 3]\n"
      "MPI_Recv count=1 datatype=MPI_INT tag=1 source=[MPI_PROC_NULL 0 MPI_PROC_NULL 2 "
      "MPI_PROC_NULL 4]\n";
  EXPECT_EQ(listing(receives),
            "# 2 x 3 grid: x = rank % 2, y = rank / 2; west is x-1, north y-1; cyclic in y\n"
            "Recv(int, from north)\n"
            "Recv(int, from west or nobody, tag 1)\n");
  EXPECT_EQ(listing(receives + "MPI_Send count=1 datatype=MPI_INT tag=2 dest=[1 0 3 2 5 4]\n"),
            "# 2 x 3 grid: x = rank % 2, y = rank / 2; west is x-1, north y-1; cyclic in y\n"
            "Recv(int, from north)\n"
            "Recv(int, from west or nobody, tag 1)\n"
            "Send(int, to east or around, tag 2)\n");
}

// The first rank has no neighbor in either of two steps, and so one value.
TEST(Grids, NeighborsByStepOfWhichTheFirstRankHasNone) {
  EXPECT_EQ(listing("ranks 6\n"
                    "8:\n"
                    "  2: MPI_Recv count=1 datatype=MPI_INT tag=0 source=[MPI_PROC_NULL "
                    "{MPI_PROC_NULL 0 ...} {0 MPI_PROC_NULL ...} {1 2 ...} {2 MPI_PROC_NULL ...} "
                    "{3 4 ...}]\n"),
            "# 2 x 3 grid: x = rank % 2, y = rank / 2; west is x-1, north y-1\n"
            "8 times: 2 times: Recv(int, from {(north or nobody) (west or nobody)})\n");
}

TEST(Trees, ParentsAreRanksWithoutTheirLowestBit) {
  EXPECT_EQ(listing("ranks 7\n"
                    "[0 1 1 1 1 1 1]: MPI_Send count=1 datatype=MPI_INT tag=0 "
                    "dest=[0 0 0 2 0 4 4]\n"),
            "if rank > 0: Send(int, to rank & rank - 1)\n");
}

TEST(Tables, HaveAValueForEachThread) {
  EXPECT_EQ(listing("ranks 2\nthreads 2\nMPI_Send count=1 datatype=MPI_INT tag=[3 9 4 1] dest=0\n"),
            "Send(int, to 0, tag by rank and thread {3 9 4 1})\n");
  EXPECT_EQ(listing("ranks 4\nMPI_Send count=1 datatype=MPI_INT tag=[3 9 4 1] dest=0\n"),
            "Send(int, to 0, tag by rank {3 9 4 1})\n");
}

TEST(Buffers, AreSaidWhereTheyAreNotOrdinary) {
  EXPECT_EQ(listing("ranks 2\nMPI_Reduce sendbuf=[MPI_IN_PLACE 0] count=1 datatype=MPI_INT "
                    "op=MPI_SUM root=0\n"),
            "Reduce(sendbuf (MPI_IN_PLACE if rank == 0), int, sum, root 0)\n");
  EXPECT_EQ(listing("ranks 2\n3: MPI_Reduce sendbuf={0 MPI_IN_PLACE 0} count=1 datatype=MPI_INT "
                    "op=MPI_SUM root=0\n"),
            "3 times: Reduce(sendbuf {buffer MPI_IN_PLACE buffer}, int, sum, root 0)\n");
}

}  // namespace
}  // namespace reprise::write
