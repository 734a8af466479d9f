// Time as the replay sees it: the machine's, or under SMPI the simulated one.
#pragma once

#include <cstdint>

namespace reprise::replay {

std::int64_t now_ns();

// Lets time pass.
void sleep_ns(std::int64_t ns);
void spin_until(std::int64_t ns);

}  // namespace reprise::replay
