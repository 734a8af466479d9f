#include "analyze/symbols/names.hpp"

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
  EXPECT_EQ(source_name("_Z1fIiEvT_.constprop.0"), "f<int>");
}

TEST(SourceName, RegionsOfOpenMP) {
  EXPECT_EQ(source_name("main._omp_fn.0"), "main (omp)");
  EXPECT_EQ(source_name("_ZN2ns3putEid._omp_fn.1"), "ns::put (omp)");
  EXPECT_EQ(source_name("__halo_MOD_exchange._omp_fn.0"), "halo::exchange (omp)");
  EXPECT_EQ(source_name("main.omp_outlined"), "main (omp)");
  EXPECT_EQ(source_name(".omp_outlined._debug__.3"), "(omp)");
  EXPECT_EQ(fortran_name("MAIN__._omp_fn.0"), "main program (omp)");
  EXPECT_EQ(fortran_name("MAIN__._omp_fn.0", "solver"), "solver (omp)");
  EXPECT_EQ(fortran_name("exchange_._omp_fn.0"), "exchange (omp)");
}

TEST(SourceName, Fortran) {
  EXPECT_EQ(fortran_name("exchange_"), "exchange");
  EXPECT_EQ(fortran_name("MAIN__"), "main program");
  EXPECT_EQ(fortran_name("_Z4put_i"), "put_");
  EXPECT_EQ(fortran_name("__halo_MOD_exchange_"), "halo::exchange_");
  EXPECT_EQ(source_name("__halo_MOD_exchange"), "halo::exchange");
  EXPECT_EQ(source_name("MAIN__"), "main program");
}

}  // namespace
}  // namespace reprise::analyze
