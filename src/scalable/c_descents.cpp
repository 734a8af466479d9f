// How deep recursions of splits are, as C.
#include <fmt/format.h>

#include "trace/split_columns.hpp"
#include "scalable/c_laws.hpp"
#include "scalable/law_terms.hpp"
#include "trace/call_cursor.hpp"
#include "trace/predefined.hpp"

namespace reprise::scalable {

using extrapolate::Law;
using extrapolate::NumberLaw;

// A function of the rank in a communicator and its size.
std::string CLaws::in_communicator(const std::string& name, const NumberLaw& law) {
  const std::string text = number(law, kLocal);
  return fmt::format(
      "static long long {0}(long long {1}rank, long long {1}ranks) {{\n"
      "  (void){1}rank, (void){1}ranks;\n{2}  return {3};\n}}\n",
      name, kLocal, grid_of(law) ? "  " + on_grid(*law.grid, kLocal) + "\n" : "", text);
}

// The recursion is gone through on paper: who shares a communicator with a rank, and which rank it
// gets there (MPI 3.1, section 6.4.2), level by level.
std::string CLaws::descent(std::uint32_t number) {
  const extrapolate::Descent& descent = scalable_.program.descents[number];
  std::map<std::uint32_t, const Law*> columns;
  trace::FunctionId function = scalable_.program.sites[descent.site].function;
  for (const extrapolate::Parameter& p : scalable_.program.parameters) {
    if (!p.slot.is_trips() && p.slot.site == descent.site) columns[p.slot.column] = &p.law;
  }
  const auto split = trace::split_columns(trace::function(function));
  if (!split) throw Unwritable{"a recursion splits by something else than colors and keys"};
  const auto law_at = [&](std::size_t column) {
    const Law& law = *columns.at(static_cast<std::uint32_t>(column));
    if (law.local && law.form == Law::Form::indexed) return law.number;
    const auto v = constant_of(law);
    if (!v) throw Unwritable{"a recursion splits by what is no law in its communicator"};
    return NumberLaw{.expression = *v};
  };
  const std::string own = fmt::format("_{}", number);
  return in_communicator("goes_on" + own, descent.goes_on) +
         in_communicator("color" + own, law_at(split->color)) +
         in_communicator("key" + own, law_at(split->key)) +
         fmt::format(
             R"(/* How often a rank splits what it has made, from its rank in a communicator of so many on. */
static long long descend{0}(long long r, long long size) {{
  long long depth = 0;
  for (const long long most = size; depth <= most && goes_on{0}(r, size);) {{
    const long long color = color{0}(r, size), key = key{0}(r, size);
    long long before = 0, members = 0;
    depth++;
    if (color == MPI_UNDEFINED) break;
    for (long long other = 0; other < size; other++) {{
      if (!goes_on{0}(other, size) || color{0}(other, size) != color) continue;
      const long long its = key{0}(other, size);
      before += its < key || (its == key && other < r);
      members++;
    }}
    r = before;
    size = members;
  }}
  return depth;
}}
)",
             own);
}

std::string CLaws::depth(const extrapolate::Depth& depth) {
  const extrapolate::Descent& descent = scalable_.program.descents[depth.descent];
  const expr::Expr& first = descent.first.expression;
  if (!first.is_constant())
    throw Unwritable{"a recursion starts from one of several communicators"};
  const std::uint32_t d = depth.descent;
  if (!descents_.contains(d)) descents_[d] = this->descent(d);
  const bool whole = is_whole(first.value());
  if (depth.of_rank_0 && !whole) {
    throw Unwritable{"a recursion of rank 0 starts from a part of all ranks"};
  }
  const std::string comm = objects_.handle(trace::Kind::comm, first.value());
  const std::string name = name_of(depth);
  std::string from = fmt::format("descend_{}({})", d, depth.of_rank_0 ? "0, ranks" : "rank, ranks");
  if (!whole) {
    from =
        fmt::format("{0} == MPI_COMM_NULL ? 0 : descend_{1}(rank_in({0}), size_of({0}))", comm, d);
  }
  depths_.emplace(name, from);
  return name + "()";
}

// Whether a communicator has all ranks in their order, wherever it is made.
bool CLaws::is_whole(std::int64_t comm) const {
  if (comm == trace::kWorld) return true;
  bool is_made = false;
  const auto& parameters = scalable_.program.parameters;
  for (std::size_t i = 0; i + 2 < parameters.size(); ++i) {
    const extrapolate::Parameter& made = parameters[i];
    if (made.slot.is_trips()) continue;
    const trace::Function& f = trace::function(scalable_.program.sites[made.slot.site].function);
    if (trace::made_column(f, trace::Kind::comm) != made.slot.column) continue;
    if (constant_of(made.law) != comm) continue;
    // Behind the communicator stand the rank in it and its size.
    const auto says = [&](std::size_t behind, const char* name) {
      const extrapolate::Parameter& p = parameters[i + behind];
      if (p.slot.is_trips() || p.slot.site != made.slot.site || p.law.local ||
          p.law.form == Law::Form::placed) {
        return false;
      }
      const auto e = expression_of(p.law);
      return e && e->is_variable() && e->name() == name;
    };
    if (!says(1, "rank") || !says(2, "ranks")) return false;
    is_made = true;
  }
  return is_made;
}

}  // namespace reprise::scalable
