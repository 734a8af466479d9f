// Values and conditions of the explained program as JSON (docs/show_json.md).
#pragma once

#include <nlohmann/json.hpp>

#include "program/program.hpp"

namespace reprise::write {

// Of the body of a procedure, or of the program.
class ValueJson {
 public:
  // `procedure`: whose parameters the body has; null: none.
  ValueJson(const program::Program& program, const program::Procedure* procedure)
      : program_(program), procedure_(procedure) {}

  nlohmann::ordered_json who(const program::Who& who) const;
  nlohmann::ordered_json value(const program::Value& value, const trace::Column& column) const;

 private:
  const program::Program& program_;
  const program::Procedure* procedure_;
};

}  // namespace reprise::write
