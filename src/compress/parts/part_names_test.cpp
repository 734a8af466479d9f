// Where parts go for which there is no room beside the output.
#include "compress/parts/part_names.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace reprise::compress {
namespace {

namespace fs = std::filesystem;

TEST(PartNames, HaveTheRankBehindTheOutput) {
  EXPECT_EQ(part_path("out/app.reprise", 3), "out/app.reprise.part-3");
}

TEST(PartNames, OutputsOfOneNameInTwoFoldersDoNotMeet) {
  const std::string a = moved_output("/runs/a/app"), b = moved_output("/runs/b/app");
  EXPECT_NE(a, b);
  EXPECT_EQ(fs::path(a).parent_path(), fs::path(b).parent_path());
  EXPECT_NE(fs::path(a).parent_path(), fs::path("/runs/a"));
  EXPECT_TRUE(fs::path(a).filename().string().starts_with("app-")) << a;
}

TEST(PartNames, AreTheSameHoweverThePathIsWritten) {
  const std::string here = (fs::current_path() / "app").string();
  EXPECT_EQ(moved_output("app"), moved_output(here));
  EXPECT_EQ(moved_output("./app"), moved_output(here));
  EXPECT_EQ(moved_output("/runs/a/../a/app"), moved_output("/runs/a/app"));
}

}  // namespace
}  // namespace reprise::compress
