#include "analyze/names.hpp"

#include <gtest/gtest.h>

namespace reprise::analyze {
namespace {

TEST(SourceName, C) {
  EXPECT_EQ(source_name("main"), "main");
  EXPECT_EQ(source_name("verdict.constprop.0"), "verdict");
  EXPECT_EQ(source_name("f.part.1.isra.0.cold"), "f");
}

TEST(SourceName, Cxx) {
  EXPECT_EQ(source_name("_ZN2ns3putEid"), "ns::put");
  EXPECT_EQ(source_name("_ZNK2ns4Grid4sizeEv"), "ns::Grid::size");
  EXPECT_EQ(source_name("_ZN2ns4GridclEi"), "ns::Grid::operator()");
  EXPECT_EQ(source_name("_ZN12_GLOBAL__N_14sendEPKc"), "(anonymous namespace)::send");
  EXPECT_EQ(source_name("_Z1fIiEvT_.constprop.0"), "void f<int>");
}

TEST(SourceName, Fortran) {
  EXPECT_EQ(source_name("__halo_MOD_exchange"), "halo::exchange");
  EXPECT_EQ(source_name("MAIN__"), "main program");
}

}  // namespace
}  // namespace reprise::analyze
