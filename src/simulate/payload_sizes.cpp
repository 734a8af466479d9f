#include "simulate/payload_sizes.hpp"

#include <algorithm>

#include "trace/special.hpp"

namespace reprise::simulate {
namespace {

using trace::Payload;

// Larger blocks are damage. As many as there may be ranks can still be added up.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 38;

}  // namespace

std::int64_t PayloadSizes::product(std::int64_t count, std::int64_t type) {
  if (count <= 0) return 0;
  const std::int64_t size = objects_.type_size(type);
  if (size < 0 || (size > 0 && count > kMaxBytes / size)) {
    unknown_ = true;
    return 0;
  }
  return count * size;
}

const Payload* PayloadSizes::describing(const Payload* p) const {
  if (!p || p->buffer < 0) return p;
  const std::int64_t buffer = event_.scalars[p->buffer];
  if (buffer == trace::kNone) return nullptr;
  if (buffer == trace::kInPlace && p->in_place >= 0) return &event_.function->payloads[p->in_place];
  return p;
}

std::int64_t PayloadSizes::block(const Payload* p) {
  p = describing(p);
  if (!p || p->blocks == trace::Blocks::listed) return 0;
  if (p->datatype < 0) {
    const std::int64_t bytes = event_.scalars[p->count];
    unknown_ |= bytes > kMaxBytes;
    return bytes > kMaxBytes ? 0 : std::max<std::int64_t>(0, bytes);
  }
  std::int64_t count = p->count < 0 ? 1 : event_.scalars[p->count];
  if (p->blocks == trace::Blocks::partitions && count > 0) {
    const std::int64_t n = std::max<std::int64_t>(0, event_.scalars[p->partitions]);
    if (n > kMaxBytes / count) unknown_ = true;
    count *= unknown_ ? 0 : n;
  }
  return product(count, p->typed_each ? trace::kNone : event_.scalars[p->datatype]);
}

std::vector<std::int64_t> PayloadSizes::blocks(const Payload* p) {
  p = describing(p);
  std::vector<std::int64_t> out;
  if (!p || p->blocks != trace::Blocks::listed) return out;
  const auto& counts = event_.lists[p->count];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::int64_t type = trace::kNone;
    if (!p->typed_each) {
      type = event_.scalars[p->datatype];
    } else if (i < event_.lists[p->datatype].size()) {
      type = event_.lists[p->datatype][i];
    }
    out.push_back(product(counts[i], type));
  }
  return out;
}

std::int64_t PayloadSizes::total(const Payload* p, std::int64_t peers) {
  const std::vector<std::int64_t> all = blocks(p);
  std::int64_t sum = 0;
  for (const std::int64_t b : all) sum += b;
  if (!all.empty()) return sum;
  p = describing(p);
  const bool each = p && p->blocks == trace::Blocks::members && p->part == trace::Part::all;
  return block(p) * (each ? peers : 1);
}

std::int64_t PayloadSizes::reduced(const Payload* p) {
  return p ? product(event_.scalars[p->count], event_.scalars[p->datatype]) : 0;
}

}  // namespace reprise::simulate
