#include "write/python/tables.hpp"

#include <algorithm>

#include "trace/series/series_folder.hpp"
#include "write/directions.hpp"

namespace reprise::write::python {
namespace {

using program::Neighbor;
using program::Streams;

Expression count_of(std::uint64_t count) {
  return count == trace::kUnbounded ? name("None") : number(static_cast<std::int64_t>(count));
}

Expression term_of(const trace::Term& t, const ElementOf& element) {
  std::vector<Argument> arguments;
  if (t.is_run()) {
    if (t.count == 1) return element(t.value);
    arguments.push_back({{}, element(t.value)});
  } else {
    arguments.push_back({{}, list(terms_of(trace::Series(t.body), kAll, element))});
  }
  const bool has_count = t.count != trace::kUnbounded;
  if (has_count) arguments.push_back({{}, count_of(t.count)});
  if (t.step != 0) arguments.push_back({has_count ? "" : "step", number(t.step)});
  return call(name(t.is_run() ? "run" : "repeat"), std::move(arguments));
}

}  // namespace

std::vector<Expression> terms_of(const trace::Series& series, std::uint64_t length,
                                 const ElementOf& element) {
  std::vector<Expression> out;
  for (const trace::Term& t : writable_terms(series, length)) out.push_back(term_of(t, element));
  return out;
}

std::string Tables::sequence(const program::Sequence& s, std::string_view wanted,
                             const ElementOf& element) {
  const auto [known, is_new] = sequences_.try_emplace(&s);
  if (!is_new) return known->second;
  parts_.insert(RuntimePart::tables);
  known->second = names_.add(upper(wanted));
  const std::uint64_t length = s.each_time ? s.length : kAll;
  constants_.push_back(
      assign(name(known->second), call("Table", terms_of(s.values, length, element))));
  return known->second;
}

namespace {

std::vector<Expression> terms_of(const std::vector<program::PatternTerm>& pattern,
                                 const std::function<Expression(const expr::Expr&)>& number) {
  std::vector<Expression> out;
  for (const program::PatternTerm& t : pattern) {
    const bool is_run = t.body.empty();
    std::vector<Argument> arguments = {
        {{}, is_run ? number(t.value) : list(terms_of(t.body, number))}};
    if (!t.count.is_constant(0)) arguments.push_back({"count", number(t.count)});
    if (!t.step.is_constant(0)) arguments.push_back({"step", number(t.step)});
    const bool is_one = is_run && t.count.is_constant(1);
    out.push_back(is_one ? number(t.value)
                         : call(name(is_run ? "run" : "repeat"), std::move(arguments)));
  }
  return out;
}

}  // namespace

std::string Tables::pattern(const program::Pattern& p, std::string_view wanted,
                            const std::function<Expression(const expr::Expr&)>& number) {
  const auto [known, is_new] = patterns_.try_emplace(&p);
  if (!is_new) return known->second;
  parts_.insert(RuntimePart::tables);
  known->second = names_.add(upper(wanted));
  of_rank_.push_back(assign(name(known->second), call("Table", terms_of(p.terms, number))));
  names_of_rank_.push_back(known->second);
  return known->second;
}

std::string Tables::turn(const program::Alternation& a, std::string_view wanted) {
  const auto [known, is_new] = turns_.try_emplace(&a);
  if (!is_new) return known->second;
  parts_.insert(RuntimePart::tables);
  known->second = names_.add(upper(wanted));
  std::vector<Expression> turns;
  for (std::size_t i = 0; i < a.laws.size(); ++i)
    turns.push_back(number(static_cast<std::int64_t>(i)));
  constants_.push_back(
      assign(name(known->second), call("Table", {call("repeat", {list(std::move(turns))})})));
  return known->second;
}

std::string Tables::by_case(const program::Value& v, std::string_view wanted,
                            const ElementOf& element) {
  const auto [known, is_new] = cases_.try_emplace(&v);
  if (!is_new) return known->second;
  parts_.insert(RuntimePart::tables);
  known->second = names_.add(upper(wanted));
  std::vector<Expression> all;
  for (const program::Case& c : v.cases) {
    const bool is_last = &c == &v.cases.back();
    Expression ranks = is_last ? name("None") : list(ranks_terms(*c.who.streams));
    std::vector<Expression> terms;
    if (const auto* s = std::get_if<program::Sequence>(&c.content)) {
      terms = terms_of(s->values, kAll, element);
    } else {
      terms = {call("run", {element(std::get<expr::Expr>(c.content).value())})};
    }
    all.push_back(tuple({std::move(ranks), call("Table", std::move(terms))}));
  }
  constants_.push_back(assign(name(known->second), call("TableByRank", std::move(all))));
  return known->second;
}

std::vector<Expression> Tables::ranks_terms(const Streams& streams) const {
  return terms_of(trace::fold_numbers(streams), streams.size(),
                  [](std::int64_t v) { return number(v); });
}

std::string Tables::by_stream(const Streams& streams, const trace::Series& values,
                              std::string_view wanted, const ElementOf& element) {
  parts_.insert(RuntimePart::tables);
  const std::string out = names_.add(upper(wanted));
  std::vector<Argument> arguments = {{{}, list(ranks_terms(streams))}};
  for (Expression& t : terms_of(values, streams.size(), element))
    arguments.push_back({{}, std::move(t)});
  constants_.push_back(assign(name(out), call(name("by_rank"), std::move(arguments))));
  return out;
}

std::string Tables::ranks(const program::StreamSet& streams) {
  const auto [known, is_new] = sets_.try_emplace(*streams);
  if (!is_new) return known->second;
  known->second = names_.add("RANKS_1");
  const std::vector<Expression> terms = ranks_terms(*streams);
  const bool are_plain =
      std::ranges::all_of(terms, [](const Expression& t) { return literal(t).has_value(); });
  Expression set;
  if (are_plain) {
    set = tuple(terms);
  } else {
    parts_.insert(RuntimePart::tables);
    set = call("set", {call("values_of", {list(terms)})});
  }
  constants_.push_back(assign(name(known->second), std::move(set)));
  return known->second;
}

namespace {

// Steps are taken `distance` times.
Expression neighbor_call(const Neighbor& n, const Expression& distance) {
  std::vector<Argument> arguments;
  for (const std::int64_t step : n.steps) {
    const bool is_along = distance && step != 0;
    arguments.push_back({{},
                         !is_along    ? number(step)
                         : step == 1  ? distance
                         : step == -1 ? unary(Prefix::negate, distance)
                                      : binary(Operator::multiply, number(step), distance)});
  }
  if (std::ranges::count(n.wraps, true) > 0) {
    std::vector<Expression> wraps;
    for (const bool w : n.wraps) wraps.push_back(name(w ? "True" : "False"));
    arguments.push_back({"wraps", tuple(std::move(wraps))});
  }
  return call(name("neighbor"), std::move(arguments));
}

}  // namespace

Expression Tables::neighbor(const Neighbor& n, const Expression& distance) {
  if (!distance || std::ranges::count(n.steps, 0) == std::ssize(n.steps)) return name(neighbor(n));
  parts_.insert(RuntimePart::grid);
  return neighbor_call(n, distance);
}

std::string Tables::neighbor(const Neighbor& n) {
  if (std::ranges::count(n.steps, 0) == std::ssize(n.steps)) return "rank";
  for (const auto& [known, name] : neighbors_) {
    if (known == n) return name;
  }
  parts_.insert(RuntimePart::grid);
  const std::string out = names_.add(direction(n));
  neighbors_.emplace_back(n, out);
  of_rank_.push_back(assign(name(out), neighbor_call(n, nullptr)));
  names_of_rank_.push_back(out);
  return out;
}

}  // namespace reprise::write::python
