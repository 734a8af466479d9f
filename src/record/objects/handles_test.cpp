#include "record/objects/handles.hpp"

#include <gtest/gtest.h>

namespace reprise::record {
namespace {

constexpr std::int64_t kFirst = 100;

TEST(Handles, AreNumberedLikeFileDescriptors) {
  Handles handles(kFirst);
  EXPECT_EQ(handles.make(0xa), kFirst);
  EXPECT_EQ(handles.make(0xb), kFirst + 1);
  EXPECT_EQ(handles.make(0xc), kFirst + 2);
  handles.freed(handles.leave(0xc));
  handles.freed(handles.leave(0xa));
  EXPECT_EQ(handles.make(0xd), kFirst);  // the smallest that is free
  EXPECT_EQ(handles.make(0xa), kFirst + 2);
  EXPECT_EQ(handles.make(0xe), kFirst + 3);
}

TEST(Handles, ThoseOfMpiKeepTheirNumbers) {
  Handles handles(kFirst);
  handles.predefine(0x1, 5);
  handles.predefine(0x1, 6);  // another name of the same handle
  EXPECT_EQ(handles.find(0x1), 5);
  EXPECT_EQ(handles.make(0x1), 5);  // a constructor returned it
  handles.freed(handles.leave(0x1));
  EXPECT_EQ(handles.find(0x1), 5);
}

TEST(Handles, UnknownOnesAreForeign) {
  Handles handles(kFirst);
  EXPECT_EQ(handles.find(0xa), trace::kForeign);
  handles.freed(handles.leave(0xa));
  EXPECT_EQ(handles.make(0xb), kFirst);
}

TEST(Handles, OneThatIsGivenOutTwiceIsFreedTwice) {
  Handles handles(kFirst);
  EXPECT_EQ(handles.make(0xa), kFirst);
  EXPECT_EQ(handles.make(0xa), kFirst);
  handles.freed(handles.leave(0xa));
  EXPECT_EQ(handles.find(0xa), kFirst);
  EXPECT_EQ(handles.make(0xb), kFirst + 1);
  handles.freed(handles.leave(0xa));
  EXPECT_EQ(handles.find(0xa), trace::kForeign);
  EXPECT_EQ(handles.make(0xc), kFirst);
}

TEST(Handles, AnotherThreadMayGetTheHandleWhileItIsFreed) {
  Handles handles(kFirst);
  handles.make(0xa);
  const Handles::Leaving leaving = handles.leave(0xa);
  EXPECT_EQ(handles.find(0xa), trace::kForeign);
  EXPECT_EQ(handles.make(0xa), kFirst + 1);
  handles.freed(leaving);
  EXPECT_EQ(handles.find(0xa), kFirst + 1);
  EXPECT_EQ(handles.make(0xb), kFirst);
}

TEST(Handles, WhatMpiDoesNotFreeStays) {
  Handles handles(kFirst);
  handles.make(0xa);
  handles.kept(handles.leave(0xa));
  EXPECT_EQ(handles.find(0xa), kFirst);
  handles.make(0xa);
  handles.kept(handles.leave(0xa));
  handles.freed(handles.leave(0xa));
  EXPECT_EQ(handles.find(0xa), kFirst);  // it was given out twice
}

}  // namespace
}  // namespace reprise::record
