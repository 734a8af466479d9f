#include "generate/c_layout.hpp"

#include <gtest/gtest.h>

namespace reprise::generate {
namespace {

using Lines = std::vector<std::string>;

TEST(Layout, PutsALoopOverOneCallOnALine) {
  Layout layout;
  layout.line(1, "for (int i = 0; i < 4; i++) {");
  layout.call(2, {"do_swap(i);"}, "");
  layout.line(1, "}");
  EXPECT_EQ(layout.lines(), (Lines{"  for (int i = 0; i < 4; i++) do_swap(i);"}));
}

TEST(Layout, LeavesLoopsOverMore) {
  Layout layout;
  layout.line(1, "for (int i = 0; i < 4; i++) {");
  layout.call(2, {"at(1, 5);", "MPI_Barrier(WORLD);"}, "/* main:1 */");
  layout.line(1, "}");
  EXPECT_EQ(layout.lines().size(), 3U);
}

TEST(Layout, SaysTheFunctionAgainWhereThereIsRoom) {
  Layout layout;
  const std::string wide = "MPI_Send(" + std::string(91, 'x') + ");";
  layout.call(1, {"at(1, 5);", "MPI_Barrier(WORLD);"}, "/* main:1 */");
  layout.call(1, {"at(2, 5);", "MPI_Barrier(WORLD);"}, "/* main:2 */");
  layout.call(1, {"a();", wide}, "/* main:3 */");
  layout.call(1, {"a();", wide}, "/* other:4 */");
  const Lines lines = layout.lines();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1], "  at(2, 5); MPI_Barrier(WORLD); /* main:2 */");
  EXPECT_EQ(lines[2], "  a(); " + wide + " /* :3 */");
  EXPECT_EQ(lines[3], "  a(); /* other:4 */");
}

TEST(Layout, DeclaresAVariableOnceInABlock) {
  Layout layout;
  const std::vector<std::string> call{"MPI_Request *named_3 = last(1);", "wait(named_3);"};
  layout.line(1, "if (rank == 0) {");
  layout.call(2, call, "", 3);
  layout.line(1, "}");
  layout.call(1, call, "", 3);
  layout.call(1, call, "", 3);
  EXPECT_EQ(layout.lines(),
            (Lines{"  if (rank == 0) {", "    MPI_Request *named_3 = last(1); wait(named_3);",
                   "  }", "  MPI_Request *named_3 = last(1); wait(named_3);", "  {",
                   "    MPI_Request *named_3 = last(1); wait(named_3);", "  }"}));
}

}  // namespace
}  // namespace reprise::generate
