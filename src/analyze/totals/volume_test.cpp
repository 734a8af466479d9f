// What MPI's semantics say that each call moves, on each rank.
#include "analyze/totals/volume.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "analyze/totals/totals.hpp"

namespace reprise::analyze {
namespace {

using trace::Direction;

// What one rank moves in the last call of a program; [bytes].
Volume last_call(const std::string& program, std::uint64_t rank, std::uint64_t ranks = 4) {
  const trace::Trace t = parse_program("ranks " + std::to_string(ranks) + "\n" + program);
  const Totals totals = totals_of(t);
  EXPECT_FALSE(totals.damaged);
  bool damaged = false;
  EXPECT_EQ(totals.of(rank, t.calls.size() - 1), totals_by_walking(t, rank, damaged).back());
  return totals.of(rank, t.calls.size() - 1).volume;
}

std::uint64_t sent(const std::string& program, std::uint64_t rank) {
  return last_call(program, rank)[Direction::sent];
}
std::uint64_t received(const std::string& program, std::uint64_t rank) {
  return last_call(program, rank)[Direction::received];
}

TEST(Volume, PointToPoint) {
  EXPECT_EQ(sent("MPI_Send count=10 datatype=MPI_DOUBLE dest=rank+1 tag=0", 2), 80u);
  EXPECT_EQ(received("MPI_Recv count=10 datatype=MPI_INT source=rank+1 tag=0", 2), 40u);
  const std::string both =
      "MPI_Sendrecv_replace count=3 datatype=MPI_INT dest=[1 2 3 MPI_PROC_NULL] sendtag=0 "
      "source=[MPI_PROC_NULL 0 1 2] recvtag=0";
  EXPECT_EQ(sent(both, 0), 12u);
  EXPECT_EQ(sent(both, 3), 0u) << "to nobody";
  EXPECT_EQ(received(both, 0), 0u) << "from nobody";
  EXPECT_EQ(received(both, 3), 12u);
}

TEST(Volume, BroadcastIsSentByItsRoot) {
  const std::string bcast = "MPI_Bcast count=5 datatype=MPI_INT root=2";
  EXPECT_EQ(sent(bcast, 2), 20u);
  EXPECT_EQ(received(bcast, 2), 0u);
  EXPECT_EQ(sent(bcast, 0), 0u);
  EXPECT_EQ(received(bcast, 0), 20u);
}

TEST(Volume, RootThatMoves) {
  const std::string bcast = "4: MPI_Bcast count=5 datatype=MPI_INT root={0 1 2 2}";
  EXPECT_EQ(sent(bcast, 2), 40u);
  EXPECT_EQ(sent(bcast, 3), 0u);
  EXPECT_EQ(received(bcast, 1), 60u);
}

TEST(Volume, BlocksPerMember) {
  const std::string alltoall =
      "MPI_Alltoall sendcount=2 sendtype=MPI_INT recvcount=1 recvtype=MPI_DOUBLE";
  EXPECT_EQ(sent(alltoall, 1), 32u) << "a block of 8 bytes for each of 4";
  EXPECT_EQ(received(alltoall, 1), 32u);
  const std::string allgather =
      "MPI_Allgather sendcount=2 sendtype=MPI_INT recvcount=2 recvtype=MPI_INT";
  EXPECT_EQ(sent(allgather, 1), 8u);
  EXPECT_EQ(received(allgather, 1), 32u);
}

// Where arguments do not count the recorder writes "-".
TEST(Volume, OnlyAtTheRoot) {
  const std::string gather =
      "MPI_Gather sendcount=2 sendtype=MPI_INT recvbuf=[0 - - -] recvcount=[2 - - -] "
      "recvtype=[MPI_INT - - -] root=0";
  EXPECT_EQ(sent(gather, 0), 8u);
  EXPECT_EQ(sent(gather, 3), 8u);
  EXPECT_EQ(received(gather, 0), 32u);
  EXPECT_EQ(received(gather, 3), 0u);
}

TEST(Volume, InPlaceIsWhatTheBufferWouldBe) {
  EXPECT_EQ(sent("MPI_Allreduce sendbuf=MPI_IN_PLACE count=3 datatype=MPI_INT op=MPI_SUM", 0), 12u);
  EXPECT_EQ(sent("MPI_Allgather sendbuf=MPI_IN_PLACE recvcount=3 recvtype=MPI_INT", 0), 12u);
  EXPECT_EQ(sent("MPI_Alltoall sendbuf=MPI_IN_PLACE recvcount=3 recvtype=MPI_INT", 0), 48u);
  const std::string gatherv =
      "MPI_Allgatherv sendbuf=MPI_IN_PLACE recvcounts=(1 2 3 4) displs=(0 1 3 6) recvtype=MPI_INT";
  EXPECT_EQ(sent(gatherv, 0), 4u);
  EXPECT_EQ(sent(gatherv, 3), 16u);
  EXPECT_EQ(received(gatherv, 3), 40u);
}

TEST(Volume, ReduceScatterKeepsOneBlock) {
  const std::string scatter = "MPI_Reduce_scatter recvcounts=(1 2 3 4) datatype=MPI_INT op=MPI_SUM";
  EXPECT_EQ(sent(scatter, 1), 40u);
  EXPECT_EQ(received(scatter, 1), 8u);
  const std::string block = "MPI_Reduce_scatter_block recvcount=2 datatype=MPI_INT op=MPI_SUM";
  EXPECT_EQ(sent(block, 1), 32u);
  EXPECT_EQ(received(block, 1), 8u);
}

TEST(Volume, EachBlockWithItsType) {
  const std::string w =
      "3: MPI_Alltoallw sendcounts=(1 2 0 1) sdispls=(0 4 0 0) recvcounts=(1 1 1 1) rdispls=(0 0 0 "
      "0) "
      "sendtypes=(MPI_INT MPI_DOUBLE MPI_INT MPI_CHAR) recvtypes=(MPI_INT MPI_INT MPI_INT MPI_INT)";
  EXPECT_EQ(sent(w, 0), 3u * (4 + 16 + 0 + 1));
  EXPECT_EQ(received(w, 0), 3u * 16);
}

TEST(Volume, OneSidedAndFiles) {
  const std::string get =
      "MPI_Get origin_count=4 origin_datatype=MPI_INT target=1 target_disp=0 "
      "target_count=4 target_datatype=MPI_INT win=0";
  EXPECT_EQ(received(get, 0), 16u);
  EXPECT_EQ(sent(get, 0), 0u);
  EXPECT_EQ(sent("5: MPI_Compare_and_swap datatype=MPI_INT target=1 target_disp=0 win=0", 0), 40u)
      << "the new value and the one to compare with";
  const Volume write = last_call("MPI_File_write fh=0 count=4 datatype=MPI_INT", 0);
  EXPECT_EQ(write[Direction::written], 16u);
  EXPECT_EQ(write[Direction::sent], 0u);
}

TEST(Volume, NamesOfDatatypesAreGivenAgain) {
  const std::string program =
      "MPI_Type_contiguous count=3 oldtype=MPI_INT newtype=type0 newtype_size=12\n"
      "MPI_Type_free datatype=type0\n"
      "MPI_Type_contiguous count=5 oldtype=MPI_INT newtype=type0 newtype_size=20\n"
      "2: MPI_Send count=10 datatype=type0 dest=rank+1 tag=0";
  EXPECT_EQ(sent(program, 0), 400u);
}

TEST(Volume, UnknownIsSaid) {
  const Volume v = last_call("7: MPI_Send count=10 datatype=unknown dest=rank+1 tag=0", 0);
  EXPECT_EQ(v[Direction::sent], 0u);
  EXPECT_EQ(v.unknown, 7u);
}

TEST(Volume, NeighborsOfTheTopology) {
  const std::string program =
      "MPI_Cart_create dims=(2 2) periods=(1 1) reorder=0 newcomm=2 newcomm_rank=[0 1 2 3] "
      "newcomm_size=4\n"
      "MPI_Comm_dup comm=2 newcomm=3 newcomm_rank=[0 1 2 3] newcomm_size=4\n"
      "MPI_Neighbor_alltoall sendcount=1 sendtype=MPI_INT recvcount=1 recvtype=MPI_INT comm=3";
  EXPECT_EQ(sent(program, 1), 16u) << "two dimensions have four neighbors";
}

TEST(Volume, NobodyBehindOpenBorders) {
  const std::string line =
      "MPI_Cart_create dims=(4) periods=(0) reorder=0 newcomm=2 newcomm_rank=[0 1 2 3] "
      "newcomm_size=4\n";
  const std::string one =
      "MPI_Neighbor_allgather sendcount=2 sendtype=MPI_INT recvcount=2 recvtype=MPI_INT comm=2";
  EXPECT_EQ(received(line + one, 0), 8u);
  EXPECT_EQ(received(line + one, 2), 16u);
  const std::string each =
      "3: MPI_Neighbor_alltoallv sendcounts=(1 10) sdispls=(0 1) sendtype=MPI_INT "
      "recvcounts=(10 1) rdispls=(0 10) recvtype=MPI_INT comm=2";
  EXPECT_EQ(sent(line + each, 0), 3 * 40u);
  EXPECT_EQ(sent(line + each, 1), 3 * 44u);
  EXPECT_EQ(sent(line + each, 3), 3 * 4u);
}

TEST(Volume, NeighborsInAPartOfAGrid) {
  const std::string program =
      "MPI_Cart_create dims=(2 2) periods=(1 0) reorder=0 newcomm=2 newcomm_rank=[0 1 2 3] "
      "newcomm_size=4\n"
      "MPI_Cart_sub comm=2 remain_dims=(0 1) newcomm=3 newcomm_rank=[0 1 0 1] newcomm_size=2\n"
      "MPI_Neighbor_alltoall sendcount=1 sendtype=MPI_INT recvcount=1 recvtype=MPI_INT comm=3";
  EXPECT_EQ(sent(program, 0), 4u) << "the open dimension is left";
  EXPECT_EQ(sent(program, 3), 4u);
}

// Ranks 0 and 1 face 2 and 3; rank 0 broadcasts to the others' half.
TEST(Volume, InterCommunicatorsHaveChildrenOfTheirKind) {
  const std::string make =
      "MPI_Comm_split color=[0 0 1 1] key=0 newcomm=2 newcomm_rank=[0 1 0 1] newcomm_size=2\n"
      "MPI_Intercomm_create local_comm=2 local_leader=0 peer_comm=0 remote_leader=2 tag=0 "
      "newintercomm=3 newintercomm_rank=[0 1 0 1] newintercomm_size=2\n";
  const std::string bcast = "MPI_Bcast count=4 datatype=MPI_INT root=[MPI_ROOT MPI_PROC_NULL 0 0] ";
  const std::string children[] = {
      "MPI_Comm_split comm=3 color=0 key=0 newcomm=4 newcomm_rank=[0 1 0 1] newcomm_size=2\n",
      "MPI_Comm_create comm=3 group=1 newcomm=4 newcomm_rank=[0 1 0 1] newcomm_size=2\n",
      "MPI_Comm_dup comm=3 newcomm=4 newcomm_rank=[0 1 0 1] newcomm_size=2\n"};
  for (const std::string& child : children) {
    EXPECT_EQ(sent(make + child + bcast + "comm=4", 0), 16u) << child;
    EXPECT_EQ(sent(make + child + bcast + "comm=4", 1), 0u);
    EXPECT_EQ(received(make + child + bcast + "comm=4", 0), 0u);
    EXPECT_EQ(received(make + child + bcast + "comm=4", 3), 16u);
  }
  const std::string merged =
      "MPI_Intercomm_merge intercomm=3 high=0 newintracomm=4 newintracomm_rank=[0 1 2 3] "
      "newintracomm_size=4\n"
      "MPI_Bcast count=4 datatype=MPI_INT root=0 comm=4";
  EXPECT_EQ(sent(make + merged, 0), 16u);
  EXPECT_EQ(received(make + merged, 1), 16u);
}

TEST(Volume, CommunicatorsOfAcceptedConnections) {
  const std::string program =
      "MPI_Comm_accept port_name='port' root=0 comm=0 newcomm=2 newcomm_rank=[0 1 2 3] "
      "newcomm_size=5\n"
      "MPI_Bcast count=1 datatype=MPI_INT root=[MPI_ROOT MPI_PROC_NULL MPI_PROC_NULL "
      "MPI_PROC_NULL] comm=2";
  EXPECT_EQ(sent(program, 0), 4u);
  EXPECT_EQ(received(program, 1), 0u);
}

TEST(Volume, PersistentRequestsMoveWhenStarted) {
  const std::string program =
      "MPI_Send_init count=10 datatype=MPI_INT dest=rank+1 tag=0\n"
      "MPI_Recv_init count=20 datatype=MPI_INT source=rank+3 tag=0\n"
      "100:\n"
      "  MPI_Startall requests=(1 0)\n"
      "  MPI_Waitall requests=(1 0)\n"
      "  MPI_Start request=1";
  EXPECT_EQ(sent(program, 0), 4000u);
  EXPECT_EQ(received(program, 0), 0u);
  const trace::Trace t = parse_program("ranks 2\n" + program);
  const Totals totals = totals_of(t);
  EXPECT_EQ(totals.of(0, 0).volume, Volume()) << "making one moves nothing";
  EXPECT_EQ(totals.of(0, 2).volume[Direction::sent], 4000u);
  EXPECT_EQ(totals.of(0, 2).volume[Direction::received], 8000u);
}

TEST(Volume, RankInTheCommunicator) {
  const std::string program =
      "MPI_Comm_split color=[0 0 1 1] key=0 newcomm=2 newcomm_rank=[0 1 0 1] newcomm_size=2\n"
      "MPI_Bcast count=1 datatype=MPI_INT root=1 comm=2";
  EXPECT_EQ(sent(program, 1), 4u);
  EXPECT_EQ(sent(program, 3), 4u);
  EXPECT_EQ(sent(program, 2), 0u);
}

// Thread 0 makes a communicator of each pair of ranks, thread 1 sends on it.
TEST(Volume, ThreadsUseWhatOthersMake) {
  const trace::Trace t = parse_program(
      "ranks 4\nthreads 2\n"
      "[1 0 1 0 1 0 1 0]: MPI_Comm_split color=[0 0 0 0 1 1 1 1] key=0 newcomm=2 "
      "newcomm_rank=[0 0 1 1 0 0 1 1] newcomm_size=2\n"
      "[0 1 0 1 0 1 0 1]: MPI_Bcast count=3 datatype=MPI_INT root=1 comm=2");
  const Totals totals = totals_of(t);
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    const Volume v = totals.of(2 * rank + 1, 1).volume;
    EXPECT_EQ(v[Direction::sent], rank % 2 ? 12u : 0u) << rank;
    EXPECT_EQ(v[Direction::received], rank % 2 ? 0u : 12u) << rank;
    bool damaged = false;
    EXPECT_EQ(totals_by_walking(t, 2 * rank + 1, damaged)[1].volume, v);
  }
}

// Bytes of the buffers that the last call of a program is given, by rank 0.
std::uint64_t given(const std::string& program) {
  const trace::Trace t = parse_program("ranks 4\n" + program);
  const Totals totals = totals_of(t, Counting::given);
  const std::size_t last = t.calls.size() - 1;
  bool damaged = false;
  EXPECT_EQ(totals.of(0, last), totals_by_walking(t, 0, damaged, Counting::given)[last]);
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : totals.of(0, last).volume.bytes) sum += bytes;
  return sum;
}

TEST(Given, EachBufferOnceWhereverItGoes) {
  EXPECT_EQ(given("10: MPI_Send count=2 datatype=MPI_INT dest=MPI_PROC_NULL tag=0"), 80u);
  EXPECT_EQ(given("MPI_Send_init count=2 datatype=MPI_INT dest=1 tag=0"), 8u);
  EXPECT_EQ(given("MPI_Bcast count=5 datatype=MPI_INT root=2"), 20u);
  EXPECT_EQ(given("MPI_Sendrecv_replace count=3 datatype=MPI_INT dest=1 source=3"), 12u);
  EXPECT_EQ(given("MPI_Allreduce count=3 datatype=MPI_INT op=MPI_SUM"), 24u) << "both buffers";
  EXPECT_EQ(given("MPI_Allreduce sendbuf=MPI_IN_PLACE count=3 datatype=MPI_INT op=MPI_SUM"), 12u);
  EXPECT_EQ(given("MPI_Reduce_scatter recvcounts=(1 2 3 4) datatype=MPI_INT op=MPI_SUM"), 80u)
      << "the whole of what only a part is received of";
}

TEST(Given, StartsAreGivenNothing) {
  EXPECT_EQ(given("MPI_Send_init count=2 datatype=MPI_INT dest=1 tag=0\n9: MPI_Start request=0"),
            0u);
}

// A grid of four by one with open borders: blocks for neighbors that are not there are given too.
TEST(Given, NeighborsOfAGridWithBorders) {
  EXPECT_EQ(given("MPI_Cart_create dims=(4) periods=(0) reorder=0 newcomm=2 newcomm_rank=[0 1 2 3] "
                  "newcomm_size=4\n"
                  "MPI_Neighbor_alltoall sendcount=1 sendtype=MPI_INT recvcount=1 recvtype=MPI_INT "
                  "comm=2"),
            16u);
}

}  // namespace
}  // namespace reprise::analyze
