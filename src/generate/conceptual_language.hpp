// Benchmarks in coNCePTuaL 1.5: a page that says what all tasks do. Source of the idea, and of the
// substitutions that the language asks for: Wu, Mueller & Pakin 2011, section 4.2 and table 1;
// docs/conceptual.md has ours.
#pragma once

#include "generate/language.hpp"

namespace reprise::generate {

const Language& conceptual_language();

}  // namespace reprise::generate
