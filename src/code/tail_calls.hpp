// Frames that tail calls left out of call paths: a function that ends with a jump to another one
// has no frame while that runs. Optimised programs end most functions so whose last statement is a
// call; the callee then seems to be called by the caller of its caller.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "code/binary.hpp"
#include "code/flow.hpp"
#include "trace/program.hpp"

namespace reprise::code {

// The functions of one binary, with the tail calls between them. Those looked at are kept.
class TailCalls {
 public:
  // Tail calls one after the other, each as the end of its jump [bytes from the load address].
  // Empty: no frame is missing.
  using Chain = std::vector<std::uint64_t>;
  // Where more of them are possible, none is told.
  static constexpr std::size_t kMaxChains = 8;

  struct Chains {
    std::vector<Chain> found;
    // Whether there are no others: all jumps were followed, and none leads to a place that is not
    // known.
    bool is_all = true;

    // The chain that it was.
    std::optional<Chain> only() const;
  };

  explicit TailCalls(const trace::Module& module);

  // REQUIRES: flow_at() found something.
  const Binary& binary() const { return *binary_; }

  // The control flow of the function with an instruction that ends at an address; null: unknown.
  const Flow* flow_at(std::uint64_t end);

  // Those of a frame and of the one that it called.
  struct ReturnAddresses {
    std::uint64_t outer, inner;
  };
  // The chains by which the call that returns to the outer address may have led to the function
  // that the inner one lies in. None if that is not known, or if there are over kMaxChains.
  Chains to_function(ReturnAddresses returns);
  // Those to a function of MPI, which lies in another binary; none if it was called by itself.
  // `function`: "MPI_Waitall".
  Chains to_mpi(std::uint64_t return_address, std::string_view function);

 private:
  struct Goal {
    std::optional<std::uint64_t> function;  // where it begins
    std::string_view import;                // of MPI, if there is no `function`
  };

  Chains chains(std::uint64_t return_address, const Goal& goal);
  void find_chains(std::uint64_t from, const Goal& goal, Chain& chain, Chains& out);
  void find_departures(const Flow& flow, const Goal& goal, const Chain& chain, Chains& out) const;

  const std::optional<Binary> binary_;
  std::size_t jumps_left_ = 0;
  KnownEnds ends_;
  std::map<std::uint64_t, std::optional<Flow>> flows_;  // by the beginning of a part
};

// Puts the missing frames into the call paths of a trace that is not symbolized, where its binaries
// are what was recorded and leave one possibility only: ends of jumps in place of return addresses.
// Calls of several functions of MPI that had one call path may have several afterwards; in the
// trace of a single rank, which is merged by its call paths, such calls stay as they are. Returns
// the first of the frames that it adds. Cost: at most 256 functions are read for each pair of a
// frame and what it leads to.
std::size_t restore_tail_calls(trace::Trace& trace);

}  // namespace reprise::code
