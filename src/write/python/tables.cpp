#include "write/python/tables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "trace/series_folder.hpp"
#include "trace/special.hpp"

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

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

constexpr std::array<std::array<std::string_view, 2>, 3> kDirections = {
    {{"west", "east"}, {"north", "south"}, {"down", "up"}}};

// "west", "south_east"; "neighbor" if it is more than a step away.
std::string direction(const Neighbor& n) {
  std::string out;
  for (std::size_t d = n.steps.size(); d-- > 0;) {
    const std::int64_t step = n.steps[d];
    if (step == 0) continue;
    if ((step != 1 && step != -1) || d >= kDirections.size()) return "neighbor";
    out += (out.empty() ? "" : "_") + std::string(kDirections[d][step == 1]);
  }
  return out;
}

}  // namespace

bool steps_over_words(const trace::Term& t) {
  if (!t.is_run()) {
    return std::ranges::any_of(t.body, [&](const trace::Term& b) {
      return (t.step != 0 && b.is_run() && trace::is_special(b.value)) || steps_over_words(b);
    });
  }
  if (t.step == 0) return false;
  const std::uint64_t last = t.count == trace::kUnbounded ? 1 : t.count - 1;
  return trace::is_special(t.value) || trace::is_special(trace::wrapping_add(t.value, t.step)) ||
         trace::is_special(trace::wrapping_add(t.value, trace::wrapping_mul(t.step, last)));
}

std::vector<Expression> terms_of(const trace::Series& series, std::uint64_t length,
                                 const ElementOf& element) {
  std::vector<Expression> out;
  std::uint64_t at = 0;  // values that are written
  for (const trace::Term& t : series.terms()) {
    if (at >= length) break;
    const bool is_unbounded = t.count == trace::kUnbounded;
    const std::uint64_t left = length - at;
    if (steps_over_words(t)) {
      // What goes on for ever was seen to go one step; steps of half of all numbers go to and fro.
      constexpr std::int64_t kHalf = std::numeric_limits<std::int64_t>::min();
      const std::uint64_t values = (is_unbounded ? 2 : t.count) * t.period;
      std::vector<Expression> turn;
      for (const std::uint64_t end = at + std::min(values, left); at < end; ++at)
        turn.push_back(element(series.at(at)));
      if (is_unbounded && t.step == kHalf) turn = {call("repeat", {list(std::move(turn))})};
      std::ranges::move(turn, std::back_inserter(out));
      if (is_unbounded) return out;
      continue;
    }
    // A term that goes on behind the end has as many passes as are whole before it.
    if (length == kAll || (!is_unbounded && t.count <= left / t.period)) {
      out.push_back(term_of(t, element));
      if (is_unbounded) return out;
      at += t.count * t.period;
      continue;
    }
    trace::Term part = t;
    part.count = left / t.period;
    if (part.count > 0) out.push_back(term_of(part, element));
    for (at += part.count * t.period; at < length; ++at) out.push_back(element(series.at(at)));
  }
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
  trace::SeriesFolder folder;
  for (const std::uint64_t s : streams) folder.append(static_cast<std::int64_t>(s));
  return terms_of(folder.finish(), streams.size(), [](std::int64_t v) { return number(v); });
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

std::string Tables::neighbor(const Neighbor& n) {
  if (std::ranges::count(n.steps, 0) == std::ssize(n.steps)) return "rank";
  for (const auto& [known, name] : neighbors_) {
    if (known == n) return name;
  }
  parts_.insert(RuntimePart::grid);
  const std::string out = names_.add(direction(n));
  neighbors_.emplace_back(n, out);
  std::vector<Argument> arguments;
  for (const std::int64_t step : n.steps) arguments.push_back({{}, number(step)});
  if (std::ranges::count(n.wraps, true) > 0) {
    std::vector<Expression> wraps;
    for (const bool w : n.wraps) wraps.push_back(name(w ? "True" : "False"));
    arguments.push_back({"wraps", tuple(std::move(wraps))});
  }
  of_rank_.push_back(assign(name(out), call(name("neighbor"), std::move(arguments))));
  names_of_rank_.push_back(out);
  return out;
}

}  // namespace reprise::write::python
