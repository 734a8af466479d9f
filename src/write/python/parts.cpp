#include "write/python/parts.hpp"

#include <array>

namespace reprise::write::python {
namespace {

// By RuntimePart; CMakeLists.txt has the same order.
constexpr std::array kSources = {
#include "python_runtime.inc"
};

}  // namespace

std::string_view source_of(RuntimePart part) { return kSources[static_cast<std::size_t>(part)]; }

}  // namespace reprise::write::python
