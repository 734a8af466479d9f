#include "analyze/symbols/wrappers.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analyze/program_text.hpp"

namespace reprise::analyze {
namespace {

using Names = std::set<std::string>;

// `loops`: the functions that have some.
Names wrappers(const std::string& text, const Names& loops = {}) {
  const trace::Trace t = parse_program("ranks 4\n" + text);
  const auto has_loop = [&](std::uint32_t frame) {
    return loops.contains(t.texts[t.frames[frame].function]);
  };
  Names out;
  for (const trace::Wrapper& w : find_wrappers(t, has_loop)) out.insert(t.texts[w.function]);
  return out;
}

TEST(Wrappers, PassOneCallOnForSeveralFunctions) {
  const std::string text =
      "MPI_Allreduce @ main a.c:9 > setup a.c:4 > sum a.c:2\n"
      "MPI_Allreduce @ main a.c:9 > solve a.c:5 > sum a.c:2\n"
      "MPI_Barrier @ main a.c:10\n";
  EXPECT_EQ(wrappers(text), Names{"sum"});
  EXPECT_EQ(wrappers(text, {"sum"}), Names()) << "it computes";
}

TEST(Wrappers, AreNotWhatOneFunctionOfTheFileCalls) {
  EXPECT_EQ(wrappers("MPI_Allreduce @ main a.c:9 > hottest a.c:2\n"
                     "MPI_Allreduce @ main a.c:12 > hottest a.c:2\n"),
            Names());
}

TEST(Wrappers, AreNotWhatMakesSeveralCalls) {
  EXPECT_EQ(wrappers("MPI_Irecv @ main a.c:9 > first a.c:4 > trade b.c:2\n"
                     "MPI_Isend @ main a.c:9 > first a.c:4 > trade b.c:3\n"
                     "MPI_Irecv @ main a.c:9 > second a.c:5 > trade b.c:2\n"
                     "MPI_Isend @ main a.c:9 > second a.c:5 > trade b.c:3\n"),
            Names());
}

TEST(Wrappers, OfAnotherFileNeedTwoPlaces) {
  const std::string one = "MPI_Allreduce @ main a.c:9 > verdict h.h:2\n";
  EXPECT_EQ(wrappers(one), Names());
  EXPECT_EQ(wrappers(one + "MPI_Allreduce @ main a.c:12 > verdict h.h:2\n"), Names{"verdict"});
}

TEST(Wrappers, OfWrappers) {
  EXPECT_EQ(wrappers("MPI_Send @ main a.c:9 > step a.c:4 > put b.c:8 > raw_send b.c:2\n"
                     "MPI_Send @ main a.c:9 > step a.c:5 > put b.c:8 > raw_send b.c:2\n"
                     "MPI_Recv @ main a.c:9 > step a.c:6 > take c.c:8 > raw_recv d.c:2\n"
                     "MPI_Recv @ main a.c:9 > step a.c:7 > take c.c:8 > raw_recv d.c:2\n",
                     {"take"}),
            (Names{"put", "raw_send"}))
      << "one place calls raw_recv, and take computes";
}

TEST(Wrappers, AreAllFunctionsOfALayer) {
  const std::string text =
      "MPI_Bcast @ main a.f:1 > bcast comm.f:2\n"
      "MPI_Send @ main a.f:2 > send comm.f:4\n"
      "MPI_Recv @ main a.f:3 > recv comm.f:6\n"
      "MPI_Alltoallv @ main a.f:4 > exchange comm.f:8\n";
  EXPECT_EQ(wrappers(text, {"exchange"}), (Names{"bcast", "exchange", "recv", "send"}));
  EXPECT_EQ(wrappers(text, {"exchange", "send", "recv"}), Names());
  EXPECT_EQ(wrappers(text + "MPI_Isend @ main a.f:5 > halo comm.f:9\n"
                            "MPI_Wait @ main a.f:5 > halo comm.f:10\n"),
            (Names{"bcast", "exchange", "recv", "send"}))
      << "halo makes two calls";
  EXPECT_EQ(wrappers("MPI_Bcast @ main a.f:1 > bcast a.f:2\n"
                     "MPI_Send @ main a.f:2 > send a.f:4\n"
                     "MPI_Recv @ main a.f:3 > recv a.f:6\n"),
            Names())
      << "of the same file";
}

TEST(Wrappers, InstancesOfATemplateAreOne) {
  EXPECT_EQ(wrappers("MPI_Send @ main a.cpp:1 > put<int> comm.h:2\n"
                     "MPI_Send @ main a.cpp:2 > put<char> comm.h:2\n"),
            (Names{"put<char>", "put<int>"}));
}

TEST(Wrappers, NeedNames) { EXPECT_EQ(wrappers("MPI_Send\nMPI_Barrier\n"), Names()); }

}  // namespace
}  // namespace reprise::analyze
