// Which parts in $TMPDIR are of a run, where others have the same name.
#include "cli/parts.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "compress/process.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

// A folder for outputs, and another that is $TMPDIR.
class MovedParts : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "reprise-parts-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(name.data()));
    root_ = name;
    fs::create_directories(output_folder());
    fs::create_directories(elsewhere());
    const char* former = std::getenv("TMPDIR");
    former_ = former ? former : "";
    ::setenv("TMPDIR", elsewhere().c_str(), 1);
  }
  void TearDown() override {
    if (former_.empty()) {
      ::unsetenv("TMPDIR");
    } else {
      ::setenv("TMPDIR", former_.c_str(), 1);
    }
    fs::remove_all(root_);
  }

  fs::path output_folder() const { return root_ / "out"; }
  fs::path elsewhere() const { return root_ / "tmp"; }
  std::string output() const { return (output_folder() / "app").string(); }

  // Returns its name.
  static std::string write_part(const fs::path& folder, std::uint64_t rank, std::uint64_t run) {
    compress::Process p;
    p.rank = rank;
    p.ranks = 4;
    p.run = run;
    const std::string name = (folder / ("app.part-" + std::to_string(rank))).string();
    EXPECT_TRUE(write_file(name, p.encode()));
    return name;
  }

  Parts found() const { return parts_of_run(output(), begin_); }

 private:
  fs::path root_;
  std::string former_;
  fs::file_time_type begin_ = fs::file_time_type::clock::now() - std::chrono::seconds(5);
};

using Names = std::vector<std::string>;

TEST_F(MovedParts, AreOfTheRunOfThoseBesideTheOutput) {
  write_part(output_folder(), 0, 7);
  const std::string own = write_part(elsewhere(), 1, 7);
  write_part(elsewhere(), 2, 8);
  const Parts parts = found();
  EXPECT_EQ(parts.moved, Names{own});
  EXPECT_TRUE(parts.is_moved_known);
  EXPECT_EQ(parts.moved_names, own) << "a pattern would match the other run's";
  EXPECT_TRUE(merge_ranks(parts.all()));
}

TEST_F(MovedParts, AreNamedByAPatternWhereThereAreNoOthers) {
  write_part(output_folder(), 0, 7);
  write_part(elsewhere(), 1, 7);
  EXPECT_EQ(found().moved_names, (elsewhere() / "app.part-*").string());
}

TEST_F(MovedParts, ThatAProcessWritesAreOfAnotherRun) {
  const std::string part = write_part(elsewhere(), 1, 7);
  const int file = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(found().empty());
  ::close(file);
  EXPECT_EQ(found().moved, Names{part});
}

TEST_F(MovedParts, OfAnEarlierRunAreLeftOut) {
  const std::string part = write_part(elsewhere(), 1, 7);
  fs::last_write_time(part, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(found().empty());
}

TEST_F(MovedParts, AloneAreOfAnUnknownRun) {
  write_part(elsewhere(), 1, 7);
  EXPECT_FALSE(found().is_moved_known);
}

}  // namespace
}  // namespace reprise::cli
