// A trace as Python holds it, and what the parts of the module add to it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "trace/program.hpp"

namespace reprise::python {

struct Trace {
  std::shared_ptr<const trace::Trace> content;
  std::string name;  // that messages call it
};

using TraceClass = pybind11::class_<Trace>;

// Facts, the program, its calls, times and statistics, and saving.
void add_contents(pybind11::module_& module, TraceClass& type);
// The simulated run, what costs time in it, and its messages.
void add_simulation(TraceClass& type);
// The trace on another number of ranks.
void add_extrapolation(pybind11::module_& module);

}  // namespace reprise::python
