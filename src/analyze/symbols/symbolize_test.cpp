// A program that has no build id (this one) is itself only as long as its file is not newer than
// the run.
#include "analyze/symbols/symbolize.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <chrono>
#include <filesystem>
#include <limits>

#include "analyze/symbols/debug_info.hpp"

namespace reprise::analyze {
namespace {

[[gnu::noinline]] std::uint64_t address_within() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

std::uint64_t load_address() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uint64_t*>(out) = info->dlpi_addr;
        return 1;  // the first is the program
      },
      &base);
  return base;
}

std::string function_at(std::uint64_t address, std::int64_t date) {
  trace::Trace t;
  t.date = date;
  t.texts.emplace_back();
  t.modules = {{std::filesystem::read_symlink("/proc/self/exe").string(), ""}};
  t.frames = {{.module = 0, .offset = address - load_address()}};
  t.callpaths = {{0}};
  symbolize(t);
  return t.texts[t.frames[t.callpaths[0].front()].function];
}

TEST(Symbolize, ABinaryWithoutBuildIdIsKnownByItsDate) {
  const std::uint64_t here = address_within();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  EXPECT_NE(function_at(here, seconds), "");
  EXPECT_EQ(function_at(here, 1000), "") << "the file is newer than that run";
}

// A jump from one part of a function to another that the compiler moved elsewhere.
TEST(Symbolize, AJumpWithinAFunctionIsNoFrame) {
  trace::Trace t;
  t.date = std::numeric_limits<std::int64_t>::max();
  t.texts.emplace_back();
  t.modules = {{std::filesystem::read_symlink("/proc/self/exe").string(), ""}};
  t.frames = {{.module = 0, .offset = address_within() - load_address()},
              {.module = 0, .offset = address_within() - load_address()}};
  t.callpaths = {{0, 1}};
  trace::Trace with_jump = t;
  symbolize(t);
  EXPECT_EQ(t.callpaths[0].size(), 2u) << "a function that calls itself";
  symbolize(with_jump, 1);
  EXPECT_EQ(with_jump.callpaths[0].size(), 1u);
}

// A jump within a function is no call of it.
TEST(DebugInfo, FunctionsAreFoundByTheirBeginning) {
  const DebugInfo self({std::filesystem::read_symlink("/proc/self/exe").string(), ""},
                       std::numeric_limits<std::int64_t>::max());
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(&address_within) - load_address();
  const CodeRange all = self.function_at(begin);
  EXPECT_EQ(all.first, begin);
  EXPECT_GT(all.second, begin);
  EXPECT_EQ(self.function_at(begin + 1), CodeRange());
}

}  // namespace
}  // namespace reprise::analyze
