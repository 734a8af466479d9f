// What the parameters of procedures are for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "program/program.hpp"

namespace reprise::write {

// A call in a procedure that uses a parameter.
struct Use {
  enum class Role : std::uint8_t { value, elements, length };  // the latter two are of a list

  const program::Argument* argument = nullptr;
  std::uint32_t call = 0;   // index into Trace::calls
  Role role = Role::value;  // what the parameter is of the argument
  const program::Value* length = nullptr;
  const program::Value* communicator = nullptr;  // as the procedure tells it
  trace::Column communicator_column = {};
};

// The first call that uses the parameter of the procedure with these nodes, or of one that it
// invokes; none: it is trips or a condition.
std::optional<Use> find_use(const program::Program& program,
                            const std::vector<program::Node>& nodes, std::size_t parameter);

// Whether a parameter, which is an object, is at some invocation one that the program makes: one
// whose number is `first` or above.
bool may_be_made(const program::Program& program, const program::Procedure& procedure,
                 std::size_t parameter, std::int64_t first);

// Whether one of the calls of these nodes is as `pred` says, or one of a procedure that they
// invoke.
template <class Pred>
bool any_call(const program::Program& program, const std::vector<program::Node>& nodes, Pred pred) {
  return std::ranges::any_of(nodes, [&](const program::Node& n) {
    if (n.kind == program::Node::Kind::call) return pred(n);
    return any_call(
        program,
        n.kind == program::Node::Kind::invocation ? program.procedures[n.procedure].body : n.body,
        pred);
  });
}

// Whether a call that opens a file makes it; otherwise it was there before.
bool makes_file(const program::Node& call);

// Values of a procedure as its caller tells them.
const program::Value* from_outside(const program::Value* v, const program::Node& invocation);

}  // namespace reprise::write
