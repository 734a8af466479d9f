// The reserved words of coNCePTuaL, and which of them are forms of one.
#pragma once

#include <string_view>

namespace reprise::conceptual {

// The form that stands for all of its meaning; empty if the word, in capitals, is not reserved.
std::string_view first_form(std::string_view word);

// Whether a word, in capitals, is a function of the language that is executed, or one that is not.
bool is_function(std::string_view word);
bool is_other_function(std::string_view word);

}  // namespace reprise::conceptual
