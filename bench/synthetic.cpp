#include "synthetic.hpp"

#include <cmath>

#include "base/hash.hpp"

namespace reprise::bench {

using compress::Process;
using trace::Kind;

namespace {

// A rank that calls MPI.
class Caller {
 public:
  // A call from place `site`: `peer` and `count` where the function has such columns, world and
  // MPI_DOUBLE, and pending requests by their age.
  void call(const char* name, std::uint64_t site, std::int64_t peer = 0, std::int64_t count = 0,
            std::size_t requests = 0) {
    const trace::FunctionId id = *trace::find_function(name);
    const trace::Function& f = trace::function(id);
    std::vector<std::int64_t> record;
    for (const trace::Column& column : f.scalars) {
      record.push_back(column.kind == Kind::peer       ? peer
                       : column.kind == Kind::count    ? count
                       : column.kind == Kind::datatype ? 8
                                                       : 0);
    }
    for (const trace::Column& list : f.lists) {
      const std::size_t length = list.kind == Kind::request ? requests : 0;
      record.push_back(static_cast<std::int64_t>(length));
      for (std::size_t i = length; i > 0; --i) record.push_back(static_cast<std::int64_t>(i - 1));
    }
    const compress::Step step = folder_.add({id, static_cast<std::uint32_t>(site)},
                                            {f.scalars.size(), f.lists.size()}, record);
    // Computation of about 10 us, and about 1 us in MPI.
    const auto noise = static_cast<std::int64_t>(mix(folder_.calls()) % 1000);
    times_.add(step.from, step.to, {10000 + noise, 1000 + noise / 10});
  }

  Process finish(std::uint64_t rank, std::uint64_t ranks) {
    Process p;
    p.rank = rank;
    p.ranks = ranks;
    p.comms = {{static_cast<std::int64_t>(rank), static_cast<std::int64_t>(ranks)}, {0, 1}};
    p.own.comms.resize(2);
    const std::uint64_t module = p.own.callpaths.add_module({"program", "0123"});
    p.own.timing.mode = trace::TimeMode::paths;
    p.streams.push_back(folder_.finish());
    std::vector<compress::FoldedTimes> times = times_.finish(1);
    for (std::size_t i = 0; i < times.size(); ++i)
      p.streams[0].sites[i].times = std::move(times[i]);
    std::vector<compress::SiteName>& names = p.names.emplace_back();
    for (const compress::FoldedSite& s : p.streams.back().sites) {
      const std::uint64_t path =
          p.own.callpaths.add_path({{module, 0x1000 + 16 * s.key.callpath}, {module, 0x100}});
      names.push_back({std::string(trace::function(s.key.function).name), path});
    }
    p.own.graph = compress::FlowGraph(p.streams.back(), names);
    return p;
  }

 private:
  compress::StreamFolder folder_;
  compress::TimeFolder times_{{}};
};

void stencil(Caller& mpi, std::uint64_t rank, std::uint64_t ranks, std::uint64_t steps) {
  auto columns = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % columns != 0) --columns;
  const std::uint64_t x = rank % columns, y = rank / columns;
  const bool has[4] = {y > 0, y + 1 < ranks / columns, x > 0, x + 1 < columns};
  const std::uint64_t peer[4] = {rank - columns, rank + columns, rank - 1, rank + 1};
  for (std::uint64_t step = 0; step < steps; ++step) {
    std::size_t pending = 0;
    for (std::uint64_t side = 0; side < 4; ++side) {
      if (!has[side]) continue;
      mpi.call("MPI_Irecv", 2 * side, static_cast<std::int64_t>(peer[side]), 64);
      mpi.call("MPI_Isend", 2 * side + 1, static_cast<std::int64_t>(peer[side]), 64);
      pending += 2;
    }
    mpi.call("MPI_Waitall", 8, 0, 0, pending);
    if (step % 10 == 9) mpi.call("MPI_Allreduce", 9, 0, 1);
  }
}

void irregular(Caller& mpi, std::uint64_t rank, std::uint64_t ranks, std::uint64_t steps) {
  const std::uint64_t degree = 2 + mix(rank) % 6;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (std::uint64_t k = 0; k < degree; ++k) {
      const std::uint64_t random = mix(combine(rank, k));
      const auto peer = static_cast<std::int64_t>(random % ranks);
      mpi.call("MPI_Irecv", 0, peer, static_cast<std::int64_t>(random >> 54));
      mpi.call("MPI_Isend", 1, peer, static_cast<std::int64_t>(random >> 54));
    }
    mpi.call("MPI_Waitall", 2, 0, 0, 2 * degree);
  }
}

void entropy(Caller& mpi, std::uint64_t rank, std::uint64_t ranks, std::uint64_t steps) {
  for (std::uint64_t step = 0; step < steps; ++step) {
    const auto size = static_cast<std::int64_t>(mix(combine(rank, step)) % 100000);
    mpi.call("MPI_Send", 0, static_cast<std::int64_t>((rank + 1) % ranks), size);
  }
}

}  // namespace

Process execute(Program program, std::uint64_t rank, std::uint64_t ranks, std::uint64_t steps) {
  Caller mpi;
  switch (program) {
    case Program::stencil: stencil(mpi, rank, ranks, steps); break;
    case Program::irregular: irregular(mpi, rank, ranks, steps); break;
    case Program::entropy: entropy(mpi, rank, ranks, steps); break;
  }
  return mpi.finish(rank, ranks);
}

}  // namespace reprise::bench
