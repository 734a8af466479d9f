#include "write/text/unsaid.hpp"

#include <algorithm>
#include <functional>

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::write {

using program::Node;
using program::Value;
using trace::Column;
using trace::Kind;

namespace {

bool is_ordinary(std::int64_t buffer) { return buffer == 0 || buffer == trace::kNone; }

// Ordinary at some, of no account at others.
bool are_ordinary(const program::Case& c) {
  constexpr std::uint64_t kMostLooked = 4096;
  if (const auto* e = std::get_if<expr::Expr>(&c.content))
    return e->is_constant() && is_ordinary(e->value());
  const auto* s = std::get_if<program::Sequence>(&c.content);
  if (!s || s->length == 0 || s->length > kMostLooked) return false;
  trace::SeriesCursor cursor(s->values);
  for (std::uint64_t k = 0; k < s->length; ++k) {
    if (!is_ordinary(cursor.next())) return false;
  }
  return true;
}

bool says_nothing(const Column& column, const Value& value) {
  if (column.kind == Kind::buffer)
    return !value.parameter && std::ranges::all_of(value.cases, are_ordinary);
  const auto n = value.constant();
  if (!n) return false;
  switch (column.kind) {
    case Kind::polls: return *n == 0 || *n == trace::kNone;
    case Kind::comm: return *n == trace::kWorld && column.name == "comm";
    default: return *n == trace::kNone;
  }
}

// The length of a text that is passed behind it.
bool is_length_of_passed_text(const program::Procedure& p, std::size_t k) {
  if (!p.parameters[k].is_text_length || k + 1 == p.parameters.size()) return false;
  const auto& next = p.parameters[k + 1].column;
  return next && next->kind == Kind::character;
}

// Texts of one rank that are not equally long cannot be told apart without their lengths.
bool is_constant_by_rank(const Value& value) {
  return std::ranges::all_of(value.cases, [](const program::Case& c) {
    const auto* e = std::get_if<expr::Expr>(&c.content);
    return e && e->is_constant();
  });
}

}  // namespace

bool is_matched(const Column& column) {
  return column.kind == Kind::matched || column.name == "matched_tag";
}

bool says_nothing(const program::Argument& a) {
  return a.length ? a.length->constant() == 0 : says_nothing(a.column, a.value);
}

UnsaidParameters::UnsaidParameters(const program::Program& program) {
  const auto& procedures = program.procedures;
  for (const program::Procedure& p : procedures) {
    std::vector<bool>& own = unsaid_.emplace_back();
    for (std::size_t k = 0; k < p.parameters.size(); ++k) {
      const auto& column = p.parameters[k].column;
      own.push_back(column ? column->kind == Kind::buffer || is_matched(*column)
                           : is_length_of_passed_text(p, k));
    }
  }
  // `within`: the procedure that they are of, whose parameters may be passed on; none: the program.
  const std::function<void(const std::vector<Node>&, std::optional<std::size_t>)> visit =
      [&](const std::vector<Node>& nodes, std::optional<std::size_t> within) {
        for (const Node& n : nodes) {
          visit(n.body, within);
          for (std::size_t k = 0; k < n.passed.size(); ++k) {
            const auto* v = std::get_if<Value>(&n.passed[k]);
            if (!v || !unsaid_[n.procedure][k]) continue;
            const auto& column = procedures[n.procedure].parameters[k].column;
            if (column && is_matched(*column)) continue;
            unsaid_[n.procedure][k] = v->parameter ? unsaid_[*within][*v->parameter]
                                      : column     ? says_nothing(*column, *v)
                                                   : is_constant_by_rank(*v);
          }
        }
      };
  // They invoke only those before them.
  visit(program.body, std::nullopt);
  for (std::size_t k = procedures.size(); k-- > 0;) visit(procedures[k].body, k);
}

}  // namespace reprise::write
