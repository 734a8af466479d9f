#include "conceptual/read/walk.hpp"

namespace reprise::conceptual {

void separate(Expr& expr) {
  for (Expr& e : expr.operands) separate(e);
  if (!expr.condition) return;
  expr.condition = std::make_shared<Relation>(*expr.condition);
  separate(*expr.condition);
}

void separate(Relation& relation) {
  for (Expr& e : relation.operands) separate(e);
  for (Range& r : relation.ranges) {
    for (Expr& e : r.items) separate(e);
    if (r.last) separate(*r.last);
  }
  for (Relation& r : relation.parts) separate(r);
}

}  // namespace reprise::conceptual
