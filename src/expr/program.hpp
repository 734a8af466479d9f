// Evaluation: an expression compiled once for a list of variables, and run for many values of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "expr/expr.hpp"

namespace reprise::expr {

// A postfix program over a stack. Cost of a run: the nodes that are needed; it allocates only for
// expressions that nest more than 32 deep.
class Program {
 public:
  // `names` gives the slot of each variable. Fails for a variable that is not among them.
  static Result<Program> compile(const Expr& e, std::span<const std::string> names);

  // The value where slot i holds slots[i]; nothing where there is none, and then why.
  // REQUIRES: as many slots as names.
  std::optional<std::int64_t> run(std::span<const std::int64_t> slots,
                                  Fault* fault = nullptr) const;

 private:
  enum class Kind : std::uint8_t {
    constant,     // push value
    slot,         // push slots[value]
    unary,        // replace the top
    binary,       // replace the two on top
    jump,         // go on at value
    jump_unless,  // pop; go on at value if it was 0
    to_bool,      // replace the top by whether it is not 0
    local,        // push stack[value]: the index of a sum
    begin_sum,    // the count on top: push the sum so far and the index, 0; at value if no term is
    next_term,    // pop a term and add it; go on at value if another is to come
    end_sum,      // replace the count, the sum and the index by the sum
  };
  struct Instruction {
    Kind kind;
    Op op = Op::constant;
    std::int64_t value = 0;
  };

  // What the variables of a part are: slots, or the indices of the sums around it.
  struct Names {
    std::span<const std::string> slots;
    std::vector<std::pair<std::string, std::size_t>> indices = {};  // the innermost last; in stack
  };

  Status emit(const Expr& e, Names& names, std::size_t height);
  Status emit_variable(const std::string& name, const Names& names);
  Status emit_sum(const Expr& e, Names& names, std::size_t height);
  Status emit_logical(const Expr& e, Names& names, std::size_t height);
  Status emit_conditional(const Expr& e, Names& names, std::size_t height);
  std::size_t add(Kind kind, std::int64_t value = 0, Op op = Op::constant);
  void land(std::size_t jump);

  Fault run_on(std::int64_t* stack, std::span<const std::int64_t> slots) const;

  std::vector<Instruction> code_;
  std::size_t height_ = 0;  // of the stack, at most
};

struct Value {
  std::string name;
  std::int64_t value;
};
// Evaluates once. Errors name the expression and the variable or the fault.
Result<std::int64_t> evaluate(const Expr& e, std::span<const Value> values);

}  // namespace reprise::expr
