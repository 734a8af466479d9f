#include "generate/language.hpp"

#include <gtest/gtest.h>

namespace reprise::generate {
namespace {

TEST(Languages, AreFoundByName) {
  ASSERT_NE(find_language("c"), nullptr);
  EXPECT_EQ(find_language("c")->suffix(), ".c");
  EXPECT_EQ(find_language("basic"), nullptr);
}

}  // namespace
}  // namespace reprise::generate
