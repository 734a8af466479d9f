// Frames that tail calls left out of call paths: a function that ends with a jump to another one
// has no frame while that runs. Optimised programs end most functions so whose last statement is a
// call; the callee then seems to be called by the caller of its caller.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
  using Chain = std::vector<std::uint64_t>;
  // Where more of them are possible, none is told.
  static constexpr std::size_t kMaxChains = 8;

  explicit TailCalls(const trace::Module& module);

  // The control flow of the function with an instruction that ends at an address; null: unknown.
  const Flow* flow_at(std::uint64_t end);

  // The chains by which the call that returns to an address may have led to the function that
  // another return address lies in. None if that is not known, or if there are over kMaxChains; one
  // that is empty if no frame is missing.
  std::vector<Chain> to_function(std::uint64_t return_address, std::uint64_t inner_return_address);
  // Those to a function of MPI, which lies in another binary. `function`: "MPI_Waitall".
  std::vector<Chain> to_mpi(std::uint64_t return_address, std::string_view function);

 private:
  struct Goal {
    std::uint64_t function = 0;  // where it begins; 0: in another binary
    std::string_view import;     // a function of MPI; empty: in this binary
  };

  std::vector<Chain> chains(std::uint64_t return_address, const Goal& goal);
  void find_chains(std::uint64_t from, const Goal& goal, Chain& chain, std::vector<Chain>& out);

  const std::optional<Binary> binary_;
  std::size_t jumps_left_ = 0;
  std::map<std::uint64_t, std::optional<Flow>> flows_;  // by the beginning of a part
};

// Puts the missing frames into the call paths of a trace that is not symbolised, where its binaries
// are what was recorded and tell of one possibility only. Calls of several functions of MPI that
// had one call path may have several afterwards.
void restore_tail_calls(trace::Trace& trace);

}  // namespace reprise::code
