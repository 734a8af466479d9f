#include "code/recursion.hpp"

#include <algorithm>
#include <utility>

namespace reprise::code {
namespace {

void add_successor(Block& block, std::uint32_t to) {
  const auto place = std::ranges::lower_bound(block.successors, to);
  if (place == block.successors.end() || *place != to) block.successors.insert(place, to);
}

}  // namespace

Flow with_recursion_as_loops(Flow flow) {
  const std::uint64_t begin = flow.parts.front().begin;
  std::vector<std::uint32_t> calls, behind;
  for (const Transfer& call : flow.calls) {
    if (call.target != begin) continue;
    const auto block = std::ranges::lower_bound(flow.blocks, call.end, {}, &Block::end);
    if (block == flow.blocks.end() || block->end != call.end) continue;
    calls.push_back(static_cast<std::uint32_t>(block - flow.blocks.begin()));
    behind.insert(behind.end(), block->successors.begin(), block->successors.end());
  }
  std::ranges::sort(behind);
  behind.erase(std::unique(behind.begin(), behind.end()), behind.end());
  for (const std::uint32_t call : calls) add_successor(flow.blocks[call], flow.entry);
  for (Block& b : flow.blocks) {
    if (!b.returns) continue;
    for (const std::uint32_t to : behind) add_successor(b, to);
  }
  flow.resumptions = std::move(behind);
  return flow;
}

}  // namespace reprise::code
