#include "base/nearest.hpp"

#include <gtest/gtest.h>

namespace reprise {
namespace {

const std::vector<std::string> kWords{"network.latency", "network.bandwidth", "node.latency"};

TEST(Nearest, IsTheWordWithTheFewestOtherLetters) {
  EXPECT_EQ(nearest(kWords, "network.latncy"), "network.latency");
  EXPECT_EQ(nearest(kWords, "nod.latency"), "node.latency");
  EXPECT_EQ(nearest(kWords, "network.latency"), "network.latency");
}

TEST(Nearest, IsAWordThatGoesOn) { EXPECT_EQ(nearest(kWords, "network.b"), "network.bandwidth"); }

TEST(Nearest, IsNoneWhereAllAreFar) {
  EXPECT_EQ(nearest(kWords, "colour"), "");
  EXPECT_EQ(nearest(kWords, ""), "");
  EXPECT_EQ(nearest({}, "word"), "");
}

}  // namespace
}  // namespace reprise
