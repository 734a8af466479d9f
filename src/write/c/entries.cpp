// Tables whose entry the loops around a place choose.
#include <algorithm>
#include <limits>
#include <optional>

#include "trace/cursors/call_cursor.hpp"
#include "trace/series/series_range.hpp"
#include "write/c/values.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {

using expr::Expr;
using program::Sequence;
using trace::Column;
using trace::Encoding;

namespace {

constexpr std::size_t kMostInExpression = 8;  // entries of a table within a call
constexpr std::int64_t kLargestInt = std::numeric_limits<std::int32_t>::max();

}  // namespace

const std::string& Values::index_of(std::size_t loop, const Place& place) {
  if (loop >= place.frame.loops.size())
    throw Unwritable{"it has values that depend on a loop that is not around them"};
  return place.frame.loops[loop].index;
}

// Two values are written as i == 0 ? east : west, more of them as an array with a subscript.
// REQUIRES: the first entry is that of iteration 0.
Expression Values::choice(const program::ByLoop& by, const std::string& type,
                          std::vector<Expression> all, const Place& place) {
  if (all.size() != 2) return subscript(compound(type + "[]", std::move(all)), entry_of(by, place));
  Expression index = name(index_of(by.loop, place));
  Expression is_first = by.per == 1 ? binary(Operator::equal, std::move(index), number(0))
                                    : binary(Operator::less, std::move(index), number(by.per));
  return conditional(std::move(is_first), std::move(all[0]), std::move(all[1]));
}

// REQUIRES: the first entry is that of iteration 0.
Expression Values::entry_of(const program::ByLoop& by, const Place& place) {
  Expression index = name(index_of(by.loop, place));
  return by.per == 1 ? index : binary(Operator::divide, std::move(index), number(by.per));
}

// Entries 3, 4, 5 are 3 + i. The search for laws leaves objects out, since their numbers are names.
std::optional<Expression> Values::line_of_keys(const Sequence& s, const Column& column,
                                               const Place& place, bool is_key) {
  const std::uint64_t fewest = is_key ? 2 : 3;  // two objects read as well by their names
  if (!object_words(column.kind) || s.encoding != Encoding::absolute || s.length < fewest)
    return std::nullopt;
  std::vector<std::int64_t> keys;
  trace::SeriesCursor cursor(s.values);
  const std::int64_t first = cursor.peek();
  const std::int64_t step = trace::wrapping_sub(s.values.at(1), first);
  if (step == 0) return std::nullopt;
  for (std::uint64_t k = 0; k < s.length; ++k) {
    const std::int64_t number = cursor.next();
    if (predefined(column.kind, number) ||
        number != trace::wrapping_add(first, trace::wrapping_mul(step, k)))
      return std::nullopt;
    const auto key = literal(objects_.key(column.kind, number));
    if (!key) return std::nullopt;
    keys.push_back(*key);
  }
  const std::int64_t by = keys[1] - keys[0];
  const auto is_other = [by](std::int64_t a, std::int64_t b) { return b != a + by; };
  if ((by != 1 && by != -1) || std::ranges::adjacent_find(keys, is_other) != keys.end())
    return std::nullopt;
  Expression entry = entry_of(*s.by_loop, place);
  if (by < 0) return binary(Operator::subtract, number(keys.front()), std::move(entry));
  if (keys.front() == 0) return entry;
  return binary(Operator::add, number(keys.front()), std::move(entry));
}

Expression Values::chosen(const Sequence& s, const Column& column, const Place& place,
                          bool is_key) {
  if (auto key = line_of_keys(s, column, place, is_key))
    return is_key ? *key : objects_.at(column.kind, std::move(*key));
  std::vector<Expression> all;
  bool is_plain = true, are_ints = true;
  trace::SeriesCursor cursor(s.values);
  for (std::uint64_t k = 0; k < s.length; ++k) {
    const std::int64_t v = cursor.next();
    const bool is_written = s.encoding != Encoding::absolute && !trace::is_special(v);
    all.push_back(is_written ? number(v) : object_or(column, v, is_key));
    is_plain = is_plain && v >= 0 && v < static_cast<std::int64_t>(program_.trace->ranks);
    are_ints = are_ints && (trace::is_special(v) || (v >= -kLargestInt && v <= kLargestInt));
  }
  const ObjectWords* words = object_words(column.kind);
  const std::string type = words && !is_key ? std::string(words->type)
                           : are_ints       ? "int"
                                            : "long long";
  Expression out = choice(*s.by_loop, type, std::move(all), place);
  return decoded(s.encoding, std::move(out), place, is_plain);
}

std::optional<Expression> Values::turn_of(std::size_t scope, std::size_t entries,
                                          const Place& place) {
  const std::vector<LoopPlace>& loops = place.frame.loops;
  const auto n = static_cast<std::int64_t>(entries);
  // The table begins anew with each iteration of the loops outside of `from`.
  std::size_t from = loops.size();
  std::int64_t within = 1;  // executions in one iteration of the loop around; 0: not known
  while (from > scope && within % n != 0) {
    const LoopPlace& loop = loops[--from];
    if (loop.conditions > 0) return std::nullopt;
    const bool is_last = from == scope;
    const std::int64_t trips = is_last ? loop.most : loop.same_trips.value_or(0);
    const bool is_known = trips > 0 && trips <= kLargestInt / within;
    // Products that no int holds are no subscripts.
    if (!is_known && (!is_last || within > 1)) return std::nullopt;
    within = is_known ? within * trips : 0;
    if (!is_known) break;
  }
  if (from == loops.size()) return std::nullopt;
  Expression out = name(loops[from].index);
  for (std::size_t l = from + 1; l < loops.size(); ++l)
    out = binary(Operator::add,
                 binary(Operator::multiply, std::move(out), number(*loops[l].same_trips)),
                 name(loops[l].index));
  if (within > 0 && within <= n) return out;
  return binary(Operator::modulo, std::move(out), number(n));
}

// The law whose turn it is.
Expression Values::alternation(const program::Alternation& a, const Column& column,
                               const Place& place, bool is_key) {
  std::vector<Expression> laws;
  for (const auto& law : a.laws) {
    const auto* e = std::get_if<Expr>(&law);
    laws.push_back(e ? expression(*e, column, place, is_key)
                     : tables_.neighbor(std::get<program::Neighbor>(law), place.distance));
  }
  if (is_chosen_by_loop(a) && laws.size() <= kMostInExpression)
    return choice(*a.by_loop, "int", std::move(laws), place);
  Expression all;
  if (place.before && laws.size() > kMostInExpression) {
    all = name(names_.add_local(std::string(column.name) + "s"));
    place.before->push_back(
        {Declare{"const int", std::get<Name>(all->content).text, "[]", c::list(std::move(laws))}});
  } else {
    all = compound("int[]", std::move(laws));
  }
  if (is_chosen_by_loop(a)) return subscript(std::move(all), entry_of(*a.by_loop, place));
  if (auto turn = turn_of(a.scope, a.laws.size(), place))
    return subscript(std::move(all), std::move(*turn));
  const Expression turn = tables_.turn(a, std::string(column.name) + "_turn");
  add_restart(turn, a.scope, place);
  return subscript(std::move(all), call("next", {turn}));
}

}  // namespace reprise::write::c
