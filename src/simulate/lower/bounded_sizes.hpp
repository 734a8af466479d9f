// The payload sizes of one call, as far as the simulator can add them up.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/payloads/payload_sizes.hpp"

namespace reprise::simulate {

// Sizes that are unknown or too large are 0 here, and noted. REQUIRES: as of mpi::PayloadSizes.
class BoundedSizes {
 public:
  BoundedSizes(const trace::Event& event, const mpi::TypeSizes& types) : sizes_(event, types) {}

  const trace::Payload* describing(const trace::Payload* payload) const {
    return sizes_.describing(payload);
  }
  // Of one block of a payload [bytes].
  std::int64_t block(const trace::Payload* payload) { return take(sizes_.block(payload)); }
  // Of each block [bytes], where they are listed.
  std::vector<std::int64_t> blocks(const trace::Payload* payload);
  // Of all blocks of a payload, in a group of so many peers [bytes].
  std::int64_t total(const trace::Payload* payload, std::int64_t peers);
  // Of all operands of a reduction [bytes]: its count counts, whatever its buffers are.
  std::int64_t reduced(const trace::Payload* payload) {
    return payload ? take(sizes_.counted(*payload)) : 0;
  }

  // Whether all sizes so far were known and small enough.
  bool all_known() const { return !unknown_; }

 private:
  std::int64_t take(mpi::Bytes size);

  mpi::PayloadSizes sizes_;
  bool unknown_ = false;
};

}  // namespace reprise::simulate
