// Drawn messages as data of C, for the runtime part that draws them (runtime/exchange.h).
#pragma once

#include "trace/draw/drawn_exchange.hpp"
#include "write/c/language/syntax.hpp"
#include "write/names.hpp"

namespace reprise::write::c {

// Defines one; returns its name.
std::string define_exchange(const trace::DrawnExchange& exchange, Names& names, Block& out);

}  // namespace reprise::write::c
