// The items of a trace as nodes of an explained program, one by one: what functions they stand in
// is found later (functions.hpp).
#pragma once

#include <optional>
#include <span>

#include "analyze/executions.hpp"
#include "analyze/memberships.hpp"
#include "program/build.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace reprise::program {

class NodeBuilder {
 public:
  // REQUIRES: all outlive it.
  NodeBuilder(const trace::Trace& trace, Conditions& conditions, const Options& options);

  // The nodes of the whole trace.
  std::vector<Node> run();

 private:
  void item(const trace::Item& item, const StreamSet& coming, std::vector<Node>& out);
  void body(const trace::Item& item, const StreamSet& inside, std::vector<Node>& out);
  Node call(std::uint32_t index, const StreamSet& streams);
  std::vector<Argument> arguments(const trace::Call& call, std::span<const trace::Column> scalars,
                                  std::span<const trace::Column> lists, const Asking& asking,
                                  const PeerMeaning& peers) const;
  std::optional<trace::Value> trips_before(const trace::Item& item);
  bool is_at_most_once(const trace::Item& item, const Streams& inside);

  const trace::Trace& trace_;
  Conditions& conditions_;
  const Options& options_;
  analyze::Executions executions_;
  analyze::PeerRanges peers_;
  Values values_;
  Nest nest_;
};

}  // namespace reprise::program
