// The loops on which a value depends, and the form of the value within a procedure that some of
// them are around.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// Which of the loops around a function, and which of its own, a value depends on.
struct Reach {
  bool outside = false;
  bool inside = false;
};

// `loops`: how many are around the function.
Reach reach_of(const Value& value, std::size_t loops);

// Whether the value differs between executions without an expression for the difference.
bool has_table_of_executions(const Value& value);

// The value as it reads within a procedure that `loops` loops were around.
void move_inside(Value& value, std::size_t loops);
void move_loops_inside(std::vector<Node>& nodes, std::size_t loops);

// The other way round: as they read where the procedure is invoked, with so many loops around.
void move_outside(Value& value, std::size_t loops);
void move_loops_outside(std::vector<Node>& nodes, std::size_t loops);

}  // namespace reprise::program
