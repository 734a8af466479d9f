// The communicators of one stream, as it makes them: what their arguments and results say to it,
// without a look at any other rank.
#pragma once

#include <unordered_map>

#include "mpi/communicators/topology.hpp"
#include "mpi/names.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

struct Communicator {
  // The stream's rank in it, and how many ranks peers are numbers of: those of the remote group, if
  // it is an inter-communicator. Size 0: it is not known.
  trace::Membership membership = {};
  bool is_inter = false;
  bool has_topology = false;  // whose neighbors are known
  Grid grid = {};             // if the topology is Cartesian
  Neighbors neighbors = {};   // of the stream

  bool is_known() const { return membership.size > 0; }
  bool operator==(const Communicator& other) const;
};

class Communicators {
 public:
  // The stream is `world.rank` of `world.size` in MPI_COMM_WORLD.
  explicit Communicators(trace::Membership world);

  // Takes in what an event makes. False: a number means another communicator than before, or
  // what it is made from is not known.
  bool learn(const trace::Event& event);

  const Communicator& find(CommId id) const;
  // That of an event; unknown if it has none.
  const Communicator& of(const trace::Event& event) const;

 private:
  std::unordered_map<std::int64_t, Communicator> known_;
};

// Whether what a function makes on a communicator is an inter-communicator.
bool makes_inter(const trace::Function& function, bool parent_is_inter);

// The communicator that an event makes on a parent.
Communicator made_on(const Communicator& parent, const trace::Event& event,
                     trace::Membership membership);

}  // namespace reprise::mpi
