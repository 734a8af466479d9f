// Why a launcher finds no program among its words.
#include "cli/record/programs.hpp"

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
    fs::create_directory("run");
    for (const char* file : {"halo.c", "halo", "hosts", "run/ring"})
      std::ofstream(file) << "something";
    for (const char* file : {"halo", "run/ring"}) fs::permissions(file, fs::perms::owner_all);
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
  EXPECT_EQ(why_no_program_in({"--hostfile", "./hosts", "halo"}),
            "halo is not in PATH, but ./halo is there");
  EXPECT_EQ(why_no_program_in({"--wdir", "./run", "./hallo"}), "./hallo does not exist");
  EXPECT_EQ(why_no_program_in({"-n", "2", "--oversubscribe", "./hallo"}), "./hallo does not exist");
  // An argument of the program is none.
  EXPECT_EQ(why_no_program_in({"-n", "2", "./halo.c", "halo"}), "./halo.c is not executable");
  EXPECT_EQ(why_no_program_in({"-n", "2", "./hallo", "halo"}), "./hallo does not exist");
}

TEST_F(NoProgram, SaysNothingWhereThereMayBeOne) {
  EXPECT_EQ(why_no_program_in({"-n", "2", "./halo", "./halo.c"}), "");
  EXPECT_EQ(why_no_program_in({"-n", "2", "sh", "./halo.c"}), "");
  EXPECT_EQ(why_no_program_in({"-n", "2", "anything"}), "");
  EXPECT_EQ(why_no_program_in({"--app", "./hosts"}), "");
  EXPECT_EQ(why_no_program_in({"-configfile", "./hosts"}), "");
  EXPECT_EQ(why_no_program_in({"--wdir", "./run", "./ring"}), "");
  EXPECT_EQ(why_no_program_in({"--hostfile", "./hosts", "anything"}), "");
}

TEST_F(NoProgram, AFolderIsNone) { EXPECT_EQ(why_no_program_in({"-n", "2", "./run"}), ""); }

}  // namespace
}  // namespace reprise::cli
