// Sets of streams: in order, each once.
#pragma once

#include "program/program.hpp"

namespace reprise::program {

// 0 to n - 1.
Streams first_streams(std::uint64_t n);
Streams without(const Streams& all, const Streams& some);
Streams joined(const Streams& a, const Streams& b);
bool is_disjoint(const Streams& a, const Streams& b);

}  // namespace reprise::program
