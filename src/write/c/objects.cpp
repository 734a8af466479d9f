#include "write/c/objects.hpp"

#include <algorithm>
#include <cctype>

#include "write/c/arguments.hpp"

namespace reprise::write::c {

using program::Node;
using trace::Kind;

namespace {

bool makes_object(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::newcomm:
    case ArgumentKind::newgroup:
    case ArgumentKind::newtype:
    case ArgumentKind::newop:
    case ArgumentKind::newwin:
    case ArgumentKind::newfile:
    case ArgumentKind::newsession: return true;
    default: return false;
  }
}

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

Objects::Objects(const program::Program& program, Names& names, std::set<Kind> arrays)
    : program_(program), names_(names), arrays_(std::move(arrays)) {
  find_makers(program.body);
  for (const program::Procedure& p : program.procedures) find_makers(p.body);
  for (const Kind kind : arrays_) classes_[kind].array = names_.add(object_words(kind)->array);
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
  const auto [slot, is_new] =
      c.slots.try_emplace(number, static_cast<std::int64_t>(c.numbers.size()));
  if (is_new) c.numbers.push_back(number);
  return c::number(slot->second);
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
    std::vector<Expression> all;
    for (const std::int64_t n : c.numbers) {
      const Expression known = predefined(kind, n);
      all.push_back(known ? known : name(std::string(words.null)));
    }
    out.push_back({Declare{type, c.array, "[]", list(std::move(all))}});
  }
  return out;
}

}  // namespace reprise::write::c
