#include "write/c/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "trace/values/special.hpp"
#include "write/c/calls/arguments.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {

using program::Node;
using trace::Kind;

namespace {

constexpr std::int64_t kMostMade = 4096;  // MADE of the runtime part

// "MPI_Comm_split" makes a "split" communicator, "MPI_Cart_create" a "cart" one.
std::string stem(std::string_view function, std::string_view one) {
  std::string name;
  for (const char c : function.substr(function.find('_') + 1))
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view part : {"comm_", "type_", "_create", "create_", "group_"}) {
    const std::size_t at = name.find(part);
    if (at != std::string::npos && name.size() > part.size()) name.erase(at, part.size());
  }
  const bool is_plain = name == "create" || name.starts_with(one) || one == "file" ||
                        one == "window" || one == "op" || one == "session";
  return is_plain ? std::string(one) : name + "_" + std::string(one);
}

}  // namespace

Objects::Objects(const program::Program& program, Names& names, std::set<Kind> arrays,
                 std::set<Kind> calculated)
    : program_(program),
      names_(names),
      arrays_(std::move(arrays)),
      calculated_(std::move(calculated)) {
  find_makers(program.body);
  for (const program::Procedure& p : program.procedures) find_makers(p.body);
  for (const Kind kind : arrays_) classes_[kind].array = names_.add(object_words(kind)->array);
  // Nothing is made by the number of no object.
  for (const Kind kind : calculated_) (void)key(kind, trace::kNull);
}

void Objects::find_makers(const std::vector<Node>& nodes) {
  for (const Node& n : nodes) {
    find_makers(n.body);
    if (n.kind != Node::Kind::call) continue;
    const trace::FunctionId function = program_.trace->calls[n.call].function;
    for (const Argument& a : arguments(function)) {
      if (!makes_object(a.kind) || a.column < 0) continue;
      const program::Argument& own = n.arguments[static_cast<std::size_t>(a.column)];
      const ObjectWords& words = *object_words(own.column.kind);
      for (const program::Case& c : own.value.cases) {
        const auto* e = std::get_if<expr::Expr>(&c.content);
        if (e && e->is_constant())
          made_by_.try_emplace({own.column.kind, e->value()},
                               stem(trace::function(function).name, words.one));
      }
    }
  }
}

const std::string& Objects::variable(Kind kind, std::int64_t number) {
  Class& c = classes_[kind];
  const auto [known, is_new] = c.known.try_emplace(number);
  if (is_new) {
    const auto maker = made_by_.find({kind, number});
    known->second = names_.add(maker == made_by_.end() ? object_words(kind)->one : maker->second);
    c.variables.push_back(known->second);
  }
  return known->second;
}

Expression Objects::object(Kind kind, std::int64_t number) {
  if (Expression known = predefined(kind, number)) return known;
  return place(kind, number);
}

Expression Objects::place(Kind kind, std::int64_t number) {
  if (arrays_.contains(kind)) return at(kind, key(kind, number));
  // Nothing is made on this rank: MPI says so in a variable that nobody reads.
  if (predefined(kind, number)) number = -1;
  return name(variable(kind, number));
}

Expression Objects::key(Kind kind, std::int64_t number) {
  asked_by_key_.insert(kind);
  Class& c = classes_[kind];
  const std::int64_t first = object_words(kind)->first;
  const bool is_by_number = calculated_.contains(kind);
  if (is_by_number && !predefined(kind, number)) {
    if (number - first >= kMostMade) throw Unwritable{"it makes too many objects of a kind"};
    return c::number(number - first);
  }
  const auto [slot, is_new] =
      c.slots.try_emplace(number, static_cast<std::int64_t>(c.numbers.size()));
  if (is_new) c.numbers.push_back(number);
  Expression out = c::number(slot->second);
  if (!is_by_number) return out;
  return slot->second == 0 ? name("MADE") : binary(Operator::add, name("MADE"), std::move(out));
}

void Objects::ask_by_number(Kind kind) {
  asked_by_key_.insert(kind);
  asked_by_calculation_.insert(kind);
}

Expression Objects::calculated_key(Kind kind, Expression number) {
  ask_by_number(kind);
  return call("made", {std::move(number), c::number(object_words(kind)->first)});
}

Expression Objects::array(Kind kind) {
  asked_by_key_.insert(kind);
  const std::string& array = classes_[kind].array;
  return name(array.empty() ? std::string(object_words(kind)->array) : array);
}

Expression Objects::at(Kind kind, Expression key) { return subscript(array(kind), std::move(key)); }

std::size_t Objects::size(Kind kind) const {
  const auto c = classes_.find(kind);
  return c == classes_.end() ? 0 : c->second.numbers.size();
}

Block Objects::definitions() const {
  Block out;
  for (const auto& [kind, c] : classes_) {
    const ObjectWords& words = *object_words(kind);
    const std::string type = "static " + std::string(words.type);
    for (const std::string& v : c.variables) out.push_back(declare(type, v, nullptr));
    if (c.array.empty() || c.numbers.empty()) continue;
    if (calculated_.contains(kind)) {
      out.push_back({Declare{type, c.array, fmt::format("[MADE + {}]", c.numbers.size())}});
      continue;
    }
    std::vector<Expression> all;
    for (const std::int64_t n : c.numbers) {
      const Expression known = predefined(kind, n);
      all.push_back(known ? known : name(std::string(words.null)));
    }
    out.push_back({Declare{type, c.array, "[]", list(std::move(all))}});
  }
  return out;
}

Block Objects::assignments() {
  Block out;
  for (const Kind kind : calculated_) {
    const Class& c = classes_[kind];
    const Expression null = name(std::string(object_words(kind)->null));
    out.push_back(
        {For{"e", name("MADE"), false, {assign(subscript(name(c.array), name("e")), null)}}});
    for (const std::int64_t n : c.numbers)
      out.push_back(assign(subscript(name(c.array), key(kind, n)), predefined(kind, n)));
  }
  return out;
}

}  // namespace reprise::write::c
