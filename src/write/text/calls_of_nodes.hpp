// Which calls of the trace a node of the explained program makes: in a procedure, those of all
// places from which it is invoked.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "program/program.hpp"

namespace reprise::write {

class CallsOfNodes {
 public:
  // REQUIRES: the program outlives it and does not change. Cost: O(nodes + calls log calls).
  explicit CallsOfNodes(const program::Program& program);

  // Of a call, an invocation or an exchange, in ascending order; empty for others.
  const std::vector<std::uint32_t>& at(const program::Node& node) const;

 private:
  void add(const std::vector<program::Node>& body);
  // `calls`: what an invocation of the body makes, in its order. Returns what is left of it.
  std::span<const std::uint32_t> add_invoked(const std::vector<program::Node>& body,
                                             std::span<const std::uint32_t> calls);

  const program::Program& program_;
  std::map<const program::Node*, std::vector<std::uint32_t>> calls_;
};

}  // namespace reprise::write
