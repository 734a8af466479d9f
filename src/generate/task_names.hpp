// Names for long expressions of a coNCePTuaL program, so that each stands there once: LET k1 BE ...
// WHILE. A name may depend on the task that an expression is about, and on other names.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::generate {

// Whether a name stands in a text as a word.
bool uses(std::string_view text, std::string_view name);

// Thrown where a text would be too long to be written.
struct TooLong {};

class TaskNames {
 public:
  // The text itself, or a name for it if it is long.
  std::string name_of(const std::string& text);

  // The text with another variable, or number, for task t. Names that depend on t become others.
  std::string for_task(const std::string& text, const std::string& task);

  // Whether the text, or a name in it, depends on the variable.
  bool depends(const std::string& text, std::string_view variable) const;

  // Definitions for the names in a text of which `is_wanted` holds, to stand in front of the
  // statement: "LET k1 BE ... WHILE ". Those that others need come first.
  using Wanted = std::function<bool(const std::string& name)>;
  std::string definitions(const std::string& text, const Wanted& is_wanted) const;
  std::string definitions(const std::string& text) const;

  // The text with the names of which `is_wanted` holds written out.
  std::string written_out(const std::string& text, const Wanted& is_wanted) const;

 private:
  struct Named {
    std::string text;
    std::vector<std::size_t> names;              // that stand in it
    std::set<std::string> variables;             // that stand in it, or in what its names stand for
    std::map<std::string, std::string> of_task;  // by task: what stands for the name then
  };

  // Numbers of the names in the text and in what they stand for, in ascending order.
  // Cost: O(text + those that are found and what is in them).
  std::vector<std::size_t> used(const std::string& text) const;
  std::vector<std::size_t> names_in(const std::string& text) const;
  std::string name_for_task(std::size_t number, const std::string& task);

  std::vector<Named> named_;  // name k(n+1) stands for number n, which needs lower ones alone
  std::map<std::string, std::string> known_;   // texts to names
  std::map<std::string, std::size_t> number_;  // of names
};

}  // namespace reprise::generate
