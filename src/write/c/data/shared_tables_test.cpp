#include "write/c/data/shared_tables.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "trace/series/series_folder.hpp"

namespace reprise::write::c {
namespace {

program::Case list_of(std::uint64_t rank, bool each_time) {
  program::Sequence s;
  s.values = trace::fold_numbers(std::vector<std::uint64_t>{rank, 7, 3, 5});
  s.length = 4;
  s.each_time = each_time;
  program::Case out;
  out.who.streams = std::make_shared<const program::Streams>(program::Streams{rank});
  out.content = std::move(s);
  return out;
}

TEST(SharedTable, HasListsThatAreTheSameEachTimeBesideOthers) {
  program::Value v;
  v.cases = {list_of(0, false), list_of(1, true), list_of(2, false), list_of(3, false)};
  const auto apart = shared_table(v);
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->cases.size(), 3u);
  EXPECT_EQ(apart->apart.size(), 1u);
  const auto whole = shared_table(v, [](const program::Case&) { return true; });
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->cases.size(), 4u);
  EXPECT_FALSE(whole->first->each_time);
}

}  // namespace
}  // namespace reprise::write::c
