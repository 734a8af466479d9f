// How many bytes the parameters of a call come to.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/world.hpp"
#include "trace/cursor.hpp"
#include "trace/functions.hpp"

namespace reprise::simulate {

// Of one event. REQUIRES: the event and the objects of its rank outlive it.
class PayloadSizes {
 public:
  PayloadSizes(const trace::Event& event, const RankObjects& objects)
      : event_(event), objects_(objects) {}

  // The payload that describes the data: another if the buffer is MPI_IN_PLACE; null: none.
  const trace::Payload* describing(const trace::Payload* payload) const;
  // Of one block of a payload [bytes].
  std::int64_t block(const trace::Payload* payload);
  // Of each block [bytes], where they are listed.
  std::vector<std::int64_t> blocks(const trace::Payload* payload);
  // Of all blocks of a payload, in a group of so many peers [bytes].
  std::int64_t total(const trace::Payload* payload, std::int64_t peers);
  // Of all operands of a reduction [bytes]: its count counts, whatever its buffers are.
  std::int64_t reduced(const trace::Payload* payload);

  // Whether all sizes that have been asked for were known.
  bool all_known() const { return !unknown_; }

 private:
  std::int64_t product(std::int64_t count, std::int64_t type);

  const trace::Event& event_;
  const RankObjects& objects_;
  bool unknown_ = false;
};

}  // namespace reprise::simulate
