// Long values that a program says again and again: each has a name and is told once.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace reprise::write {

struct Repeated {
  std::string name;
  const program::Value* value;
  trace::Column column;
};

class RepeatedValues {
 public:
  // `text`: of a value where it has no name. Cost: one text for each distinct value.
  using TextOf = std::function<std::string(const program::Value&, const trace::Column&)>;
  RepeatedValues(const program::Program& program, const TextOf& text);

  // Null: it has none.
  const Repeated* find(const program::Value& value, const trace::Column& column) const;

 private:
  std::vector<Repeated> all_;
  std::map<std::string, std::size_t> known_;
};

}  // namespace reprise::write
