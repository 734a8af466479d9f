// Arguments that are buffers: memory of their own, as large as counts and datatypes say.
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

Expression CallArguments::blocks(const Argument& a) {
  switch (a.blocks) {
    case Blocks::one: return nullptr;
    case Blocks::members: return size_of_group("size_of");
    case Blocks::local_members: return size_of_group("local_size");
    case Blocks::sources: return c::call("sources_of", {values_.communicator(place_)});
    case Blocks::destinations: return c::call("destinations_of", {values_.communicator(place_)});
    case Blocks::partitions: {
      const auto n = std::ranges::find(arguments_, K::length, &Argument::kind);
      return need(static_cast<std::size_t>(n - arguments_.begin()));
    }
  }
  return nullptr;
}

Expression CallArguments::size_of_group(const char* how) {
  const Expression comm = values_.communicator(place_);
  if (is_name(comm, "MPI_COMM_WORLD")) return name("RANKS");
  return c::call(how, {comm});
}

Expression CallArguments::memory(const Argument& a) {
  const std::string how = a.kind == K::sendbuf ? "out" : "in";
  // The second half of a split collective has neither count nor datatype.
  if (a.datatype < 0) return c::call(how, {number(0), name("MPI_BYTE")});
  const auto type = static_cast<std::size_t>(a.datatype);
  if (a.count >= 0 && arguments_[static_cast<std::size_t>(a.count)].is_list) {
    const ListText& all = lists_[static_cast<std::size_t>(a.count)];
    const Expression displs =
        a.displacements < 0 ? nullptr : lists_[static_cast<std::size_t>(a.displacements)].array;
    if (!displs || is_name(displs, "NULL"))
      return c::call(how, {c::call("sum_of", {all.length, all.array}), texts_[type]});
    const bool typed_each = arguments_[type].kind == K::datatypes;
    const bool are_places = arguments_[static_cast<std::size_t>(a.displacements)].kind == K::aints;
    return c::call(how + (!typed_each  ? "_v"
                          : are_places ? "_a"
                                       : "_w"),
                   {all.length, all.array, displs, typed_each ? lists_[type].array : texts_[type]});
  }
  const Expression n = a.count < 0 ? number(1) : texts_[static_cast<std::size_t>(a.count)];
  Expression many = blocks(a);
  if (!many) return c::call(how, {n, texts_[type]});
  return c::call(how,
                 {binary(Operator::multiply, cast("long long", n), std::move(many)), texts_[type]});
}

Expression CallArguments::buffer(const Argument& a) {
  const program::Argument& own = scalar_argument(a);
  const auto of = [&](std::int64_t v) -> Expression {
    if (v == 0) return memory(a);
    return name(v == trace::kInPlace  ? "MPI_IN_PLACE"
                : v == trace::kBottom ? "MPI_BOTTOM"
                                      : "NULL");
  };
  if (const auto v = own.value.constant()) return of(*v);
  if (are_constants(own.value))
    return values_.cases(own.value, place_, [&](const program::Case& c) {
      return of(std::get<expr::Expr>(c.content).value());
    });
  const Expression which = named(values_.scalar(own.value, own.column, place_), "const int",
                                 std::string("which_") + std::string(a.name));
  return conditional(binary(Operator::equal, which, name("OWN")), memory(a),
                     c::call("other_buffer", {which}));
}

Expression CallArguments::base(const Argument& a) {
  Expression size = number(0);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].name == "size") size = texts_[i];
  }
  if (scalar_argument(a).value.constant() == trace::kBottom) return name("MPI_BOTTOM");
  return c::call("memory", {site_, std::move(size)});
}

}  // namespace reprise::write::c
