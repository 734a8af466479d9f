#include "base/output_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace reprise {
namespace {

TEST(OutputFile, WritesPiecesAndReplacesThem) {
  const std::string path = testing::TempDir() + "reprise-output-file";
  OutputFile file(path);
  file.write("one 000 ");
  file.overwrite(4, "two");
  file.write("three");
  EXPECT_EQ(file.size(), 13u);
  ASSERT_TRUE(file.close());
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "one two three");
  std::remove(path.c_str());
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  OutputFile nowhere("/nowhere/at/all");
  nowhere.write("text");
  const Status missing = nowhere.close();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "/nowhere/at/all cannot be written (No such file or directory); choose another output");
  OutputFile full("/dev/full");
  full.write("text");
  const Status written = full.close();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            "/dev/full cannot be written (No space left on device); choose another output");
}

}  // namespace
}  // namespace reprise
