// The communicators of a trace as formats without the calls that made them have them: a list, each
// with its members.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "mpi/communicators/directory.hpp"
#include "trace/program.hpp"

namespace reprise::convert {

struct FlatComm {
  std::size_t parent = 0;              // index into the list; of the world and self: themselves
  std::vector<std::uint32_t> members;  // ranks of the world, by their rank here; of self: none
};

class FlatComms {
 public:
  static constexpr std::size_t kWorld = 0, kSelf = 1;

  // Parents stand before their children. The error: inter-communicators, or several threads a rank.
  // Cost: all calls of all ranks.
  static Result<FlatComms> of(const trace::Trace& trace);

  const std::vector<FlatComm>& list() const { return list_; }
  // The one that a rank knows by this group; kWorld if it is none of them.
  std::size_t index(const mpi::Group& group) const;

 private:
  std::vector<FlatComm> list_;
  std::unordered_map<std::uint64_t, std::size_t> index_;  // by Group::key
};

}  // namespace reprise::convert
