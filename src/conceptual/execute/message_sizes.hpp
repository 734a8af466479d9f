// What a message specification comes to, with the variables as they are.
#pragma once

#include "conceptual/execute/plan.hpp"

namespace reprise::conceptual {

struct Sizes {
  std::int64_t count = 1, bytes = 0, tag = 0;
};

// Throws Problem where there is none that MPI could send.
Sizes sizes_of(const Message& message, const Planner& planner);
std::int64_t tag_of(const Expr& tag, const Planner& planner);
void check_bytes(std::int64_t bytes, Position at);

}  // namespace reprise::conceptual
