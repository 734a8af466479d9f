// Laws that consist of several laws.
#pragma once

#include <algorithm>
#include <optional>

#include "extrapolate/laws/number_law.hpp"

namespace reprise::extrapolate {

// Collects the parts of a law and their common properties.
class JoinedLaw {
 public:
  // False if the part is on another grid than the parts before it.
  bool take(const NumberLaw& part) {
    if (part.grid && law_.grid && part.grid != law_.grid) return false;
    if (part.grid) law_.grid = part.grid;
    law_.of_rank = law_.of_rank || part.of_rank;
    law_.standing = std::max(law_.standing, part.standing);
    return true;
  }

  NumberLaw finish(expr::Expr expression) const {
    NumberLaw out = law_;
    out.expression = std::move(expression);
    return out;
  }

 private:
  NumberLaw law_;
};

}  // namespace reprise::extrapolate
