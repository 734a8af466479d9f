// The text of a coNCePTuaL program, from its tree: what programs that write programs end with.
//
// Those statements are printed that move data, compute, hold others, log and count. What the
// language's compiler reads in a way of its own (a hyphen before a function, ALL TASKS with a
// variable in RECEIVES) is written so that it is read as meant.
#pragma once

#include <string>

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

// Parameters, a line each.
std::string print_parameters(const std::vector<Parameter>& parameters);

// Statements of the top level, each with its full stop. Lines are broken at 100 columns where that
// can be.
std::string print_statements(const std::vector<Statement>& statements);

// One line.
std::string print(const Expr& e);
std::string print(const Relation& r);

}  // namespace reprise::conceptual
