#include "convert/sorter.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <cerrno>

#include <filesystem>
#include <random>

namespace reprise::convert {
namespace {

std::string scratch_path() {
  return (std::filesystem::temp_directory_path() / ("reprise-sorter-" + std::to_string(::getpid())))
      .string();
}

std::vector<int> sorted(const std::vector<int>& numbers, std::size_t memory) {
  Sorter<int> sorter(scratch_path(), memory);
  for (const int n : numbers) sorter.add(n);
  sorter.sort();
  std::vector<int> out;
  while (const int* const n = sorter.next()) out.push_back(*n);
  EXPECT_EQ(sorter.error(), 0);
  EXPECT_FALSE(std::filesystem::exists(scratch_path()));
  return out;
}

TEST(Sorter, SortsInMemoryAndInRuns) {
  std::mt19937 random(1);
  for (const std::size_t size : {0, 1, 10, 1000}) {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < size; ++i) numbers.push_back(static_cast<int>(random() % 500));
    std::vector<int> wanted = numbers;
    std::ranges::sort(wanted);
    for (const std::size_t memory :
         {std::size_t{4}, std::size_t{40}, std::size_t{400}, Sorter<int>::kMemory})
      EXPECT_EQ(sorted(numbers, memory), wanted) << size << " numbers in " << memory << " bytes";
  }
}

TEST(Sorter, TellsWhereThereIsNoRoom) {
  Sorter<int> sorter("/nonexistent/scratch", 8);
  for (int i = 0; i < 10; ++i) sorter.add(i);
  sorter.sort();
  while (sorter.next()) {
  }
  EXPECT_EQ(sorter.error(), ENOENT);
}

}  // namespace
}  // namespace reprise::convert
