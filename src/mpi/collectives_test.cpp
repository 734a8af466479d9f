#include "mpi/collectives.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

const trace::Function& function(std::string_view name) {
  return trace::function(*trace::find_function(name));
}

TEST(Collectives, WhoTakesPart) {
  for (const char* name : {"MPI_Bcast", "MPI_Iallreduce", "MPI_Finalize", "MPI_Comm_create_group",
                           "MPI_Win_fence", "MPI_Comm_split"})
    EXPECT_TRUE(is_collective(function(name))) << name;
  for (const char* name : {"MPI_Init", "MPI_Send", "MPI_Comm_get_parent", "MPI_Wait"})
    EXPECT_FALSE(is_collective(function(name))) << name;
}

TEST(Collectives, VariantsAreOneOperation) {
  for (const char* name : {"MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_c", "MPI_Ibcast_c",
                           "MPI_Bcast_init", "MPI_Bcast_init_c"})
    EXPECT_EQ(operation_name(function(name)), "Bcast") << name;
  EXPECT_EQ(operation_name(function("MPI_Ireduce_scatter_block")), "Reduce_scatter_block");
  EXPECT_EQ(operation_name(function("MPI_Init")), "Init") << "it has no request";
}

TEST(Collectives, SomeHaveRoots) {
  for (const char* name : {"MPI_Bcast", "MPI_Ireduce", "MPI_Gatherv", "MPI_Scatter_init"})
    EXPECT_TRUE(root_column(function(name))) << name;
  for (const char* name : {"MPI_Allreduce", "MPI_Barrier", "MPI_Alltoallw", "MPI_Send"})
    EXPECT_FALSE(root_column(function(name))) << name;
  EXPECT_EQ(root_of(event("MPI_Bcast", {{"root", 3}})), 3);
  EXPECT_EQ(root_of(event("MPI_Barrier", {})), trace::kNone);
}

// Every payload whose direction hangs on a root names it.
TEST(Collectives, PayloadsAgreeOnTheRoot) {
  for (const trace::Function& f : trace::functions()) {
    for (const trace::Payload& p : f.payloads) {
      if (p.where == trace::Where::everywhere) continue;
      ASSERT_TRUE(root_column(f)) << f.name;
      EXPECT_EQ(static_cast<std::size_t>(p.peer), *root_column(f)) << f.name;
    }
  }
}

TEST(Collectives, TheRootOfAnInterCommunicatorSaysSo) {
  const Communicator intra{.membership = {2, 4}};
  EXPECT_TRUE(is_root(intra, 2));
  EXPECT_FALSE(is_root(intra, 1));
  const Communicator inter{.membership = {2, 4}, .is_inter = true};
  EXPECT_FALSE(is_root(inter, 2)) << "that is a rank of the other side";
  EXPECT_TRUE(is_root(inter, trace::kRoot));
  EXPECT_FALSE(is_root(inter, trace::kProcNull));
}

}  // namespace
}  // namespace reprise::mpi
