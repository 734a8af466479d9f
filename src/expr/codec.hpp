// Expressions to bytes and back.
#pragma once

#include "base/bytes.hpp"
#include "expr/expr.hpp"

namespace reprise::expr {

// expression := byte op, then by op
//   0 constant: signed value    1 variable: text name    otherwise: expression{operands of the
//   operator}
// The numbers of the operators are their order in `Op`.
// REQUIRES: depth and nodes within kMaxDepth and kMaxNodes.
void encode(ByteWriter& out, const Expr& e);

// Letters, digits and underscores; the first is no digit.
bool is_name(std::string_view text);

// The bytes are not trusted: an unknown operator, a name that is none and what is nested too deeply
// fail the reader.
Expr decode(ByteReader& in);

}  // namespace reprise::expr
