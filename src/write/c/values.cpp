#include "write/c/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/series/series_range.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {

using expr::Expr;
using program::ByStream;
using program::Case;
using program::Sequence;
using program::Value;
using program::Who;
using trace::Column;
using trace::Encoding;
using trace::Kind;

namespace {

constexpr std::int64_t kMostElements = 8;  // of a list that are computed one by one
constexpr std::int64_t kMostListed = 24;   // of a list that are written down

std::string table_name(const Column& column) {
  return column.name.empty() ? "TRIPS" : std::string(column.name);
}

// A length as the program has it; none of what was not recorded. A damaged trace may have any.
std::optional<std::int64_t> possible(std::optional<std::int64_t> length) {
  if (!length) return std::nullopt;
  if (trace::is_special(*length)) return 0;
  if (*length < 0 || *length > trace::kMaxList)
    throw Unwritable{fmt::format("it has a list of {} elements", *length)};
  return length;
}

// Whether numbers follow from those before: those of objects must be places in an array then.
bool has_steps(const std::vector<program::PatternTerm>& terms) {
  return std::ranges::any_of(terms, [](const program::PatternTerm& t) {
    return !t.step.is_constant(0) || has_steps(t.body);
  });
}

bool is_of_addresses(const std::string& type) { return type == "MPI_Aint"; }

}  // namespace

Expression Values::cases(const Value& v, const Place& place, const ContentOf& content) {
  if (v.parameter) return name(place.frame.parameters[*v.parameter].name);
  Expression out;
  // The last one takes all that are left.
  for (auto c = v.cases.rbegin(); c != v.cases.rend(); ++c) {
    Expression here = content(*c);
    if (!out) {
      out = std::move(here);
    } else if (!is_same(out, here)) {
      out = conditional(condition(c->who, place), std::move(here), std::move(out));
    }
  }
  return out;
}

Expression Values::communicator(const Place& place) {
  if (place.communicator) return place.communicator;
  if (place.window) {
    needs_window_communicators_ = true;
    return subscript(name("comm_of_window"), place.window);
  }
  if (!place.call)
    throw Unwritable{"it has ranks of a communicator that differs from call to call"};
  const trace::Function& f = trace::function(program_.trace->calls[place.call->call].function);
  if (f.communicator < 0) throw Unwritable{"it has ranks of a communicator that no argument names"};
  const auto at = static_cast<std::size_t>(f.communicator);
  const program::Argument& a = place.call->arguments[at];
  const Place here{place.frame, place.before};
  if (a.column.kind != Kind::window) return scalar(significant(a.value), a.column, here);
  needs_window_communicators_ = true;
  return subscript(name("comm_of_window"), key(significant(a.value), a.column, here));
}

Expression Values::variable(const std::string& variable, const Place& place) {
  using Meaning = Variable::Kind;
  const Variable known = variable_of(program_, variable);
  switch (known.kind) {
    case Meaning::ranks: return name("RANKS");
    case Meaning::thread: return number(0);
    case Meaning::comm_rank: return call("rank_in", {communicator(place)});
    case Meaning::comm_size: return call("size_of", {communicator(place)});
    case Meaning::loop_index:
    case Meaning::loop_trips: {
      if (known.which >= place.frame.loops.size())
        throw Unwritable{"it has values that depend on a loop that is not around them"};
      const LoopPlace& loop = place.frame.loops[known.which];
      return name(known.kind == Meaning::loop_index ? loop.index : loop.trips);
    }
    case Meaning::size: return laws_.size(known.which);
    case Meaning::coordinate:
    case Meaning::extent: return laws_.on_grid(known, [&] { return communicator(place); });
    case Meaning::depth:
    case Meaning::first: return laws_.depth(known.which, known.kind == Meaning::first);
    case Meaning::new_rank:
    case Meaning::new_size: throw Unwritable{"it has values that depend on what a call makes"};
    default: return name(variable);
  }
}

std::int64_t Values::most(const std::string& variable, const Place& place) const {
  using Meaning = Variable::Kind;
  const Variable known = variable_of(program_, variable);
  switch (known.kind) {
    case Meaning::index:
    case Meaning::length: return trace::kMaxList;
    case Meaning::loop_index:
    case Meaning::loop_trips: {
      if (known.which >= place.frame.loops.size()) return 0;
      const std::int64_t trips = place.frame.loops[known.which].most;
      return known.kind == Meaning::loop_index && trips > 0 ? trips - 1 : trips;
    }
    case Meaning::coordinate:
      if (!laws_.is_open() && known.grid && known.which < known.grid->extents.size() &&
          known.grid->extents[known.which].is_constant())
        return known.grid->extents[known.which].value() - 1;
      [[fallthrough]];
    // Ranks, numbers of ranks, depths and sizes.
    default:
      return laws_.is_open() ? laws_.most(known) : static_cast<std::int64_t>(program_.trace->ranks);
  }
}

std::int64_t Values::most(const Value& v, const Place& place) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int32_t>::max();
  // Recorded numbers are small, even those whose range is not known.
  const std::int64_t unknown = program_.domain ? kAny : 0;
  std::int64_t out = 0;
  for (const Case& c : v.cases) {
    if (const auto* e = std::get_if<Expr>(&c.content)) {
      out = std::max(out, most_of(*e, numbers(place)));
      continue;
    }
    const auto* s = std::get_if<Sequence>(&c.content);
    const auto* by_stream = std::get_if<ByStream>(&c.content);
    const bool is_known = s && s->encoding == Encoding::absolute && s->length > 0;
    std::optional<trace::ValueRange> range;
    if (is_known) range = trace::range_of(s->values, s->length);
    if (by_stream && c.who.streams)
      range = trace::range_of(by_stream->values, c.who.streams->size());
    out = std::max(out, range ? range->greatest : unknown);
  }
  if (!v.parameter) return out;
  const std::vector<std::int64_t>& passed = place.frame.most;
  return *v.parameter < passed.size() ? passed[*v.parameter] : kAny;
}

ExpressionNames Values::numbers(const Place& place) {
  return {[this, &place](const std::string& v) { return variable(v, place); },
          [](std::int64_t v) { return number(v); },
          [this, &place](const std::string& v) { return most(v, place); }};
}

Expression Values::object_or(const Column& column, std::int64_t v, bool is_key) const {
  if (!object_words(column.kind)) return constant(column, v);
  return is_key ? objects_.key(column.kind, v) : objects_.object(column.kind, v);
}

Expression Values::expression(const Expr& e, const Column& column, const Place& place,
                              bool is_key) {
  if (e.is_constant()) return object_or(column, e.value(), is_key);
  if (object_words(column.kind)) {
    if (e.op() == expr::Op::conditional)
      return conditional(c_of(e.operands()[0], numbers(place)),
                         expression(e.operands()[1], column, place, is_key),
                         expression(e.operands()[2], column, place, is_key));
    Expression key = objects_.calculated_key(column.kind, c_of(e, numbers(place)));
    return is_key ? key : objects_.at(column.kind, std::move(key));
  }
  const ExpressionNames names = {
      [&](const std::string& v) { return variable(v, place); },
      [&](std::int64_t v) { return trace::is_special(v) ? constant(column, v) : number(v); },
      [&](const std::string& v) { return most(v, place); }};
  return c_of(e, names);
}

Expression Values::element(const Column& column, Encoding encoding, std::int64_t v) const {
  if (encoding != Encoding::absolute && !trace::is_special(v)) return number(v);
  return object_or(column, v, true);
}

Expression Values::table(const Sequence& s, const Column& column, const Place& place) {
  if (object_words(column.kind) && goes_on_by_steps(s)) objects_.ask_by_number(column.kind);
  Expression out = tables_.sequence(s, table_name(column),
                                    [&](std::int64_t v) { return element(column, s.encoding, v); });
  if (!s.each_time) add_restart(out, s.scope, place);
  return out;
}

Expression Values::pattern(const program::Pattern& p, const Column& column, const Place& place) {
  const ExpressionNames names = {[&](const std::string& v) { return variable(v, place); },
                                 [&](std::int64_t v) {
                                   return trace::is_special(v) ? element(column, p.encoding, v)
                                                               : number(v);
                                 },
                                 [&](const std::string& v) { return most(v, place); }};
  const bool is_object = object_words(column.kind) && p.encoding == Encoding::absolute;
  if (is_object && has_steps(p.terms)) objects_.ask_by_number(column.kind);
  const Tables::CalculationOf value = [&](const Expr& e) {
    if (!is_object) return c_of(e, names);
    return e.is_constant() ? element(column, p.encoding, e.value())
                           : objects_.calculated_key(column.kind, c_of(e, numbers(place)));
  };
  Expression out = tables_.pattern(p, column.name.empty() ? "trips" : column.name, value,
                                   [&](const Expr& e) { return c_of(e, names); });
  add_restart(out, 0, place);
  return out;
}

void Values::add_restart(const Expression& table, std::size_t scope, const Place& place) {
  Block* restarts = nullptr;
  if (scope > 0) {
    restarts = &place.frame.loops[scope - 1].restarts;
  } else if (place.frame.procedure) {
    restarts = &place.frame.restarts;
  }
  if (!restarts) return;
  const Expression statement = call("restart", {table});
  const bool is_known = std::ranges::any_of(*restarts, [&](const Statement& s) {
    return is_same(std::get<Evaluate>(s.content).value, statement);
  });
  if (!is_known) restarts->push_back(evaluate(statement));
}

Expression Values::decoded(Encoding encoding, Expression value, const Place& place, bool is_plain) {
  if (encoding == Encoding::absolute) return value;
  const bool is_relative = encoding == Encoding::relative;
  Expression comm = communicator(place);
  if (is_plain && is_name(comm, "MPI_COMM_WORLD")) {
    if (!is_relative) return binary(Operator::bit_xor, name("rank"), std::move(value));
    return binary(Operator::modulo, binary(Operator::add, name("rank"), std::move(value)),
                  name("RANKS"));
  }
  return call(is_relative ? "around" : "across", {std::move(comm), std::move(value)});
}

Expression Values::content(const Case& c, const Column& column, const Place& place, bool is_key) {
  if (const auto* e = std::get_if<Expr>(&c.content)) return expression(*e, column, place, is_key);
  if (const auto* n = std::get_if<program::Neighbor>(&c.content))
    return tables_.neighbor(*n, place.distance);
  if (const auto* a = std::get_if<program::Alternation>(&c.content))
    return alternation(*a, column, place, is_key);
  Expression out;
  if (const auto* s = std::get_if<Sequence>(&c.content)) {
    if (s->values.is_constant() && s->encoding == Encoding::absolute)
      return object_or(column, s->values.at(0), is_key);
    if (is_chosen_by_loop(*s)) return chosen(*s, column, place, is_key);
    out = s->values.is_constant() ? element(column, s->encoding, s->values.at(0))
                                  : call("next", {table(*s, column, place)});
    out = decoded(s->encoding, std::move(out), place);
  } else if (const auto* p = std::get_if<program::Pattern>(&c.content)) {
    out = decoded(p->encoding, call("next", {pattern(*p, column, place)}), place);
  } else if (std::holds_alternative<program::Drawn>(c.content)) {
    throw Unwritable{
        "trip counts depend on the data (fit without --approximate, or generate from a trace)"};
  } else {
    const auto& by = std::get<ByStream>(c.content);
    out = tables_.by_stream(*c.who.streams, by.values, table_name(column),
                            [&](std::int64_t v) { return element(column, Encoding::absolute, v); });
  }
  return !object_words(column.kind) || is_key ? out : objects_.at(column.kind, std::move(out));
}

std::optional<SharedTable> Values::shared(const Value& v, const Place& place,
                                          const std::function<bool(const Case&)>& is_whole) const {
  // The streams of a procedure's cases are those at its first place.
  return place.frame.procedure ? std::nullopt : shared_table(v, is_whole);
}

Expression Values::beside(const SharedTable& shared, Expression out, const Place& place,
                          const ContentOf& content) {
  // Conditions tell streams from those of cases behind; here those of tables stand behind, too.
  program::Streams others;
  for (const Case* c : shared.cases)
    others.insert(others.end(), c->who.streams->begin(), c->who.streams->end());
  for (auto c = shared.apart.rbegin(); c != shared.apart.rend(); ++c) {
    const Who& who = (*c)->who;
    const bool is_exact = who.streams->size() == 1 || !who.condition ||
                          !holds_on_any(*who.condition, others, program_);
    Expression is_it = who.streams->size() == 1
                           ? binary(Operator::equal, name("rank"),
                                    number(static_cast<std::int64_t>(who.streams->front())))
                       : is_exact ? condition(who, place)
                                  : tables_.is_in(who);
    out = conditional(std::move(is_it), content(**c), std::move(out));
    others.insert(others.end(), who.streams->begin(), who.streams->end());
  }
  return out;
}

Expression Values::table(const SharedTable& shared, const Value& v, const Column& column,
                         const Place& place) {
  for (const Case* c : shared.cases) {
    const auto* own = std::get_if<Sequence>(&c->content);
    if (own && object_words(column.kind) && goes_on_by_steps(*own))
      objects_.ask_by_number(column.kind);
  }
  Expression out = tables_.by_case(v, shared.cases, table_name(column), [&](std::int64_t n) {
    return element(column, shared.first->encoding, n);
  });
  if (!shared.first->each_time) add_restart(out, shared.first->scope, place);
  return out;
}

Expression Values::shared_number(const SharedTable& shared, const Value& v, const Column& column,
                                 const Place& place, bool is_key) {
  Expression out =
      decoded(shared.first->encoding, call("next", {table(shared, v, column, place)}), place);
  if (object_words(column.kind) && !is_key) out = objects_.at(column.kind, std::move(out));
  return beside(shared, std::move(out), place,
                [&](const Case& c) { return content(c, column, place, is_key); });
}

// The numbers of a list from its table.
Expression Values::taken(const std::string& how, Encoding encoding, Expression table,
                         const Column& column, const Expression& length, const std::string& type,
                         const Place& place) {
  Expression numbers =
      call(is_of_addresses(type) ? how + "_places" : how, {std::move(table), length});
  if (encoding != Encoding::absolute)
    return call(encoding == Encoding::relative ? "all_around" : "all_across",
                {communicator(place), length, std::move(numbers)});
  if (!object_words(column.kind)) return numbers;
  return call("types_of", {length, std::move(numbers), objects_.array(column.kind)});
}

Expression Values::matrix(const Value& v, const Column& column, const Place& place) {
  const auto most = [&place](std::size_t loop) -> std::uint64_t {
    const std::vector<LoopPlace>& loops = place.frame.loops;
    return loop < loops.size() ? static_cast<std::uint64_t>(loops[loop].most) : 0;
  };
  const auto all = rank_matrix(v, column, most, program_);
  // The streams of a procedure are those of its first place; others may come at other places.
  if (!all || (place.frame.procedure && !all->is_of_all_ranks)) return {};
  // What one call sends to, another one receives from.
  const std::string wanted = column.kind == Kind::peer ? "PEER" : table_name(column);
  return subscript(
      tables_.matrix(all->rows, wanted, [&](std::int64_t n) { return constant(column, n); }),
      entry_of(all->loop, place));
}

Expression Values::scalar(const Value& v, const Column& column, const Place& place) {
  if (Expression all = matrix(v, column, place)) return all;
  if (const auto all = shared(v, place)) return shared_number(*all, v, column, place, false);
  if (v.parameter && place.frame.are_keys[*v.parameter])
    return objects_.at(column.kind, name(place.frame.parameters[*v.parameter].name));
  Place here = place;
  if (v.distance) here.distance = name(place.frame.parameters[*v.distance].name);
  return cases(v, here, [&](const Case& c) { return content(c, column, here, false); });
}

Expression Values::key(const Value& v, const Column& column, const Place& place) {
  if (const auto all = shared(v, place)) return shared_number(*all, v, column, place, true);
  return cases(v, place, [&](const Case& c) { return content(c, column, place, true); });
}

Expression Values::object_place(const Value& v, const Column& column, const Place& place) {
  if (v.parameter) return address_of(objects_.at(column.kind, key(v, column, place)));
  if (const auto n = v.constant()) return address_of(objects_.place(column.kind, *n));
  // An object's number is never used again where it was recorded: ranks that get none may have it.
  const Value& made = significant(v, trace::kNull);
  if (const auto n = made.constant()) return address_of(objects_.place(column.kind, *n));
  return address_of(objects_.at(column.kind, key(v, column, place)));
}

Expression Values::condition(const Value& v, const Place& place) {
  if (const Expr* e = v.expression()) return c_of(*e, numbers(place));
  return scalar(v, kNumber, place);
}

Expression Values::condition(const Who& who, const Place& place) {
  if (who.condition && who.group) return tables_.is_in(who, c_of(*who.condition, numbers(place)));
  if (who.parameter) return name(place.frame.parameters[*who.parameter].name);
  if (who.condition) return c_of(*who.condition, numbers(place));
  if (who.streams->size() == 1)
    return binary(Operator::equal, name("rank"),
                  number(static_cast<std::int64_t>(who.streams->front())));
  return tables_.is_in(who);
}

Expression Values::length(const Value& v, const Place& place) {
  Expression out = scalar(significant(v), kNumber, place);
  possible(literal(out));
  return out;
}

// An array that is filled in front of the call.
Expression Values::one_by_one(const Expr& e, const Column& column, const Expression& length,
                              const std::string& type, const Place& place) {
  const std::string array = names_.add_local(column.name.empty() ? "list" : column.name);
  place.before->push_back(
      declare(type + " *", array, call("fresh", {length, call("sizeof", {name(type)})})));
  const ExpressionNames names = {
      [&](const std::string& v) {
        if (v == program::kLength) return length;
        return v == program::kIndex ? name("e") : variable(v, place);
      },
      [&](std::int64_t v) { return trace::is_special(v) ? constant(column, v) : number(v); },
      [&](const std::string& v) { return most(v, place); }};
  place.before->push_back(
      {For{"e", length, false, {assign(subscript(name(array), name("e")), c_of(e, names))}}});
  return name(array);
}

Expression Values::elements(const Case& c, const Column& column, const Expression& length,
                            const std::string& type, const Place& place) {
  const auto n = literal(length);
  if (n == 0) return name("NULL");
  const bool is_object = object_words(column.kind) != nullptr;
  if (const auto* s = std::get_if<Sequence>(&c.content)) {
    const bool is_plain = s->encoding == Encoding::absolute;
    if (s->each_time && is_plain && n && *n <= kMostListed) {
      std::vector<Expression> all;
      trace::SeriesCursor cursor(s->values);
      for (std::int64_t i = 0; i < *n; ++i) all.push_back(object_or(column, cursor.next(), false));
      const bool are_same =
          std::ranges::all_of(all, [&](const Expression& e) { return is_same(e, all.front()); });
      if (are_same && all.size() > 4 && !is_of_addresses(type))
        return call(is_object ? "each_type" : "each", {length, all.front()});
      return compound(type + "[]", std::move(all));
    }
    return taken(s->each_time ? "first" : "take", s->encoding, table(*s, column, place), column,
                 length, type, place);
  }
  if (const auto* p = std::get_if<program::Pattern>(&c.content)) {
    return taken("take", p->encoding, pattern(*p, column, place), column, length, type, place);
  }
  const auto* e = std::get_if<Expr>(&c.content);
  std::set<std::string> variables;
  if (e) variables = expr::free_variables(*e);
  const bool is_by_index = variables.contains(std::string(program::kIndex)) ||
                           variables.contains(std::string(program::kLength));
  if (!is_by_index) {
    if (is_of_addresses(type) && n && *n > kMostListed) {
      if (!e) throw Unwritable{"it has a long list of addresses that differs from rank to rank"};
      return one_by_one(*e, column, length, type, place);
    }
    Expression one = content(c, column, place, false);
    if (is_of_addresses(type) || (n && *n <= 4)) {
      if (!n) throw Unwritable{"it has a list of addresses of no known length"};
      return compound(type + "[]", std::vector<Expression>(static_cast<std::size_t>(*n), one));
    }
    return call(is_object ? "each_type" : "each", {length, std::move(one)});
  }
  if (n && *n <= kMostElements && element_at(*e, 0, *n)) {
    std::vector<Expression> all;
    for (std::int64_t i = 0; i < *n; ++i)
      all.push_back(object_or(column, element_at(*e, i, *n).value_or(0), false));
    return compound(type + "[]", std::move(all));
  }
  return one_by_one(*e, column, length, type, place);
}

Expression Values::list(const Column& column, const Value& values, const Value& lengths,
                        const Expression& length, const std::string& type, const Place& place) {
  if (values.parameter) return name(place.frame.parameters[*values.parameter].name);
  // Elements count where there are some.
  const bool is_none = lengths.constant() == 0;
  if (is_none) return name("NULL");
  const ContentOf in_case = [&](const Case& c) {
    // The streams of a procedure's cases are those at its first place.
    const auto n =
        possible(place.frame.procedure ? lengths.constant() : constant_on(lengths, c.who.streams));
    return elements(c, column, n ? number(*n) : length, type, place);
  };
  const Value& v = significant(values);
  const auto all = shared(v, place, [&](const Case& c) {
    const auto* s = std::get_if<Sequence>(&c.content);
    const auto n = constant_on(lengths, c.who.streams);
    return s && n && static_cast<std::uint64_t>(*n) == s->length;
  });
  if (!all) return cases(v, place, in_case);
  const Sequence& first = *all->first;
  Expression numbers = taken(first.each_time ? "first" : "take", first.encoding,
                             table(*all, v, column, place), column, length, type, place);
  return beside(*all, std::move(numbers), place, in_case);
}

Expression Values::text(const Column& column, const Value& characters, const Value& lengths,
                        const std::function<Expression()>& length, const Place& place) {
  if (characters.parameter) return name(place.frame.parameters[*characters.parameter].name);
  const auto bytes_of = [&](const Case& c) {
    return text_of(c, possible(constant_on(lengths, c.who.streams)));
  };
  if (std::ranges::all_of(characters.cases, [&](const Case& c) { return bytes_of(c).has_value(); }))
    return cases(characters, place,
                 [&](const Case& c) -> Expression { return c::text(*bytes_of(c)); });
  throw_if_by_ranks(characters);
  Expression n = length();
  return call("characters", {n, list(column, characters, lengths, n, "int", place)});
}

}  // namespace reprise::write::c
