// Converts the items of a trace to nodes of an explained program, one by one; functions.hpp finds
// their functions later.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "analyze/totals/executions.hpp"
#include "analyze/totals/memberships.hpp"
#include "program/build.hpp"
#include "program/program.hpp"
#include "program/values/values.hpp"

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
  // Finds the items that have all calls of an exchange, and no others: the numbers of the exchanges
  // of which the item has some calls.
  std::vector<std::size_t> find_exchanges(const trace::Item& item);
  Node exchange(std::size_t index, const StreamSet& streams) const;
  std::vector<Argument> arguments(const trace::Call& call, std::span<const trace::Column> scalars,
                                  std::span<const trace::Column> lists, const ValueSite& site,
                                  const PeerMeaning& peers) const;
  std::optional<trace::Value> trips_before(const trace::Item& item);
  Value number_before(const trace::Value& before, ValueSite site);
  bool is_at_most_once(const trace::Item& item, const Streams& inside);

  const trace::Trace& trace_;
  Conditions& conditions_;
  const Options& options_;
  analyze::Executions executions_;
  analyze::PeerRanges peers_;
  Values values_;
  Nest nest_;
  bool is_always_met_ = true;  // in the first iterations of the loops around, too
  std::map<const trace::Item*, std::size_t> exchanges_;
};

}  // namespace reprise::program
