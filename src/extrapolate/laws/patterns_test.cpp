#include "extrapolate/laws/patterns.hpp"

#include <gtest/gtest.h>

#include "expr/print.hpp"
#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {
namespace {

TEST(Patterns, AreRead) {
  const auto read = parse_patterns(
      "# of the app\n"
      "dest of MPI_Send in main app.c:40 = (rank + 1) % ranks  # a ring\n"
      "\n"
      "number of counts of MPI_Alltoallv = ranks\n"
      "participants of MPI_Bcast in app.c:7 =\n"
      "    rank % 2 == 0\n",
      "app.patterns");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 3U);
  const Pattern& first = (*read)[0];
  EXPECT_EQ(first.parameter, "dest");
  EXPECT_EQ(first.function, "MPI_Send");
  EXPECT_EQ(first.place, "main app.c:40");
  EXPECT_EQ(print(first.law), "(rank + 1) % ranks");
  EXPECT_EQ(first.origin, "app.patterns:2");
  EXPECT_EQ((*read)[1].parameter, "number of counts");
  EXPECT_EQ((*read)[1].function, "MPI_Alltoallv");
  EXPECT_EQ((*read)[1].place, "");
  EXPECT_EQ((*read)[2].parameter, "trip count");
  EXPECT_EQ(print((*read)[2].law), "rank % 2 == 0");
  EXPECT_EQ((*read)[2].origin, "app.patterns:5");
}

TEST(Patterns, ThatMakeNoSenseAreRefusedWithTheirLine) {
  for (const char* text : {"dest of MPI_Send", "dest = 1", "dest of MPI_Send in a b.c:1 = (rank"}) {
    const auto read = parse_patterns(std::string("\n") + text, "p");
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.starts_with("p:2 is not understood")) << read.error().message;
  }
}

TEST(Patterns, AreFoundByTheNamesOfMessages) {
  const auto read = parse_patterns(
      "dest of MPI_Send = 1\n"
      "dest of MPI_Send in app.c:40 = 2\n",
      "p");
  ASSERT_TRUE(read);
  const auto law_of = [&](const SlotName& slot) {
    const Pattern* found = find_pattern(*read, slot);
    return found == nullptr ? "" : print(found->law);
  };
  EXPECT_EQ(law_of({"main app.c:40", "MPI_Send", "dest"}), "2");
  EXPECT_EQ(law_of({"main app.c:4", "MPI_Send", "dest"}), "1");
  EXPECT_EQ(law_of({"main myapp.c:40", "MPI_Send", "dest"}), "1");
  EXPECT_EQ(law_of({"main app.c:40", "MPI_Send", "tag"}), "");
  EXPECT_EQ(law_of({"main app.c:40", "MPI_Ssend", "dest"}), "");
}

// Two loops that begin with a call have names of their own.
TEST(Patterns, TellNestedLoopsApart) {
  trace::Trace trace;
  trace.texts = {"", "main", "a.c"};
  trace.modules.emplace_back();
  trace.frames.push_back({.function = 1, .file = 2, .line = 7});
  trace.callpaths = {{0}};
  const std::vector<Site> sites = {{.function = *trace::find_function("MPI_Barrier")}};
  compress::LoopTree tree;
  tree.items = {{.body = {1}}, {.body = {2}}, {.site = 0}};
  const auto name = [&](std::uint32_t item) {
    return name_of({.item = item}, tree, sites, std::span(&trace, 1)).text();
  };
  EXPECT_EQ(name(2), "trip count of MPI_Barrier in main a.c:7");
  EXPECT_EQ(name(1), "loop trip count of MPI_Barrier in main a.c:7");
  EXPECT_EQ(name(0), "loop 2 trip count of MPI_Barrier in main a.c:7");
}

}  // namespace
}  // namespace reprise::extrapolate
