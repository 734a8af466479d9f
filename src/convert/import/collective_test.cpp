#include "convert/import/collective.hpp"

#include <gtest/gtest.h>

#include "trace/values/special.hpp"

namespace reprise::convert {
namespace {

constexpr trace::Membership kSecondOfFour{1, 4};

trace::Event filled(const char* function, CollectiveBytes bytes, trace::Membership own,
                    std::int64_t root = 0) {
  const CallLayout& layout = CallLayout::of(*trace::find_function(function));
  trace::Event event = layout.blank();
  layout.set(event, Slot::root, root);
  fill_counts(layout, bytes, own, event);
  return event;
}

std::int64_t value(const trace::Event& event, Slot slot) {
  return CallLayout::of(*trace::find_function(event.function->name)).get(event, slot);
}

// Sums of 100 bytes a block on four ranks, as Score-P's source counts them.
TEST(Collective, CountsFollowFromSums) {
  EXPECT_EQ(value(filled("MPI_Bcast", {400, 100}, kSecondOfFour, 1), Slot::count), 100);
  EXPECT_EQ(value(filled("MPI_Bcast", {0, 100}, kSecondOfFour, 0), Slot::count), 100);
  EXPECT_EQ(value(filled("MPI_Allreduce", {400, 400}, kSecondOfFour), Slot::count), 100);
  EXPECT_EQ(value(filled("MPI_Iallreduce", {400, 400}, kSecondOfFour), Slot::count), 100);
  EXPECT_EQ(value(filled("MPI_Reduce", {100, 400}, kSecondOfFour, 1), Slot::count), 100);
  EXPECT_EQ(value(filled("MPI_Alltoall", {400, 800}, kSecondOfFour), Slot::receive_count), 200);
  EXPECT_EQ(value(filled("MPI_Scan", {300, 200}, kSecondOfFour), Slot::count), 100);
  EXPECT_EQ(value(filled("MPI_Exscan", {200, 100}, kSecondOfFour), Slot::count), 100);
}

TEST(Collective, SumsTellOfBuffersInPlace) {
  const trace::Event gather = filled("MPI_Gather", {0, 300}, kSecondOfFour, 1);
  EXPECT_EQ(value(gather, Slot::send_buffer), trace::kInPlace);
  EXPECT_EQ(value(gather, Slot::receive_count), 100);
  const trace::Event all = filled("MPI_Allreduce", {303, 303}, kSecondOfFour);
  EXPECT_EQ(value(all, Slot::send_buffer), trace::kInPlace);
  EXPECT_EQ(value(all, Slot::count), 101);
  const trace::Event scan = filled("MPI_Scan", {200, 100}, kSecondOfFour);
  EXPECT_EQ(value(scan, Slot::send_buffer), trace::kInPlace);
  EXPECT_EQ(value(scan, Slot::count), 100);
}

TEST(Collective, ArgumentsAwayFromTheRootAreNotSignificant) {
  const trace::Event event = filled("MPI_Gather", {100, 0}, kSecondOfFour, 0);
  EXPECT_EQ(value(event, Slot::send_count), 100);
  EXPECT_EQ(value(event, Slot::receive_count), trace::kNone);
  EXPECT_EQ(value(event, Slot::receive_buffer), trace::kNone);
}

// The own block is known, the others are not.
TEST(Collective, UnknownBlocksShareTheRest) {
  const CallLayout& layout = CallLayout::of(*trace::find_function("MPI_Gatherv"));
  trace::Event event = layout.blank();
  layout.set(event, Slot::root, 1);
  EXPECT_EQ(fill_counts(layout, {10, 41}, kSecondOfFour, event), Counts::shared_evenly);
  EXPECT_EQ(layout.list(event, Slot::receive_counts), (std::vector<std::int64_t>{11, 10, 10, 10}));
  EXPECT_EQ(layout.list(event, Slot::receive_displacements),
            (std::vector<std::int64_t>{0, 11, 21, 31}));
}

TEST(Collective, SumsComeBack) {
  for (const char* function :
       {"MPI_Bcast", "MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv", "MPI_Allgather",
        "MPI_Allgatherv", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Reduce",
        "MPI_Allreduce", "MPI_Reduce_scatter_block", "MPI_Reduce_scatter", "MPI_Barrier"}) {
    const CallLayout& layout = CallLayout::of(*trace::find_function(function));
    for (const std::int64_t root : {0, 1}) {
      // Sums that a call of that function can have.
      trace::Event first = filled(function, {4800, 4800}, kSecondOfFour, root);
      const CollectiveBytes sums = bytes_of_counts(layout, first, kSecondOfFour, {});
      trace::Event second = layout.blank();
      layout.set(second, Slot::root, root);
      fill_counts(layout, sums, kSecondOfFour, second);
      const CollectiveBytes again = bytes_of_counts(layout, second, kSecondOfFour, {});
      EXPECT_EQ(again.sent, sums.sent) << function << root;
      EXPECT_EQ(again.received, sums.received) << function << root;
      EXPECT_EQ(second.scalars, first.scalars) << function << root;
      EXPECT_EQ(second.lists, first.lists) << function << root;
    }
  }
}

// 100 bytes a block on four ranks, as Extrae tells them of rank 1.
TEST(Collective, SumsFollowFromBuffers) {
  struct Case {
    const char* function;
    CollectiveBuffers buffers;
    bool is_root;
    CollectiveBytes wanted;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"MPI_Barrier", {0, 0}, false, {0, 0}},
           {"MPI_Bcast", {100, 0}, true, {400, 100}},
           {"MPI_Bcast", {0, 100}, false, {0, 100}},
           {"MPI_Reduce", {0, 100}, true, {100, 400}},
           {"MPI_Reduce", {100, 0}, false, {100, 0}},
           {"MPI_Gather", {100, 400}, true, {100, 400}},
           {"MPI_Scatter", {400, 100}, true, {400, 100}},
           {"MPI_Allgather", {100, 400}, false, {400, 400}},
           {"MPI_Ialltoall", {100, 400}, false, {400, 400}},
           {"MPI_Alltoallv", {70, 400}, false, {70, 400}},
           {"MPI_Allreduce", {100, 100}, false, {400, 400}},
           {"MPI_Reduce_scatter_block", {400, 100}, false, {400, 400}},
           {"MPI_Scan", {100, 100}, false, {300, 200}},
           {"MPI_Exscan", {100, 100}, false, {200, 100}},
       }) {
    const trace::Function& f = trace::function(*trace::find_function(c.function));
    const CollectiveBytes found = bytes_of_buffers(f, c.buffers, c.is_root, kSecondOfFour);
    EXPECT_EQ(found.sent, c.wanted.sent) << c.function;
    EXPECT_EQ(found.received, c.wanted.received) << c.function;
    // Back from the counts of a call with these sums.
    const CallLayout& layout = CallLayout::of(*trace::find_function(c.function));
    const trace::Event event = filled(c.function, found, kSecondOfFour, c.is_root ? 1 : 0);
    const CollectiveBuffers back = buffers_of_counts(layout, event, kSecondOfFour, {});
    EXPECT_EQ(back.sent, c.buffers.sent) << c.function;
    EXPECT_EQ(back.received, c.buffers.received) << c.function;
  }
}

}  // namespace
}  // namespace reprise::convert
