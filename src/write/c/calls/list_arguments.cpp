// Arguments that are lists: of numbers, ranks, datatypes, requests, characters.
#include "write/c/calls/call_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "trace/values/special.hpp"
#include "write/unwritable.hpp"
#include "write/uses.hpp"

namespace reprise::write::c {

using program::Value;
using K = ArgumentKind;

Expression CallArguments::length_of(const Argument& a) {
  const program::Argument& own = list_argument(a);
  const auto [known, is_new] = lengths_.try_emplace(a.column);
  if (is_new) {
    Expression n = values_.length(*own.length, place_);
    known->second =
        has_table(*own.length) || !is_simple(n)
            ? named(std::move(n), "const int", std::string("n_") + std::string(own.column.name))
            : n;
  }
  return known->second;
}

Expression CallArguments::list(std::size_t i, const std::string& type) {
  const Argument& a = arguments_[i];
  const program::Argument& own = list_argument(a);
  const Expression length = length_of(a);
  Expression array = values_.list(own.column, own.value, *own.length, length, type, place_);
  lists_[i] = {array, length};
  return array;
}

Expression CallArguments::named_list(std::size_t i, const std::string& type) {
  const Expression array = list(i, type);
  lists_[i].array =
      is_name(array, "NULL") ? array : named(array, "const " + type + " *", arguments_[i].name);
  return lists_[i].array;
}

Expression CallArguments::counts(std::size_t i) {
  Expression array = named_list(i, "int");
  if (arguments_[i].scale != Scale::all || is_name(array, "NULL")) return array;
  array = named(c::call("all_scaled", {lists_[i].length, array}), "const int *",
                std::string("scaled_") + std::string(arguments_[i].name));
  return lists_[i].array = array;
}

Expression CallArguments::length(const Argument& a) {
  if (!a.is_list) return a.column < 0 ? number(0) : scalar(a);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& other = arguments_[i];
    if (&other == &a || !other.is_list || other.column != a.column || other.kind == K::length)
      continue;
    need(i);
    return lists_[i].length;
  }
  return number(0);
}

Expression CallArguments::ranges(std::size_t i) {
  const Argument& a = arguments_[i];
  const program::Argument& own = list_argument(a);
  const Expression n = length_of(a);
  const auto all = literal(n);
  if (!all) throw Unwritable{fmt::format("{} (its ranges differ)", function_.name)};
  lists_[i].length = number(*all / 3);
  Expression out = values_.cases(own.value, place_, [&](const program::Case& c) {
    const Expression flat = values_.elements(c, own.column, n, "int", place_);
    const auto* elements = std::get_if<Compound>(&flat->content);
    if (!elements) throw Unwritable{fmt::format("{} (its ranges differ)", function_.name)};
    std::vector<Expression> rows;
    for (std::size_t k = 0; k + 2 < elements->elements.size(); k += 3)
      rows.push_back(
          c::list({elements->elements[k], elements->elements[k + 1], elements->elements[k + 2]}));
    return compound("int[][3]", std::move(rows));
  });
  return lists_[i].array = out;
}

std::optional<std::int64_t> CallArguments::first_of(const Argument& a) const {
  const Value& v = list_argument(a).value;
  if (v.cases.size() != 1) return std::nullopt;
  const program::Case& c = v.cases.front();
  const auto* s = std::get_if<program::Sequence>(&c.content);
  const auto* e = std::get_if<expr::Expr>(&c.content);
  if (s && !s->values.terms().empty()) return s->values.at(0);
  if (e && e->is_constant()) return e->value();
  return std::nullopt;
}

Expression CallArguments::weights(std::size_t i) {
  const Argument& a = arguments_[i];
  const auto first = first_of(a);
  const bool is_word = first && (first == trace::kUnweighted || first == trace::kEmptyWeights);
  if (!is_word) return list(i, "int");
  lists_[i].length = number(0);
  return c::call("hidden", {constant(list_argument(a).column, *first)});
}

Expression CallArguments::places(std::size_t i) {
  const Argument& a = arguments_[i];
  if (first_of(a) != trace::kBottom) return named_list(i, "MPI_Aint");
  // Addresses: the list begins with a word for that.
  const Expression all = list(i, "MPI_Aint");
  const auto* elements = std::get_if<Compound>(&all->content);
  if (!elements || elements->elements.empty())
    throw Unwritable{"a datatype of addresses differs from rank to rank"};
  const Expression n = number(std::ssize(elements->elements) - 1);
  lists_[i].length = n;
  Expression apart =
      compound("MPI_Aint[]", {elements->elements.begin() + 1, elements->elements.end()});
  Expression lengths = name("NULL"), types = name("NULL");
  bool each_length = false, each_type = false;
  for (std::size_t j = 0; j < arguments_.size(); ++j) {
    const Argument& other = arguments_[j];
    if (j == i || other.kind == K::length) continue;
    need(j);
    if (other.kind == K::counts) lengths = texts_[j], each_length = true;
    if (other.name == "blocklength") lengths = compound("int[]", {texts_[j]});
    if (other.kind == K::datatypes) types = texts_[j], each_type = true;
    if (other.kind == K::datatype) types = compound("MPI_Datatype[]", {texts_[j]});
  }
  // Both are lists, or neither.
  if (each_length && !each_type && !is_name(types, "NULL"))
    types = c::call("each_type", {n, std::get<Compound>(types->content).elements.front()});
  if (each_type && !each_length && !is_name(lengths, "NULL"))
    lengths = c::call("each", {n, std::get<Compound>(lengths->content).elements.front()});
  return c::call("placed", {n, std::move(apart), std::move(lengths), std::move(types),
                            number(each_length || each_type ? 1 : 0)});
}

Expression CallArguments::text(const Argument& a) {
  const program::Argument& own = list_argument(a);
  Expression bytes = values_.text(
      own.column, own.value, *own.length, [&] { return length_of(a); }, place_);
  if (a.name != "filename") return bytes;
  return c::call("file_name", {std::move(bytes), number(makes_file(call_) ? 1 : 0)});
}

Expression CallArguments::requests(std::size_t i) {
  const Argument& a = arguments_[i];
  const program::Argument& own = list_argument(a);
  // All that are pending, however many those are. In a procedure the call is that of one place.
  const expr::Expr* ages = own.value.expression();
  const bool are_all = !place_.frame.procedure && !program_.domain && !own.length->constant() &&
                       ages && newer_ones(*ages) == 0 && pending_.are_all_named(call_.call);
  if (are_all) lengths_[a.column] = c::call("pending");
  Expression n = length_of(a), pointer;
  if (const expr::Expr* e = own.value.expression()) {
    const bool is_one = own.length->constant() == 1 && e->is_constant() && e->value() >= 0;
    const auto newer = is_one ? std::optional(e->value()) : newer_ones(*e);
    if (newer == 0) pointer = c::call("newest", {n});
    if (newer && *newer > 0) pointer = c::call("earlier", {n, number(*newer)});
  }
  if (!pointer)
    pointer =
        c::call("these", {n, values_.list(own.column, own.value, *own.length, n, "int", place_)});
  // Some MPIs take out what has ended before all have.
  if (is_repeated() || has(K::indices))
    pointer = named(std::move(pointer), "MPI_Request *", "named_requests");
  lists_[i] = {pointer, n};
  return pointer;
}

}  // namespace reprise::write::c
