#include "python/json.hpp"

namespace reprise::python {

namespace py = pybind11;
using nlohmann::ordered_json;

py::object text(const std::string& s) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(s.data(), static_cast<py::ssize_t>(s.size()), "replace"));
}

py::object to_python(const ordered_json& json) {
  switch (json.type()) {
    case ordered_json::value_t::boolean: return py::bool_(json.get<bool>());
    case ordered_json::value_t::number_integer: return py::int_(json.get<std::int64_t>());
    case ordered_json::value_t::number_unsigned: return py::int_(json.get<std::uint64_t>());
    case ordered_json::value_t::number_float: return py::float_(json.get<double>());
    case ordered_json::value_t::string: return text(json.get_ref<const std::string&>());
    case ordered_json::value_t::array: {
      py::list out(json.size());
      for (std::size_t i = 0; i < json.size(); ++i) out[i] = to_python(json[i]);
      return out;
    }
    case ordered_json::value_t::object: {
      py::dict out;
      for (const auto& [key, value] : json.items()) out[text(key)] = to_python(value);
      return out;
    }
    default: return py::none();
  }
}

}  // namespace reprise::python
