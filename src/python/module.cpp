// The module `reprise._core`. Its functions return dictionaries, lists and arrays; the package
// makes data frames of them.
#include <pybind11/pybind11.h>

#include "cli/command.hpp"
#include "python/json.hpp"
#include "python/trace.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  using reprise::cli::CommandError;
  module.doc() = "The compiled part of the package reprise.";
  // Exceptions outlive the interpreter's modules: they are not destroyed.
  static auto* error = new py::exception<CommandError>(module, "Error", PyExc_Exception);
  error->doc() = "A trace or a request cannot be worked with; the text is that of the command.";
  static auto* usage = new py::exception<CommandError>(
      module, "UsageError", py::make_tuple(*error, py::handle(PyExc_ValueError)).ptr());
  usage->doc() = "An argument makes no sense.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const CommandError& e) {
      PyErr_SetObject((e.status == 2 ? usage : error)->ptr(),
                      reprise::python::text(e.message).ptr());
    }
  });
  reprise::python::TraceClass type(module, "Trace");
  reprise::python::add_contents(module, type);
  reprise::python::add_simulation(type);
  reprise::python::add_extrapolation(module);
}
