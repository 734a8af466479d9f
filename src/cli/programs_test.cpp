// Why a launcher finds no program among its words.
#include "cli/programs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

// A folder to be in, with a source file and a program.
class NoProgram : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "reprise-programs-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(name.data()));
    folder_ = name;
    before_ = fs::current_path();
    fs::current_path(folder_);
    for (const char* file : {"halo.c", "halo"}) std::ofstream(file) << "something";
    fs::permissions("halo", fs::perms::owner_all);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

 private:
  fs::path folder_, before_;
};

TEST_F(NoProgram, SaysWhy) {
  EXPECT_EQ(why_no_program_in({"-n", "2", "./halo.c"}), "./halo.c is not executable");
  EXPECT_EQ(why_no_program_in({"-n", "2", "./hallo", "10"}), "./hallo does not exist");
  EXPECT_EQ(why_no_program_in({"-n", "2", "halo", "10"}),
            "halo is not in PATH, but ./halo is there");
}

TEST_F(NoProgram, SaysNothingWhereThereMayBeOne) {
  EXPECT_EQ(why_no_program_in({"-n", "2", "./halo", "./halo.c"}), "");
  EXPECT_EQ(why_no_program_in({"-n", "2", "sh", "./halo.c"}), "");
  EXPECT_EQ(why_no_program_in({"-n", "2", "anything"}), "");
}

}  // namespace
}  // namespace reprise::cli
