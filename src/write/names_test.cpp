#include "write/names.hpp"

#include <gtest/gtest.h>

namespace reprise::write {
namespace {

std::string as_is(std::string_view text) { return std::string(text); }

TEST(ProgramNames, FunctionsMayHaveTheSameOwnNames) {
  Names names({}, as_is);
  EXPECT_EQ(names.add("rank"), "rank");
  for (int function = 0; function < 2; ++function) {
    names.open_function(false);
    EXPECT_EQ(names.add_local("counts"), "counts");
    EXPECT_EQ(names.add_local("counts"), "counts_2");
    EXPECT_EQ(names.add_local("rank"), "rank_2");
    names.close_function();
  }
}

TEST(ProgramNames, WhatAFunctionIsPassedHasItsOwnName) {
  Names names({}, as_is);
  names.open_function(false);
  EXPECT_EQ(names.add_local("count"), "count");
  names.open_function(true);
  EXPECT_EQ(names.add_local("count"), "count_2");
  names.close_function();
  names.open_function(false);
  EXPECT_EQ(names.add_local("count"), "count");
  names.close_function();
}

TEST(ProgramNames, NamesOfTheProgramAreNotThoseOfOpenFunctions) {
  Names names({}, as_is);
  names.open_function(false);
  EXPECT_EQ(names.add_local("comm"), "comm");
  names.open_function(false);
  EXPECT_EQ(names.add("comm"), "comm_2");
  names.close_function();
  names.close_function();
  EXPECT_EQ(names.add_local("table"), "table");
  EXPECT_EQ(names.add("table"), "table_2");
}

}  // namespace
}  // namespace reprise::write
