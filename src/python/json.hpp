// JSON as Python's objects.
#pragma once

#include <pybind11/pybind11.h>

#include <nlohmann/json.hpp>

namespace reprise::python {

// Bytes that are no UTF-8 are replaced.
pybind11::object text(const std::string& s);
// Dictionaries, lists, numbers, text, None.
pybind11::object to_python(const nlohmann::ordered_json& json);

}  // namespace reprise::python
