#include "write/c/recursions.hpp"

#include <algorithm>
#include <functional>

#include "trace/calls/predefined.hpp"
#include "trace/calls/split_columns.hpp"

namespace reprise::write::c {
namespace {

using expr::Expr;
using program::Node;
using program::Program;
using program::Value;

// Calls of the program one by one, with the arguments that they have there: parameters of
// procedures are what is passed.
class Calls {
 public:
  // The value of an argument; null if it is none.
  using ArgumentOf = std::function<const Value*(std::size_t argument)>;
  using Visit = std::function<void(std::uint32_t call, const ArgumentOf& argument)>;

  Calls(const Program& program, const Visit& visit) : program_(program), visit_(visit) {
    walk(program.body, nullptr);
  }

 private:
  struct Around {
    const Node& invocation;
    const Around* outer;
    const std::vector<std::uint32_t>& calls;  // that are made, in order
    std::size_t& next;
  };

  static const Value* passed(const Value& v, const Around* around) {
    const Value* out = &v;
    for (; out && out->parameter; around = around->outer) {
      if (!around) return nullptr;
      out = std::get_if<Value>(&around->invocation.passed[*out->parameter]);
    }
    return out;
  }

  void walk(const std::vector<Node>& nodes, const Around* around) {
    for (const Node& n : nodes) {
      if (n.kind == Node::Kind::call) {
        const std::uint32_t call = around ? around->calls[around->next++] : n.call;
        visit_(call, [&](std::size_t a) { return passed(n.arguments[a].value, around); });
      } else if (n.kind == Node::Kind::invocation) {
        std::size_t next = 0;
        const Around inner{n, around, around ? around->calls : n.calls,
                           around ? around->next : next};
        walk(program_.procedures[n.procedure].body, &inner);
      } else {
        walk(n.body, around);
      }
    }
  }

  const Program& program_;
  const Visit& visit_;
};

const trace::Function& function_of(const Program& program, std::uint32_t call) {
  return trace::function(program.trace->calls[call].function);
}

bool is_of_rank(const Expr& e) {
  return (e.is_variable() && e.name() == expr::kRank) ||
         std::ranges::any_of(e.operands(), is_of_rank);
}

}  // namespace

std::optional<SplitBy> split_by(const Program& program, std::uint32_t call) {
  const auto columns = trace::split_columns(function_of(program, call));
  std::optional<SplitBy> out;
  Calls(program, [&](std::uint32_t made, const Calls::ArgumentOf& argument) {
    if (made != call || !columns) return;
    const auto law_of = [&](std::size_t column) {
      const Value* v = argument(column);
      const Expr* e = v ? v->expression() : nullptr;
      return e && !is_of_rank(*e) ? e : nullptr;
    };
    const Expr *color = law_of(columns->color), *key = law_of(columns->key);
    if (color && key) out = SplitBy{*color, *key};
  });
  return out;
}

bool is_whole(const Program& program, std::int64_t comm) {
  if (comm == trace::kWorld) return true;
  bool is_made = false, is_other = false;
  Calls(program, [&](std::uint32_t call, const Calls::ArgumentOf& argument) {
    const auto made = trace::made_column(function_of(program, call), trace::Kind::comm);
    if (!made) return;
    const Value* own = argument(*made);
    if (!own || own->constant() != comm) return;
    // Behind the communicator stand the rank in it and its size.
    const auto says = [&](std::size_t column, std::string_view name) {
      const Value* v = argument(column);
      const Expr* e = v ? v->expression() : nullptr;
      return e && e->is_variable() && e->name() == name;
    };
    (says(*made + 1, expr::kRank) && says(*made + 2, expr::kRanks) ? is_made : is_other) = true;
  });
  return is_made && !is_other;
}

}  // namespace reprise::write::c
