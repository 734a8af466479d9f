// The names that can be seen at a place of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

class Scope {
 public:
  struct Symbol {
    std::string name;
    Slot slot = kNoSlot;
    const Tasks* group = nullptr;  // of a group: its tasks, resolved
  };

  // The innermost; null: there is none. Groups of tasks have names apart from those of variables.
  const Symbol* find(const std::string& name) const;
  const Symbol* find_group(const std::string& name) const;

  // A new variable, which hides others of its name until the scope is cut back to before it.
  Slot declare(const std::string& name, Position at);
  void declare_group(const std::string& name, const Tasks& tasks, Position at);
  Slot fresh() { return next_++; }

  std::size_t mark() const { return symbols_.size(); }
  void cut_back(std::size_t mark) { symbols_.resize(mark); }
  std::size_t slots() const { return next_; }

 private:
  std::vector<Symbol> symbols_;
  Slot next_ = 0;
};

}  // namespace reprise::conceptual
