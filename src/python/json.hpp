// JSON as Python's objects.
#pragma once

#include <pybind11/pybind11.h>

#include <nlohmann/json.hpp>

namespace reprise::python {

// Dictionaries, lists, numbers, strings (bytes that are no UTF-8 replaced), None.
pybind11::object to_python(const nlohmann::ordered_json& json);

}  // namespace reprise::python
