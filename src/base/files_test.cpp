#include "base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace reprise {
namespace {

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = testing::TempDir() + "reprise-files-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~Files() override {
    std::remove(path("a").c_str());
    ::rmdir(folder_.c_str());
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

const std::vector<std::uint8_t> kBytes{'m', 'a', 'g', 'i', 'c', 0, 1, 255};

TEST_F(Files, WhatIsWrittenIsRead) {
  ASSERT_TRUE(write_file(path("a"), kBytes));
  const auto read = read_file(path("a"), "magic", 100);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, kBytes);
  EXPECT_NE(::access((path("a.partial-") + std::to_string(::getpid())).c_str(), F_OK), 0);
}

TEST_F(Files, AnotherKindOfFileIsNotReadWhole) {
  const auto zeros = read_file("/dev/zero", "magic", 1000);
  ASSERT_TRUE(zeros);
  EXPECT_LE(zeros->size(), 16u);
}

TEST_F(Files, AFileThatIsTooLargeIsAnError) {
  ASSERT_TRUE(write_file(path("a"), kBytes));
  EXPECT_TRUE(read_file(path("a"), "magic", kBytes.size()));
  EXPECT_FALSE(read_file(path("a"), "magic", kBytes.size() - 1));
}

TEST_F(Files, FailuresSayWhy) {
  const auto missing = read_file(path("b"), "magic", 100);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
  EXPECT_FALSE(read_file(testing::TempDir(), "magic", 100));
  const Status status = write_file(path("b/c"), kBytes);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "open: No such file or directory");
}

TEST_F(Files, ANewFileNeverReplacesAnother) {
  const auto first = write_new_file(path("a"), kBytes);
  ASSERT_TRUE(first);
  EXPECT_TRUE(*first);
  const auto second = write_new_file(path("a"), std::vector<std::uint8_t>(10, 'x'));
  ASSERT_TRUE(second);
  EXPECT_FALSE(*second);
  EXPECT_EQ(*read_file(path("a"), "magic", 100), kBytes);
  EXPECT_NE(::access((path("a.partial-") + std::to_string(::getpid())).c_str(), F_OK), 0);
}

// Where two look for a lock at once, and one of them begins to hold it, that one waits.
TEST_F(Files, ALockIsTakenBehindOneThatIsHeldForAMoment) {
  ASSERT_TRUE(write_file(path("a"), kBytes));
  const int own = ::open(path("a").c_str(), O_RDWR), other = ::open(path("a").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(other, LOCK_SH | LOCK_NB), 0);
  EXPECT_FALSE(lock_file(own, std::chrono::milliseconds{0}));
  bool is_taken = false;
  std::thread recorder([&] { is_taken = lock_file(own, std::chrono::minutes{1}); });
  ASSERT_EQ(::flock(other, LOCK_UN), 0);
  recorder.join();
  EXPECT_TRUE(is_taken);
  EXPECT_TRUE(is_locked(path("a")));
  EXPECT_TRUE(lock_file(own, std::chrono::milliseconds{0})) << "it is held already";
  ::close(own);
  EXPECT_FALSE(is_locked(path("a")));
  ::close(other);
}

TEST_F(Files, ALockIsThatOfOneFile) {
  ASSERT_TRUE(write_file(path("a"), kBytes));
  const int file = ::open(path("a").c_str(), O_RDONLY);
  const std::uint64_t identity = lock_identity(file);
  EXPECT_NE(identity, 0U);
  EXPECT_EQ(lock_identity(path("a")), identity);
  ASSERT_TRUE(write_file(path("a"), kBytes));
  EXPECT_NE(lock_identity(path("a")), identity) << "a copy";
  EXPECT_EQ(lock_identity(path("b")), 0U);
  ::close(file);
}

TEST_F(Files, AFullDiskLeavesWhatWasThere) {
  ASSERT_TRUE(write_file(path("a"), kBytes));
  const std::string link = path("a.partial-") + std::to_string(::getpid());
  ASSERT_EQ(::symlink("/dev/full", link.c_str()), 0);
  const Status status = write_file(path("a"), std::vector<std::uint8_t>(10, 'x'));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "write: No space left on device");
  EXPECT_EQ(*read_file(path("a"), "magic", 100), kBytes);
}

}  // namespace
}  // namespace reprise
