#include "replay/compute.hpp"

namespace reprise::replay {

std::unique_ptr<ComputeModel> compute_model(const trace::Trace&, std::uint64_t, const Options&) {
  return nullptr;  // traces have no times yet
}

}  // namespace reprise::replay
