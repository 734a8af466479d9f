// The calls that split communicators again and again, as an explained program has them.
#pragma once

#include <cstdint>
#include <optional>

#include "program/program.hpp"

namespace reprise::write::c {

// What a call splits by, in terms of the rank in the communicator and its size.
struct SplitBy {
  expr::Expr color, key;
};

// Nothing if no such expressions tell.
std::optional<SplitBy> split_by(const program::Program& program, std::uint32_t call);

// Whether a communicator has all ranks in their order, wherever it is made.
bool is_whole(const program::Program& program, std::int64_t comm);

}  // namespace reprise::write::c
