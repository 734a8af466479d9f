// Which parts are of a run, where some had no room beside the output.
#include "cli/parts.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "compress/part_names.hpp"
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

  // A part of a run whose output is `output`. Returns its name.
  static std::string write_part(const std::string& output, std::uint64_t rank) {
    compress::Process p;
    p.rank = rank;
    p.ranks = 4;
    std::string name = compress::part_path(output, rank);
    EXPECT_TRUE(write_file(name, p.encode()));
    return name;
  }
  std::string moved() const { return compress::moved_output(output()); }

  Parts found() const { return parts_of_run(output(), begin_); }

 private:
  fs::path root_;
  std::string former_;
  fs::file_time_type begin_ = fs::file_time_type::clock::now() - std::chrono::seconds(5);
};

using Names = std::vector<std::string>;

TEST_F(MovedParts, AreFoundBesideThoseThatHadRoom) {
  const std::string first = write_part(output(), 0), second = write_part(moved(), 1);
  const Parts parts = found();
  EXPECT_EQ(parts.all(), (Names{first, second}));
  EXPECT_EQ(parts.moved_names, moved() + ".part-*");
  EXPECT_TRUE(merge_ranks(parts.all()));
}

TEST_F(MovedParts, OfAnOutputInAnotherFolderAreLeftOut) {
  write_part(compress::moved_output((elsewhere() / "app").string()), 1);
  EXPECT_TRUE(found().empty());
}

TEST_F(MovedParts, ThatAProcessWritesAreLeftOut) {
  const std::string part = write_part(moved(), 1);
  const int file = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(found().empty());
  ::close(file);
  EXPECT_EQ(found().moved, Names{part});
}

TEST_F(MovedParts, OfAnEarlierRunAreLeftOut) {
  const std::string part = write_part(moved(), 1);
  fs::last_write_time(part, fs::file_time_type::clock::now() - std::chrono::hours(1));
  const std::string own = write_part(moved(), 2);
  EXPECT_EQ(found().moved, Names{own});
  EXPECT_EQ(found().moved_names, own) << "a pattern would match the other one";
}

}  // namespace
}  // namespace reprise::cli
