// Parts: those that had no room beside their output, and what they say of the end of their ranks.
#include "cli/record/parts.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "analyze/ends.hpp"
#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/record/outputs.hpp"
#include "cli/record/rank_wait.hpp"
#include "compress/parts/part_layout.hpp"
#include "compress/parts/part_names.hpp"
#include "compress/process.hpp"
#include "trace/file/file.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

using Ranks = std::vector<std::uint64_t>;

constexpr std::uint64_t kRanks = 4;

// A rank that has called these functions so often, one behind the other.
struct Calls {
  std::string function;
  std::uint64_t times = 1;
};

compress::Process process_of(std::uint64_t rank, const std::vector<Calls>& calls) {
  compress::Process p;
  p.rank = rank;
  p.ranks = kRanks;
  p.comms = {{static_cast<std::int64_t>(rank), static_cast<std::int64_t>(kRanks)}, {0, 1}};
  p.own.comms.resize(2);
  compress::StreamFolder folder;
  std::vector<compress::SiteName> names;
  for (const Calls& c : calls) {
    const trace::FunctionId function = *trace::find_function(c.function);
    const trace::Function& f = trace::function(function);
    const std::vector<std::int64_t> record(f.scalars.size() + f.lists.size(), 0);
    for (std::uint64_t i = 0; i < c.times; ++i)
      folder.add({function, 0}, {f.scalars.size(), f.lists.size()}, record);
    const std::uint64_t path =
        p.own.callpaths.add_path({{p.own.callpaths.add_module({"/bin/app", "12"}), names.size()}});
    names.push_back({c.function, path});
  }
  p.streams.push_back(folder.finish());
  p.own.graph = compress::FlowGraph(p.streams.back(), names);
  p.names.push_back(std::move(names));
  return p;
}

// Locks a file, as the recorder that writes it does. Returns its descriptor.
int lock(const std::string& name) {
  const int file = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  return file;
}

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

  // A part of a run whose output is `output`, of a recorder that had the lock on it. Returns its
  // name.
  static std::string write_part(const std::string& output, const compress::Process& process) {
    using compress::PartLayout;
    const std::vector<std::uint8_t> body = process.encode();
    PartLayout::Header header{};
    std::memcpy(header.magic, trace::kPartMagic.data(), sizeof header.magic);
    header.version = PartLayout::kVersion;
    header.table = PartLayout::hash_of_table();
    header.rank = process.rank;
    header.ranks = process.ranks;
    header.slots = 1;
    header.bodies[0] = {PartLayout::kBodies, body.size()};
    std::vector<std::uint8_t> bytes(PartLayout::kBodies);
    bytes.insert(bytes.end(), body.begin(), body.end());
    std::string name = compress::part_path(output, process.rank);
    EXPECT_TRUE(write_file(name, bytes));
    const int file = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
    header.lock = lock_identity(file);
    EXPECT_EQ(::pwrite(file, &header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
    ::close(file);
    return name;
  }
  static std::string write_part(const std::string& output, std::uint64_t rank) {
    return write_part(output, process_of(rank, {}));
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
  const int file = lock(part);
  EXPECT_THROW(Outputs(output(), false).check(true), CommandError);
  ::close(file);
}

TEST_F(MovedParts, OfRanksThatRunAreWaitedForAndStay) {
  const std::string running = write_part(output(), 1), ended = write_part(output(), 2);
  const int file = lock(running);
  const auto find_parts = [this] { return parts_of(output()).all(); };
  EXPECT_FALSE(wait_for_ranks(find_parts, std::chrono::milliseconds{1}));
  EXPECT_EQ(running_ranks(parts_of(output())), Ranks{1});
  const auto merged = merge_ranks(find_parts());
  ASSERT_TRUE(merged);
  const analyze::Ends ends = analyze::ends_of(*merged);
  EXPECT_EQ(ends.running, Ranks{1});
  EXPECT_EQ(ends.unseen, Ranks{});
  EXPECT_EQ(ends.no_part, (Ranks{0, 3}));
  const std::vector<analyze::Death> deaths = analyze::deaths_of(*merged);
  ASSERT_EQ(deaths.size(), 1U);
  EXPECT_EQ(deaths.front().cause, analyze::Death::Cause::unknown);
  EXPECT_EQ(deaths.front().ranks, Ranks{2});
  const Outputs outputs(output(), false);
  outputs.remove_parts();
  EXPECT_EQ(find_parts().size(), 2U) << "the run may go on";
  ::close(file);
  EXPECT_TRUE(wait_for_ranks(find_parts, std::chrono::milliseconds{1}));
  outputs.remove_parts();
  EXPECT_TRUE(find_parts().empty());
}

// As where the file system has no locks, or on another node.
TEST_F(MovedParts, OfWhichNoLockCanBeSeenMayBeOfRanksThatRun) {
  const std::string name = compress::part_path(output(), 1);
  ASSERT_TRUE(write_file(name, process_of(1, {{"MPI_Init"}}).encode()));
  const std::string original = write_part(output(), process_of(2, {{"MPI_Init"}}));
  const int file = lock(original);
  const std::string copy = moved() + ".part-2";
  ASSERT_TRUE(fs::copy_file(original, copy));
  const auto merged = merge_ranks({name, copy});
  ASSERT_TRUE(merged);
  const analyze::Ends ends = analyze::ends_of(*merged);
  EXPECT_EQ(ends.running, Ranks{});
  EXPECT_EQ(ends.unseen, (Ranks{1, 2}));
  for (const analyze::Death& death : analyze::deaths_of(*merged))
    EXPECT_EQ(death.cause, analyze::Death::Cause::unseen);
  ::close(file);
}

// Rank 0 ended all, and said so by a call: no part has a signal.
TEST_F(MovedParts, OfOthersTellThatARankLeftNone) {
  write_part(output(), process_of(0, {{"MPI_Init"}, {"MPI_Abort"}}));
  write_part(output(), process_of(2, {{"MPI_Init"}, {"MPI_Finalize"}}));
  const auto merged = merge_ranks(parts_of(output()).all());
  ASSERT_TRUE(merged);
  EXPECT_EQ(analyze::ends_of(*merged).no_part, (Ranks{1, 3}));
}

TEST_F(MovedParts, WithoutCallsAreThereAllTheSame) {
  for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
    compress::Process p = process_of(rank, {});
    if (rank == 3) p = process_of(rank, {{"MPI_Init"}});
    p.mpi = "SMPI";
    if (rank == 3) {
      p.tails.resize(1);
      p.tails.front().signal = 11;
    }
    ASSERT_TRUE(write_file(compress::part_path(output(), rank), p.encode()));
  }
  const auto merged = merge_ranks(parts_of(output()).all());
  ASSERT_TRUE(merged);
  EXPECT_EQ(analyze::ends_of(*merged).no_part, Ranks{});
  EXPECT_EQ(analyze::ends_of(*merged).silent, (Ranks{0, 1, 2}));
}

// The other ranks have closed MPI as often as they had opened it.
TEST_F(MovedParts, OfARankWithAnOpenSessionHaveNotEndedMpi) {
  const std::string open = "MPI_Session_init", close = "MPI_Session_finalize";
  write_part(output(), process_of(0, {{open, 3}, {close, 2}}));
  write_part(output(), process_of(1, {{open, 3}, {close, 3}}));
  write_part(output(), process_of(2, {{"MPI_Init"}, {open}, {close}}));
  write_part(output(), process_of(3, {{"MPI_Init"}, {open}, {close}, {"MPI_Finalize"}}));
  const auto merged = merge_ranks(parts_of(output()).all());
  ASSERT_TRUE(merged);
  EXPECT_EQ(analyze::ends_of(*merged).cut_short, (Ranks{0, 2}));
  Ranks ended;
  for (const analyze::Death& death : analyze::deaths_of(*merged))
    ended.insert(ended.end(), death.ranks.begin(), death.ranks.end());
  std::ranges::sort(ended);
  EXPECT_EQ(ended, (Ranks{0, 2}));
}

TEST(RankWait, SaysWhichRanksRun) {
  EXPECT_EQ(running_text({0, 1, 2}, false),
            "ranks 0..2 are still running 30 s after the command has ended");
  EXPECT_EQ(running_text({3}, true), "rank 3 is running, having begun after the command had ended");
}

}  // namespace
}  // namespace reprise::cli
