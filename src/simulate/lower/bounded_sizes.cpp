#include "simulate/lower/bounded_sizes.hpp"

namespace reprise::simulate {
namespace {

// Larger blocks are damage. As many as there may be ranks can still be added up.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 38;

}  // namespace

std::int64_t BoundedSizes::take(mpi::Bytes size) {
  const bool is_taken = size.is_known() && size.count() <= kMaxBytes;
  unknown_ |= !is_taken;
  return is_taken ? size.count() : 0;
}

std::vector<std::int64_t> BoundedSizes::blocks(const trace::Payload* p) {
  std::vector<std::int64_t> out;
  for (const mpi::Bytes size : sizes_.blocks(p)) out.push_back(take(size));
  return out;
}

std::int64_t BoundedSizes::total(const trace::Payload* p, std::int64_t peers) {
  const std::vector<std::int64_t> all = blocks(p);
  std::int64_t sum = 0;
  for (const std::int64_t b : all) sum += b;
  if (!all.empty()) return sum;
  p = describing(p);
  const bool each = p && p->blocks == trace::Blocks::members && p->part == trace::Part::all;
  return block(p) * (each ? peers : 1);
}

}  // namespace reprise::simulate
