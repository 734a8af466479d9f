#include "mpi/payloads/payload_sizes.hpp"

#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Payload;

const Payload* PayloadSizes::describing(const Payload* p) const {
  if (!p || p->buffer < 0) return p;
  const std::int64_t buffer = event_.scalars[static_cast<std::size_t>(p->buffer)];
  if (buffer == trace::kNone) return nullptr;
  if (buffer == trace::kInPlace && p->in_place >= 0)
    return &event_.function->payloads[static_cast<std::size_t>(p->in_place)];
  return p;
}

Bytes PayloadSizes::block(const Payload* p) const {
  p = describing(p);
  return p && p->blocks != trace::Blocks::listed ? counted(*p) : Bytes(0);
}

std::vector<Bytes> PayloadSizes::blocks(const Payload* p) const {
  p = describing(p);
  std::vector<Bytes> out;
  if (!p || p->blocks != trace::Blocks::listed) return out;
  const std::size_t n = event_.lists[static_cast<std::size_t>(p->count)].size();
  for (std::size_t i = 0; i < n; ++i) out.push_back(listed(*p, i));
  return out;
}

Bytes PayloadSizes::listed(const Payload& p, std::size_t block) const {
  const auto& counts = event_.lists[static_cast<std::size_t>(p.count)];
  if (block >= counts.size()) return Bytes(0);
  return types_.of(counts[block], type_of(p, block));
}

Bytes PayloadSizes::counted(const Payload& p) const {
  const std::int64_t count = p.count < 0 ? 1 : event_.scalars[static_cast<std::size_t>(p.count)];
  const Bytes one = p.datatype < 0 ? Bytes(1) * count : types_.of(count, type_of(p, 0));
  if (p.blocks != trace::Blocks::partitions) return one;
  return one * event_.scalars[static_cast<std::size_t>(p.partitions)];
}

TypeId PayloadSizes::type_of(const Payload& p, std::size_t block) const {
  const auto at = static_cast<std::size_t>(p.datatype);
  if (!p.typed_each) return TypeId{p.datatype < 0 ? trace::kNone : event_.scalars[at]};
  const auto& types = event_.lists[at];
  return TypeId{block < types.size() ? types[block] : trace::kNone};
}

}  // namespace reprise::mpi
