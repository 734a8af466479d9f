// The collectives that coNCePTuaL lacks, as the calls of MPI that they are. BACKEND EXECUTES puts C
// between the statements; it takes the compiler's C+MPI back end (c_mpi), which hands expressions
// over as real numbers, joins strings by blanks, and has a block around each statement.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "write/conceptual/language/syntax.hpp"

namespace reprise::write::conceptual {

struct TrueCall {
  std::string_view name;  // "Gatherv"
  // But for the communicator, in C: of n, root, comm and what call_declarations has.
  std::string_view arguments;
  bool has_root = false;
  bool has_list = false;      // members have sizes of their own, which reprise_member has been told
  bool is_reduction = false;  // of elements of 4 bytes; else bytes

  // What is executed, as items of the statement. `size`: none of a call with a list; `root`: of
  // one without a root.
  std::vector<ast::Item> items(const std::optional<ast::Expr>& size,
                               const std::optional<ast::Expr>& root, bool is_world) const;
};

// Thrown for what a call cannot take, in words.
struct TooLarge {
  std::string why;
};
// The elements of a call are counted by an int. Throws TooLarge for a number above that.
void check_count(const ast::Expr& size);

// Null if the language has the collective, or it is none. The name is without MPI_.
const TrueCall* true_call(std::string_view name);

// THE BACKEND DECLARES: memory for the calls, and lists of members.
std::string call_declarations();

}  // namespace reprise::write::conceptual
