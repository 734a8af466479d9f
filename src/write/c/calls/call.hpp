// A call of the explained program as statements of C: the call with its arguments, repeated while
// it may come back empty-handed, and what is said of requests and windows behind it.
#pragma once

#include "write/c/calls/call_arguments.hpp"

namespace reprise::write::c {

class CallWriter {
 public:
  // REQUIRES: all outlive it. `keeps_window_communicators`: some call asks for ranks of windows.
  CallWriter(const program::Program& program, Values& values, Names& names,
             bool keeps_window_communicators)
      : context_{program, values, names, keeps_window_communicators, PendingAt(*program.trace)} {}

  // The statements of the call; `site` is its number. Throws Unwritable if there are none in C.
  Block write(const program::Node& call, Frame& frame, const Expression& site);

 private:
  CallContext context_;
};

}  // namespace reprise::write::c
