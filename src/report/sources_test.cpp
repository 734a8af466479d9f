#include "report/sources.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analyze/program_text.hpp"

namespace reprise::report {
namespace {

namespace fs = std::filesystem;

class Sources : public ::testing::Test {
 protected:
  Sources() : folder_(fs::path(::testing::TempDir()) / "reprise-sources") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "in" / "a");
    fs::create_directories(folder_ / "in" / "b");
  }
  ~Sources() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  nlohmann::ordered_json sources(const std::string& file) const {
    const trace::Trace t = analyze::parse_program("ranks 2\nMPI_Barrier @ main " + file + ":1\n");
    const auto out = sources_of(t, folder_ / "in");
    EXPECT_TRUE(out);
    return out ? *out : nlohmann::ordered_json();
  }

  fs::path folder_;
};

TEST_F(Sources, AreTextOfFilesInTheFolder) {
  write("in/a/app.c", "int main() {}\n");
  const auto out = sources("app.c");
  ASSERT_EQ(out["files"].size(), 1u);
  EXPECT_EQ(out["files"][0]["name"], "app.c");
  EXPECT_EQ(out["files"][0]["path"], "a/app.c");
  EXPECT_EQ(out["files"][0]["text"], "int main() {}\n");
  EXPECT_TRUE(out["missing"].empty());
}

TEST_F(Sources, AreThoseWhoseFoldersFit) {
  write("in/a/app.c", "a");
  write("in/b/app.c", "b");
  EXPECT_EQ(sources("/home/me/b/app.c")["files"][0]["text"], "b");
  const auto unclear = sources("app.c");
  EXPECT_TRUE(unclear["files"].empty());
  EXPECT_EQ(unclear["missing"][0]["why"], "2 files of the folder may be meant");
}

TEST_F(Sources, AreNeverOutsideTheFolder) {
  write("secret.c", "secret");
  fs::create_symlink(folder_ / "secret.c", folder_ / "in" / "a" / "secret.c");
  for (const std::string& name :
       {std::string("secret.c"), std::string("../secret.c"), (folder_ / "secret.c").string()}) {
    const auto out = sources(name);
    EXPECT_TRUE(out["files"].empty()) << name;
    EXPECT_EQ(out["missing"][0]["why"], "it is not in the folder");
  }
}

TEST_F(Sources, AreBounded) {
  write("in/app.c", std::string(kMostOfASource + 1, ' '));
  const auto out = sources("app.c");
  EXPECT_TRUE(out["files"].empty());
  EXPECT_EQ(out["missing"].size(), 1u);
}

TEST_F(Sources, NeedAFolder) {
  const trace::Trace t = analyze::parse_program("ranks 2\nMPI_Barrier\n");
  EXPECT_FALSE(sources_of(t, folder_ / "nowhere"));
}

}  // namespace
}  // namespace reprise::report
