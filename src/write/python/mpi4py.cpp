#include "write/python/mpi4py.hpp"

namespace reprise::write::python {
namespace {

#include "python_calls.inc"

}  // namespace

const MethodCall& method_call(trace::FunctionId function) {
  return kCalls[static_cast<std::size_t>(function)];
}

}  // namespace reprise::write::python
