// How statements of coNCePTuaL stand together: conditions, sequences and loops as text.
#pragma once

#include <string>
#include <vector>

namespace reprise::generate {

// Both conditions; an empty one always holds.
std::string both(const std::string& a, const std::string& b);

// "ALL TASKS t", or those of which a condition on the name holds.
std::string tasks_such_that(const std::string& condition, const std::string& name = "t");

// Statements joined by THEN, one below the other. Comments stand before them.
std::string joined(const std::vector<std::string>& statements, int depth);

// Adds a loop around statements, unless there are none. Where none of them uses the loop's variable
// `name`, `counted_head` stands for `head`, if it is not empty.
void add_loop(const std::string& head, const std::string& counted_head, const std::string& name,
              const std::vector<std::string>& statements, std::vector<std::string>& out);

// The lines of a text, those that are too long broken where the language has a blank.
std::string broken(const std::string& text);

}  // namespace reprise::generate
