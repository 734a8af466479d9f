#include "write/c/data/exchanges.hpp"

#include "trace/series/series_folder.hpp"
#include "write/c/data/tables.hpp"

namespace reprise::write::c {
namespace {

using Numbers = std::vector<std::int64_t>;

Expression by_rank(const Numbers& numbers) {
  return plain_terms(trace::fold_numbers(numbers), numbers.size());
}

Expression array(const Numbers& numbers) {
  std::vector<Expression> all;
  for (const std::int64_t n : numbers) all.push_back(number(n));
  return compound("const long long[]", std::move(all));
}

Expression count(const auto& all) { return number(std::ssize(all)); }

}  // namespace

std::string define_exchange(const trace::DrawnExchange& e, Names& names, Block& out) {
  std::vector<Expression> flows;
  for (const trace::DrawnExchange::Flow& f : e.flows) {
    std::vector<Entry> members = {{"senders", by_rank(f.senders)},
                                  {"receivers", by_rank(f.receivers)},
                                  {"sizes", count(f.sizes)},
                                  {"size", array(f.sizes)},
                                  {"together", number(f.together)}};
    flows.push_back(initializer(std::move(members)));
  }
  const std::string flow = names.add("FLOWS");
  out.push_back({Declare{"static struct flow", flow, "[]", list(std::move(flows))}});
  std::vector<Entry> members = {{"seed", number(static_cast<std::int64_t>(e.seed))},
                                {"tag", number(e.tag)}};
  if (e.is_ordered) members.push_back({"is_ordered", number(1)});
  if (e.moves) members.push_back({"moves", number(1)});
  if (e.polls > 0) members.push_back({"polls", number(e.polls)});
  if (e.waits > 0) members.push_back({"waits", number(e.waits)});
  members.insert(members.end(), {{"shares", count(e.messages)},
                                 {"messages", array(e.messages)},
                                 {"rounds", count(e.rounds)},
                                 {"round", array(e.rounds)},
                                 {"flows", count(e.flows)},
                                 {"flow", name(flow)}});
  std::string own = names.add("EXCHANGE");
  out.push_back(
      {Declare{"static struct drawn_exchange", own, "", initializer(std::move(members))}});
  return own;
}

}  // namespace reprise::write::c
