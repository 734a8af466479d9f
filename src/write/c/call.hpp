// A call of the explained program as statements of C, from the table of arguments alone.
#pragma once

#include "write/c/arguments.hpp"
#include "write/c/pending_at.hpp"
#include "write/c/values.hpp"

namespace reprise::write::c {

class CallWriter {
 public:
  // REQUIRES: all outlive it. `keeps_window_communicators`: some call asks for ranks of windows.
  CallWriter(const program::Program& program, Values& values, Names& names,
             bool keeps_window_communicators)
      : program_(program),
        values_(values),
        names_(names),
        keeps_window_communicators_(keeps_window_communicators),
        pending_(*program.trace) {}

  // The statements of the call; `site` is its number. Throws Unwritable if there are none in C.
  Block write(const program::Node& call, Frame& frame, const Expression& site);

 private:
  const program::Program& program_;
  Values& values_;
  Names& names_;
  bool keeps_window_communicators_;
  PendingAt pending_;
};

}  // namespace reprise::write::c
