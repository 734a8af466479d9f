#include "extrapolate/inputs/command_numbers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace reprise::extrapolate {
namespace {

std::set<std::int64_t> numbers(const std::vector<std::string>& commands) {
  return numbers_in_commands(commands);
}

TEST(CommandNumbers, AreThoseThatAllCommandsHave) {
  EXPECT_EQ(numbers({"mpiexec -n 16 ./p2p 4 240 96", "mpiexec -n 32 ./p2p 4 240 96"}),
            (std::set<std::int64_t>{96, 240}));
  EXPECT_EQ(numbers({"./a --size=480x96 -n 16", "./a --size=480x100 -n 16"}),
            (std::set<std::int64_t>{16, 480}));
}

TEST(CommandNumbers, AreNoPartsOfOthers) {
  EXPECT_TRUE(numbers({"./a64 1.50 25.5 1e10 in_32.txt 1234567890123 7"}).empty());
  EXPECT_TRUE(
      numbers({"/home/u-2024/run-12/a --mask 0x100 --eps=2.5e-10 -t 1.e+12 1d-20"}).empty());
  EXPECT_EQ(numbers({"./bin/a 100x200x30 0x50"}), (std::set<std::int64_t>{30, 100, 200}));
  EXPECT_TRUE(numbers({}).empty());
}

}  // namespace
}  // namespace reprise::extrapolate
