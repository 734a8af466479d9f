#include "write/text/calls_of_nodes.hpp"

#include <algorithm>

namespace reprise::write {

using program::Node;

CallsOfNodes::CallsOfNodes(const program::Program& program) : program_(program) {
  add(program.body);
  for (auto& [node, calls] : calls_) {
    std::ranges::sort(calls);
    calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  }
}

const std::vector<std::uint32_t>& CallsOfNodes::at(const Node& node) const {
  static const std::vector<std::uint32_t> none;
  const auto found = calls_.find(&node);
  return found == calls_.end() ? none : found->second;
}

void CallsOfNodes::add(const std::vector<Node>& body) {
  for (const Node& n : body) {
    switch (n.kind) {
      case Node::Kind::call: calls_[&n].push_back(n.call); break;
      case Node::Kind::exchange: calls_[&n] = n.calls; break;
      case Node::Kind::invocation:
        calls_[&n] = n.calls;
        add_invoked(program_.procedures[n.procedure].body, n.calls);
        break;
      default: add(n.body);
    }
  }
}

std::span<const std::uint32_t> CallsOfNodes::add_invoked(const std::vector<Node>& body,
                                                         std::span<const std::uint32_t> calls) {
  for (const Node& n : body) {
    const std::span<const std::uint32_t> before = calls;
    switch (n.kind) {
      case Node::Kind::call:
        if (calls.empty()) return calls;
        calls = calls.subspan(1);
        break;
      case Node::Kind::exchange:
        calls = calls.subspan(std::min(calls.size(), n.calls.size()));
        break;
      case Node::Kind::invocation:
        calls = add_invoked(program_.procedures[n.procedure].body, calls);
        break;
      default: calls = add_invoked(n.body, calls); continue;
    }
    const auto made = before.first(before.size() - calls.size());
    calls_[&n].insert(calls_[&n].end(), made.begin(), made.end());
  }
  return calls;
}

}  // namespace reprise::write
