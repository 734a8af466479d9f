// Numbers, relations and ranges as words of a line.
#pragma once

#include "conceptual/ast.hpp"
#include "conceptual/print/print_lines.hpp"

namespace reprise::conceptual {

// With as few parentheses as a reader needs who knows that products bind tighter than sums.
void print_expression(const Expr& e, Lines& out);
// In parentheses if it is more than a name or a number.
void print_operand(const Expr& e, Lines& out);
void print_relation(const Relation& r, Lines& out);
void print_ranges(const std::vector<Range>& ranges, Lines& out);

}  // namespace reprise::conceptual
