// Parts that had no room beside their output.
#include "cli/parts.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "analyze/ends.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/rank_wait.hpp"
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

 private:
  fs::path root_;
  std::string former_;
};

using Names = std::vector<std::string>;

TEST_F(MovedParts, AreFoundBesideThoseThatHadRoom) {
  const std::string first = write_part(output(), 0), second = write_part(moved(), 1);
  const Parts parts = parts_of(output());
  EXPECT_EQ(parts.beside, Names{first});
  EXPECT_EQ(parts.moved, Names{second});
  EXPECT_TRUE(merge_ranks(parts.all()));
  EXPECT_EQ(merge_command(parts, output()),
            "reprise merge -o " + output() + " " + output() + ".part-* " + moved() + ".part-*");
}

TEST_F(MovedParts, OfAnOutputInAnotherFolderAreLeftOut) {
  write_part(compress::moved_output((elsewhere() / "app").string()), 1);
  EXPECT_TRUE(parts_of(output()).empty());
}

TEST_F(MovedParts, OfAnEarlierRunAreNotReplaced) {
  const std::string part = write_part(moved(), 1);
  const Outputs outputs(output(), false);
  try {
    outputs.check(false);
    FAIL() << "they may be the only copy";
  } catch (const CommandError& e) {
    EXPECT_NE(e.message.find("reprise merge -o " + output() + " " + moved() + ".part-*"),
              std::string::npos)
        << e.message;
  }
  outputs.check(true);
  outputs.make_room();
  EXPECT_FALSE(fs::exists(part)) << "with --force they are";
}

TEST_F(MovedParts, ThatAProcessWritesAreNotReplaced) {
  const std::string part = write_part(moved(), 1);
  const int file = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  EXPECT_THROW(Outputs(output(), false).check(true), CommandError);
  ::close(file);
}

TEST_F(MovedParts, OfRanksThatRunAreWaitedForAndStay) {
  const std::string running = write_part(output(), 1), ended = write_part(output(), 2);
  const int file = ::open(running.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  const auto find_parts = [this] { return parts_of(output()).all(); };
  EXPECT_FALSE(wait_for_ranks(find_parts, std::chrono::milliseconds{1}));
  const auto merged = merge_ranks(find_parts());
  ASSERT_TRUE(merged);
  const analyze::Ends ends = analyze::ends_of(*merged);
  EXPECT_EQ(ends.running, std::vector<std::uint64_t>{1});
  EXPECT_EQ(ends.unknown, (std::vector<std::uint64_t>{0, 3}));
  const std::vector<analyze::Death> deaths = analyze::deaths_of(*merged);
  ASSERT_EQ(deaths.size(), 1U);
  EXPECT_EQ(deaths.front().cause, analyze::Death::Cause::unknown);
  EXPECT_EQ(deaths.front().ranks, std::vector<std::uint64_t>{2});
  const Outputs outputs(output(), false);
  outputs.remove_parts();
  EXPECT_EQ(find_parts().size(), 2U) << "the run may go on";
  ::close(file);
  EXPECT_TRUE(wait_for_ranks(find_parts, std::chrono::milliseconds{1}));
  outputs.remove_parts();
  EXPECT_TRUE(find_parts().empty());
}

}  // namespace
}  // namespace reprise::cli
