#include "generate/task_names.hpp"

#include <gtest/gtest.h>

namespace reprise::generate {
namespace {

const std::string kPass = "(i1*(3 IF t < 1 OTHERWISE 2)+i2)";

TEST(TaskNames, NamesWhatIsLongOnce) {
  TaskNames names;
  EXPECT_EQ(names.name_of("(i1*3+i2)"), "(i1*3+i2)");
  EXPECT_EQ(names.name_of(kPass), "k1");
  EXPECT_EQ(names.name_of(kPass), "k1");
  EXPECT_EQ(names.definitions("k1 < 7"), "LET k1 BE " + kPass + " WHILE ");
  EXPECT_EQ(names.definitions("i1 < 7"), "");
}

TEST(TaskNames, DefinesWhatOthersNeedFirst) {
  TaskNames names;
  names.name_of(kPass);
  const std::string second = "(5 IF k1 < 2 OTHERWISE (k1*7+1))";
  EXPECT_EQ(names.name_of(second), "k2");
  EXPECT_EQ(names.definitions("k2"),
            "LET k1 BE " + kPass + " WHILE LET k2 BE " + second + " WHILE ");
  EXPECT_TRUE(names.depends("k2", "t"));
  EXPECT_FALSE(names.depends("k2", "u"));
}

TEST(TaskNames, OfAnotherTaskAreOthers) {
  TaskNames names;
  names.name_of(kPass);
  EXPECT_EQ(names.for_task("k1 = t", "u"), "k2 = u");
  EXPECT_EQ(names.definitions("k2"), "LET k2 BE (i1*(3 IF u < 1 OTHERWISE 2)+i2) WHILE ");
  EXPECT_EQ(names.for_task("i1 = 3", "u"), "i1 = 3");
}

TEST(TaskNames, CanBeWrittenOut) {
  TaskNames names;
  names.name_of(kPass);
  EXPECT_EQ(names.written_out("k1 > 2", [](const auto&) { return true; }), kPass + " > 2");
}

// Each name stands twice in the next one: gone into each time, 60 of them would take 2^60 steps.
TEST(TaskNames, ChainsOfNamesTakeAStepForEach) {
  TaskNames names;
  std::string last = names.name_of(kPass);
  constexpr int kNames = 60;
  for (int i = 1; i < kNames; ++i)
    last =
        names.name_of("(" + last + " IF " + last + " > 1 OTHERWISE (" + std::to_string(i) + "))");
  EXPECT_EQ(last, "k60");
  EXPECT_TRUE(names.depends(last, "t"));
  EXPECT_EQ(names.for_task(last, "u"), "k120");
  EXPECT_EQ(names.for_task(last, "u"), "k120");
  const std::string all = names.definitions("k120");
  std::size_t lets = 0;
  for (std::size_t at = 0; (at = all.find("LET ", at)) != std::string::npos; ++at) ++lets;
  EXPECT_EQ(lets, std::size_t{kNames});
  EXPECT_THROW(names.written_out(last, [](const auto&) { return true; }), TooLong);
}

TEST(TaskNames, UsesWholeWords) {
  EXPECT_TRUE(uses("(t+1)", "t"));
  EXPECT_FALSE(uses("num_tasks", "t"));
}

}  // namespace
}  // namespace reprise::generate
