// A call of the explained program as statements of Python.
#pragma once

#include "write/python/mpi4py.hpp"
#include "write/python/values.hpp"

namespace reprise::write::python {

class CallWriter {
 public:
  // REQUIRES: all outlive it. `keeps_window_communicators`: some call asks for ranks of windows.
  CallWriter(const program::Program& program, Values& values, Parts& parts,
             bool keeps_window_communicators)
      : program_(program),
        values_(values),
        parts_(parts),
        keeps_window_communicators_(keeps_window_communicators) {}

  // `comment` stands behind the call. Throws Unwritable if there is none in mpi4py.
  Block write(const program::Node& call, Frame& frame, const std::string& comment);

 private:
  const program::Program& program_;
  Values& values_;
  Parts& parts_;
  bool keeps_window_communicators_;
};

}  // namespace reprise::write::python
