// How many bytes the arguments of a call come to, payload by payload.
#pragma once

#include <vector>

#include "mpi/payloads/type_sizes.hpp"

namespace reprise::mpi {

// Of one event. A payload may be null: that is none, of no bytes. REQUIRES: event and sizes outlive
// it, and payloads are of the event's function.
class PayloadSizes {
 public:
  PayloadSizes(const trace::Event& event, const TypeSizes& types) : event_(event), types_(types) {}

  // The payload whose arguments describe the data: another one if the buffer is MPI_IN_PLACE, null
  // if the buffer does not count.
  const trace::Payload* describing(const trace::Payload* payload) const;

  // Of one block, where all have one count; of a message with partitions, all of these.
  Bytes block(const trace::Payload* payload) const;
  // Of each block, where they are listed.
  std::vector<Bytes> blocks(const trace::Payload* payload) const;
  // Of one element of that block, where they are listed; nothing if the list ends before.
  Bytes listed(const trace::Payload& payload, std::size_t block) const;
  // By a payload's own count and datatype, whatever its buffer is.
  Bytes counted(const trace::Payload& payload) const;

 private:
  TypeId type_of(const trace::Payload& payload, std::size_t block) const;

  const trace::Event& event_;
  const TypeSizes& types_;
};

}  // namespace reprise::mpi
