// Buffers, memory that MPI keeps, and how many blocks there are.
#include "replay/calls/arguments.hpp"

#include <algorithm>

#include "trace/values/special.hpp"

namespace reprise::replay {

bool Arguments::is_absolute(int l) const {
  return !list(l).empty() && list(l).front() == trace::kBottom;
}

std::vector<MPI_Aint> Arguments::lay_out(int l, const std::vector<Room>& blocks) {
  // A type that is made of addresses has its memory already, and begins there: beyond what is near
  // zero, where types without addresses begin.
  constexpr std::int64_t kLowestAddress = std::int64_t{1} << 32;
  const auto has_place = [](const Room& block) { return block.low >= kLowestAddress; };
  Room all;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!has_place(blocks[i])) all.include(blocks[i], list(l)[i + 1]);
  }
  std::byte* memory = absolute_.at_least(static_cast<std::size_t>(all.high - all.low));
  MPI_Aint base = 0;
  MPI_Get_address(memory, &base);
  std::vector<MPI_Aint> out;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto place = static_cast<MPI_Aint>(list(l)[i + 1] - all.low);
    out.push_back(has_place(blocks[i]) ? 0 : base + place);
  }
  return out;
}

void* Arguments::buffer(int c, Slot slot, const Room& room, bool sends) {
  const std::int64_t what = scalar(c);
  if (sends && !to_nobody_) {
    const bool is_later = (event_->function->traits & trace::traits::kPersistent) != 0;
    (is_later ? bytes_ : totals_.bytes) += static_cast<double>(room.bytes);
  }
  if (what == trace::kInPlace) return MPI_IN_PLACE;
  if (what == trace::kBottom) return MPI_BOTTOM;
  Arena& arena = slot == Slot::sent ? sent_ : slot == Slot::received ? received_ : other_;
  const std::int64_t before = (std::max<std::int64_t>(0, -room.low) + 15) / 16 * 16;
  const std::int64_t after = std::max<std::int64_t>(0, room.high);
  return arena.at_least(static_cast<std::size_t>(before + after)) + before;
}

void* Arguments::data(std::int64_t bytes, bool sends) {
  return (sends ? sent_ : received_)
      .at_least(static_cast<std::size_t>(std::max<std::int64_t>(1, bytes)));
}

const iovec* Arguments::pieces(int l, bool sends) {
  pieces_.clear();
  for (const std::int64_t bytes : list(l))
    pieces_.push_back({data(bytes, sends), static_cast<std::size_t>(bytes)});
  return pieces_.data();
}

void* Arguments::base(int c, std::int64_t size) {
  if (scalar(c) == trace::kBottom) return MPI_BOTTOM;
  base_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(std::max<std::int64_t>(1, size)));
  void* const address = base_.get();
  // Memory that is not of a window is kept until it is freed.
  if (!(event_->function->traits & trace::traits::kCreate))
    process_.given[address] = std::move(base_);
  return address;
}

std::byte* Arguments::scratch_memory() {
  std::size_t numbers = 4096;
  for (const std::int64_t v : event_->scalars) {
    if (v > 0 && v < 1 << 24) numbers += static_cast<std::size_t>(v);
  }
  // A new block each time, since a call may have several.
  return scratch_.fresh(16 * numbers);
}

std::int64_t Arguments::members(MPI_Comm comm) {
  int inter = 0, n = 0;
  if (comm == MPI_COMM_NULL) return 0;
  MPI_Comm_test_inter(comm, &inter);
  inter ? MPI_Comm_remote_size(comm, &n) : MPI_Comm_size(comm, &n);
  return n;
}

std::int64_t Arguments::local_members(MPI_Comm comm) {
  int n = 0;
  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &n);
  return n;
}

namespace {

std::int64_t degree(MPI_Comm comm, [[maybe_unused]] bool in) {
  int topology = MPI_UNDEFINED, n = 0;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (topology == MPI_GRAPH) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Graph_neighbors_count(comm, rank, &n);
    return n;
  }
#ifndef SMPI_H
  int sources = 0, destinations = 0, weighted = 0;
  if (topology == MPI_DIST_GRAPH)
    MPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
  return in ? sources : destinations;
#else
  return 0;
#endif
}

}  // namespace

std::int64_t Arguments::indegree(MPI_Comm comm) { return degree(comm, true); }
std::int64_t Arguments::outdegree(MPI_Comm comm) { return degree(comm, false); }

bool Arguments::is_root(int c, MPI_Comm comm) const {
  if (scalar(c) == trace::kRoot) return true;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  return !inter && rank == scalar(c);
}

}  // namespace reprise::replay
