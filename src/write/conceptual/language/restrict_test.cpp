#include "write/conceptual/language/restrict.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "expr/parse.hpp"
#include "expr/print.hpp"

namespace reprise::write::conceptual {
namespace {

std::string on(const std::string& text, const std::vector<std::uint64_t>& ranks) {
  return expr::print(restricted(*expr::parse(text), ranks, 4));
}

TEST(Restricted, LeavesOutWhatIsKnown) {
  EXPECT_EQ(on("rank % 2 == 0 ? 3 : 2", {0, 2}), "3");
  EXPECT_EQ(on("rank % 2 == 0 ? 3 : 2", {1, 3}), "2");
  EXPECT_EQ(on("i1 < (rank % 2 == 0 ? 3 : 2)", {0}), "i1 < 3");
  EXPECT_EQ(on("rank > 0 && i1 > 0", {1, 2}), "i1 > 0");
}

TEST(Restricted, KeepsWhatDiffers) {
  for (const char* text : {"rank % 2 == 0 ? 3 : 2", "i1 < rank ? 5 : 0", "rank + 1"})
    EXPECT_EQ(on(text, {1, 2}), text);
  EXPECT_EQ(on("rank < 4 ? 3 : 2", {0, 1, 2, 3}), "rank < 4 ? 3 : 2");
}

}  // namespace
}  // namespace reprise::write::conceptual
