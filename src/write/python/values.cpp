#include "write/python/values.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "expr/program.hpp"
#include "write/python/constants.hpp"
#include "write/unwritable.hpp"
#include "write/variables.hpp"

namespace reprise::write::python {

using expr::Expr;
using program::ByStream;
using program::Case;
using program::Neighbor;
using program::Sequence;
using program::Value;
using program::Who;
using trace::Column;
using trace::Encoding;
using trace::Kind;

namespace {

constexpr std::int64_t kMostElements = 8;  // of a list that are computed one by one
constexpr std::uint64_t kMostListed = 24;  // of a list that are written down
const Column kNumber{"", Kind::integer, -1};

Expression each(const Expression& element, std::int64_t n) {
  return n == 1 ? list({element}) : binary(Operator::multiply, list({element}), number(n));
}

}  // namespace

Expression Values::cases(const Value& v, const Place& place, const ContentOf& content) {
  if (v.parameter) return name(place.frame.parameters[*v.parameter]);
  Expression out;
  // The last one takes all that are left.
  for (auto c = v.cases.rbegin(); c != v.cases.rend(); ++c) {
    Expression here = content(*c);
    if (!out) {
      out = std::move(here);
    } else if (!is_same(out, here)) {
      out = conditional(std::move(here), condition(c->who, place), std::move(out));
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
  const auto at = static_cast<std::size_t>(f.communicator);
  const program::Argument& a = place.call->arguments[at];
  Frame& frame = place.call_frame ? *place.call_frame : place.frame;
  return object(a.value, a.column, {frame});
}

Expression Values::object(const Value& v, const Column& column, const Place& place) {
  if (column.kind != Kind::window) return scalar(significant(v), column, place);
  needs_window_communicators_ = true;
  return subscript(name("comm_of_window"), key(significant(v), column, place));
}

Expression Values::variable(const std::string& variable, const Place& place) {
  using Meaning = write::Variable::Kind;
  const write::Variable known = variable_of(program_, variable);
  switch (known.kind) {
    case Meaning::ranks: return name("RANKS");
    case Meaning::thread: return number(0);
    case Meaning::comm_rank:
      parts_.insert(RuntimePart::ranks);
      return call("rank_in", {communicator(place)});
    case Meaning::comm_size:
      parts_.insert(RuntimePart::ranks);
      return call("size_of", {communicator(place)});
    case Meaning::loop_index:
      if (known.which < place.frame.loops.size()) return name(place.frame.loops[known.which].index);
      throw Unwritable{"it has values that depend on a loop that is not around them"};
    case Meaning::loop_trips:
      throw Unwritable{"it has values that depend on a trip count without an expression"};
    case Meaning::size: return subscript(name("sizes"), python::text(variable));
    case Meaning::new_rank:
    case Meaning::new_size: throw Unwritable{"it has values that depend on what a call makes"};
    case Meaning::depth:
    case Meaning::first:
      throw Unwritable{"it splits communicators again and again, by a rule of their ranks"};
    case Meaning::coordinate:
    case Meaning::extent:
      if (!known.grid->of_communicator) break;
      throw Unwritable{
          "it has values by the place in a grid that the ranks of a communicator form"};
    default: break;
  }
  return name(variable);
}

Expression Values::expression(const Expr& e, const Column& column, const Place& place,
                              bool is_key) {
  const auto objects = objects_of(column.kind);
  if (e.is_constant()) {
    return is_key ? object_key(column.kind, e.value()) : constant(column, e.value());
  }
  if (objects && e.op() == expr::Op::conditional) {
    const ExpressionNames plain = {[&](const std::string& v) { return variable(v, place); },
                                   [](std::int64_t v) { return number(v); }};
    return conditional(expression(e.operands()[1], column, place, is_key),
                       python_of(e.operands()[0], plain, parts_, true),
                       expression(e.operands()[2], column, place, is_key));
  }
  const ExpressionNames names = {[&](const std::string& v) { return variable(v, place); },
                                 [&](std::int64_t v) {
                                   if (!trace::is_special(v)) return number(v);
                                   return objects ? object_key(column.kind, v)
                                                  : constant(column, v);
                                 }};
  Expression out = python_of(e, names, parts_);
  if (!objects) return out;
  if (objects->first != 0) out = binary(Operator::subtract, std::move(out), number(objects->first));
  return is_key ? out : subscript(name(std::string(objects->dictionary)), std::move(out));
}

Expression Values::element(const Column& column, const Sequence& s, std::int64_t v) const {
  if (s.encoding != Encoding::absolute && !trace::is_special(v)) return number(v);
  return objects_of(column.kind) ? object_key(column.kind, v) : constant(column, v);
}

std::string Values::table(const Sequence& s, const Column& column, const Place& place) {
  const bool is_new_name = !column.name.empty();
  const std::string out = tables_.sequence(s, is_new_name ? column.name : "TRIPS",
                                           [&](std::int64_t v) { return element(column, s, v); });
  if (!s.each_time) add_restart(out, s.scope, place);
  return out;
}

std::string Values::pattern(const program::Pattern& p, const Column& column, const Place& place) {
  Sequence as_it_is;
  as_it_is.encoding = p.encoding;
  const auto value = [&](const Expr& e) {
    if (e.is_constant()) return element(column, as_it_is, e.value());
    const ExpressionNames names = {[&](const std::string& v) { return variable(v, place); },
                                   [&](std::int64_t v) {
                                     return trace::is_special(v) ? element(column, as_it_is, v)
                                                                 : number(v);
                                   }};
    return python_of(e, names, parts_);
  };
  const std::string out = tables_.pattern(p, column.name.empty() ? "TRIPS" : column.name, value);
  add_restart(out, 0, place);
  return out;
}

void Values::add_restart(const std::string& table, std::size_t scope, const Place& place) {
  Block* restarts = nullptr;
  if (scope > 0) {
    restarts = &place.frame.loops[scope - 1].restarts;
  } else if (place.frame.procedure) {
    restarts = &place.frame.restarts;
  }
  if (restarts)
    restarts->push_back(evaluate(call(attribute(name(table), "restart"), std::vector<Argument>())));
}

Expression Values::decoded(Encoding encoding, const Expression& value, const Place& place,
                           bool is_plain) {
  if (encoding == Encoding::absolute) return value;
  const bool is_relative = encoding == Encoding::relative;
  const Expression comm = communicator(place);
  if (is_plain && is_same(comm, name("world"))) {
    if (!is_relative) return binary(Operator::bit_xor, name("rank"), value);
    return binary(Operator::modulo, binary(Operator::add, name("rank"), value), name("RANKS"));
  }
  parts_.insert(RuntimePart::ranks);
  return call(is_relative ? "around" : "across", {comm, value});
}

const std::string& Values::index_of(std::size_t loop, const Place& place) {
  if (loop >= place.frame.loops.size())
    throw Unwritable{"it has values that depend on a loop that is not around them"};
  return place.frame.loops[loop].index;
}

// REQUIRES: the first entry is that of iteration 0.
Expression Values::entry_of(const program::ByLoop& by, const Place& place) {
  Expression index = name(index_of(by.loop, place));
  return by.per == 1 ? index : binary(Operator::divide, std::move(index), number(by.per));
}

Expression Values::chosen(const Sequence& s, const Column& column, const Place& place,
                          bool is_key) {
  const auto objects = objects_of(column.kind);
  std::vector<Expression> all;
  bool is_plain = true;
  trace::SeriesCursor cursor(s.values);
  for (std::uint64_t k = 0; k < s.length; ++k) {
    const std::int64_t v = cursor.next();
    const bool is_written = s.encoding != Encoding::absolute && !trace::is_special(v);
    all.push_back(is_written ? number(v)
                  : objects  ? object_key(column.kind, v)
                             : constant(column, v));
    is_plain = is_plain && v >= 0 && v < static_cast<std::int64_t>(program_.trace->ranks);
  }
  Expression out = decoded(
      s.encoding, subscript(tuple(std::move(all)), entry_of(*s.by_loop, place)), place, is_plain);
  if (!objects || is_key) return out;
  return subscript(name(std::string(objects->dictionary)), std::move(out));
}

// The law whose turn it is.
Expression Values::alternation(const program::Alternation& a, const Column& column,
                               const Place& place, bool is_key) {
  std::vector<Expression> laws;
  for (const auto& law : a.laws) {
    const auto* e = std::get_if<Expr>(&law);
    laws.push_back(e ? expression(*e, column, place, is_key)
                     : tables_.neighbor(std::get<Neighbor>(law), place.distance));
  }
  if (is_chosen_by_loop(a)) return subscript(tuple(std::move(laws)), entry_of(*a.by_loop, place));
  const std::string turn = tables_.turn(a, std::string(column.name) + "_turn");
  add_restart(turn, a.scope, place);
  return subscript(tuple(std::move(laws)),
                   call(attribute(name(turn), "next"), std::vector<Argument>()));
}

Expression Values::content(const Case& c, const Column& column, const Place& place, bool is_key) {
  if (const auto* e = std::get_if<Expr>(&c.content)) return expression(*e, column, place, is_key);
  if (const auto* n = std::get_if<Neighbor>(&c.content))
    return tables_.neighbor(*n, place.distance);
  if (const auto* a = std::get_if<program::Alternation>(&c.content))
    return alternation(*a, column, place, is_key);
  const auto objects = objects_of(column.kind);
  Expression out;
  if (const auto* s = std::get_if<Sequence>(&c.content)) {
    if (s->values.is_constant() && s->encoding == Encoding::absolute)
      return is_key ? object_key(column.kind, s->values.at(0)) : constant(column, s->values.at(0));
    if (is_chosen_by_loop(*s)) return chosen(*s, column, place, is_key);
    if (s->values.is_constant()) {
      out = element(column, *s, s->values.at(0));
    } else {
      out = call(attribute(name(table(*s, column, place)), "next"), std::vector<Argument>());
    }
    out = decoded(s->encoding, out, place);
  } else if (const auto* p = std::get_if<program::Pattern>(&c.content)) {
    out = call(attribute(name(pattern(*p, column, place)), "next"), std::vector<Argument>());
    out = decoded(p->encoding, out, place);
  } else if (std::holds_alternative<program::Drawn>(c.content)) {
    throw Unwritable{"trip counts depend on the data, and are drawn from a distribution"};
  } else {
    const auto& by = std::get<ByStream>(c.content);
    const Sequence as_it_is;
    out = subscript(name(tables_.by_stream(
                        *c.who.streams, by.values, column.name.empty() ? "trips" : column.name,
                        [&](std::int64_t v) { return element(column, as_it_is, v); })),
                    name("rank"));
  }
  if (!objects || is_key) return out;
  return subscript(name(std::string(objects->dictionary)), std::move(out));
}

// Several tables that begin anew together, or numbers, told apart by ranks.
bool Values::are_tables(const Value& v) {
  constexpr std::size_t kFew = 2;  // that are told apart where they are asked for
  if (v.parameter || v.cases.size() <= kFew || !v.cases.front().who.streams) return false;
  const Sequence* first = nullptr;
  for (const Case& c : v.cases) {
    const auto* e = std::get_if<Expr>(&c.content);
    const auto* s = std::get_if<Sequence>(&c.content);
    if (!(e && e->is_constant()) && !(s && !s->each_time)) return false;
    if (s && !first) first = s;
    if (s && (s->scope != first->scope || s->encoding != first->encoding)) return false;
    if (e && first && first->encoding != Encoding::absolute && e->value() >= 0) return false;
  }
  return first != nullptr;
}

Expression Values::tables(const Value& v, const Column& column, const Place& place, bool is_key) {
  const auto first = std::ranges::find_if(
      v.cases, [](const Case& c) { return std::holds_alternative<Sequence>(c.content); });
  const auto& s = std::get<Sequence>(first->content);
  const std::string table = tables_.by_case(v, column.name.empty() ? "TRIPS" : column.name,
                                            [&](std::int64_t n) { return element(column, s, n); });
  add_restart(table, s.scope, place);
  Expression out =
      decoded(s.encoding, call(attribute(name(table), "next"), std::vector<Argument>()), place);
  const auto objects = objects_of(column.kind);
  if (!objects || is_key) return out;
  return subscript(name(std::string(objects->dictionary)), std::move(out));
}

Expression Values::scalar(const Value& v, const Column& column, const Place& place) {
  // The streams of a procedure's cases are those at its first place.
  if (!place.frame.procedure && are_tables(v)) return tables(v, column, place, false);
  if (v.parameter && place.frame.are_keys[*v.parameter])
    return subscript(name(std::string(objects_of(column.kind)->dictionary)),
                     name(place.frame.parameters[*v.parameter]));
  Place here = place;
  if (v.distance) here.distance = name(place.frame.parameters[*v.distance]);
  return cases(v, here, [&](const Case& c) { return content(c, column, here, false); });
}

Expression Values::key(const Value& v, const Column& column, const Place& place) {
  if (!place.frame.procedure && are_tables(v)) return tables(v, column, place, true);
  return cases(v, place, [&](const Case& c) { return content(c, column, place, true); });
}

Expression Values::condition(const Value& v, const Place& place) {
  const bool are_expressions = !v.parameter && std::ranges::all_of(v.cases, [](const Case& c) {
    return std::holds_alternative<Expr>(c.content);
  });
  if (!are_expressions) return scalar(v, kNumber, place);
  const ExpressionNames names = {[&](const std::string& n) { return variable(n, place); },
                                 [](std::int64_t n) { return number(n); }};
  return cases(v, place, [&](const Case& c) {
    return python_of(std::get<Expr>(c.content), names, parts_, true);
  });
}

Expression Values::condition(const Who& who, const Place& place) {
  if (who.parameter) return name(place.frame.parameters[*who.parameter]);
  if (!who.condition) {
    if (who.streams->size() == 1)
      return binary(Operator::equal, name("rank"),
                    number(static_cast<std::int64_t>(who.streams->front())));
    return binary(Operator::in, name("rank"), name(tables_.ranks(who.streams)));
  }
  const ExpressionNames names = {[&](const std::string& n) { return variable(n, place); },
                                 [](std::int64_t n) { return number(n); }};
  return python_of(*who.condition, names, parts_, true);
}

Expression Values::elements(const Case& c, const Column& column, const Value& lengths,
                            const Expression& length, const Place& place) {
  const auto n = literal(length);
  if (n == 0) return python::list({});
  const auto objects = objects_of(column.kind);
  const auto object = [&](Expression key) {
    return objects ? subscript(name(std::string(objects->dictionary)), std::move(key)) : key;
  };
  if (const auto* s = std::get_if<Sequence>(&c.content)) {
    const bool is_plain = s->encoding == Encoding::absolute;
    if (s->each_time && is_plain && n && static_cast<std::uint64_t>(*n) <= kMostListed) {
      std::vector<Expression> all;
      trace::SeriesCursor cursor(s->values);
      for (std::int64_t i = 0; i < *n; ++i) all.push_back(constant(column, cursor.next()));
      const bool are_same =
          std::ranges::all_of(all, [&](const Expression& e) { return is_same(e, all.front()); });
      return are_same && all.size() > 2 ? each(all.front(), *n) : python::list(std::move(all));
    }
    Expression numbers = call(
        attribute(name(table(*s, column, place)), s->each_time ? "first" : "take"), {{{}, length}});
    if (is_plain && !objects) return numbers;
    return comprehension(object(decoded(s->encoding, name("element"), place)), "element",
                         std::move(numbers));
  }
  if (const auto* p = std::get_if<program::Pattern>(&c.content)) {
    Expression numbers = call(attribute(name(pattern(*p, column, place)), "take"), {{{}, length}});
    if (p->encoding == Encoding::absolute && !objects) return numbers;
    return comprehension(object(decoded(p->encoding, name("element"), place)), "element",
                         std::move(numbers));
  }
  const auto* e = std::get_if<Expr>(&c.content);
  std::set<std::string> variables;
  if (e) variables = expr::free_variables(*e);
  const bool is_by_index = variables.contains(std::string(program::kIndex));
  const bool is_by_length = variables.contains(std::string(program::kLength));
  if (!is_by_index && !is_by_length) {
    Expression one = content(c, column, place, false);
    return n ? each(one, *n) : binary(Operator::multiply, python::list({one}), length);
  }
  if (n && *n <= kMostElements && element_at(*e, 0, *n)) {
    std::vector<Expression> all;
    for (std::int64_t i = 0; i < *n; ++i)
      all.push_back(constant(column, element_at(*e, i, *n).value_or(0)));
    return python::list(std::move(all));
  }
  const std::array<expr::Binding, 1> position = {
      expr::Binding{std::string(program::kIndex), Expr::variable("position")}};
  Expr element = expr::substitute(*e, position);
  if (is_by_length) {
    if (has_table(lengths))
      throw Unwritable{"it has a list whose elements depend on a length that has no expression"};
    const ExpressionNames names = {
        [&](const std::string& v) { return v == program::kLength ? length : variable(v, place); },
        [&](std::int64_t v) { return trace::is_special(v) ? constant(column, v) : number(v); }};
    return comprehension(object(python_of(element, names, parts_)), "position",
                         call("range", {length}));
  }
  return comprehension(expression(element, column, place, false), "position",
                       call("range", {length}));
}

Expression Values::list(const Column& column, const Value& values, const Value& lengths,
                        const Place& place) {
  if (values.parameter) return name(place.frame.parameters[*values.parameter]);
  return cases(significant(values), place, [&](const Case& c) {
    // The streams of a procedure's cases are those at its first place.
    const auto n = place.frame.procedure ? lengths.constant() : constant_on(lengths, c.who.streams);
    return elements(c, column, lengths,
                    n ? number(*n) : scalar(significant(lengths), kNumber, place), place);
  });
}

Expression Values::ages(const Column& column, const Value& values, const Value& lengths,
                        const Place& place) {
  if (const Expr* e = values.expression()) {
    const bool is_one = lengths.constant() == 1 && e->is_constant() && e->value() >= 0;
    const auto after = is_one ? std::optional(e->value()) : newer_ones(*e);
    if (after) {
      std::vector<Argument> arguments = {{{}, scalar(lengths, kNumber, place)}};
      if (*after > 0) arguments.push_back({"after", number(*after)});
      return call(attribute(name("pending"), "newest"), std::move(arguments));
    }
  }
  return list(column, values, lengths, place);
}

Expression Values::text(const Column& column, const Value& characters, const Value& lengths,
                        const Place& place) {
  if (characters.parameter) return name(place.frame.parameters[*characters.parameter]);
  const auto bytes_of = [&](const Case& c) {
    return text_of(c, constant_on(lengths, c.who.streams));
  };
  if (std::ranges::all_of(characters.cases, [&](const Case& c) { return bytes_of(c).has_value(); }))
    return cases(characters, place,
                 [&](const Case& c) -> Expression { return python::text(*bytes_of(c)); });
  throw_if_by_ranks(characters);
  parts_.insert(RuntimePart::tables);
  return call("characters", {list(column, characters, lengths, place)});
}

}  // namespace reprise::write::python
