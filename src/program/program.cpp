#include "program/program.hpp"

#include <algorithm>
#include <array>

#include "expr/leaf.hpp"

namespace reprise::program {

std::string_view coordinate(std::size_t dimension) {
  static constexpr std::array<std::string_view, expr::kMaxDimensions> names = {"x", "y", "z", "w"};
  return names[dimension];
}

std::string_view extent(std::size_t dimension) {
  static constexpr std::array<std::string_view, expr::kMaxDimensions> names = {"nx", "ny", "nz",
                                                                               "nw"};
  return names[dimension];
}

std::string loop_index(std::size_t depth) { return expr::index_name(depth); }

std::string loop_trips(std::size_t depth) { return expr::trips_name(depth); }

bool Drawn::operator==(const Drawn& other) const {
  return std::ranges::equal(quantiles, other.quantiles, [](const auto& a, const auto& b) {
    return a.terms == b.terms && a.coefficients == b.coefficients;
  });
}

const expr::Expr* Value::expression() const {
  if (parameter || cases.size() != 1) return nullptr;
  return std::get_if<expr::Expr>(&cases.front().content);
}

std::optional<std::int64_t> Value::constant() const {
  const expr::Expr* e = expression();
  if (!e || !e->is_constant()) return std::nullopt;
  return e->value();
}

// Conditions are the same if they read the same: each of them is exact where it stands.
bool operator==(const Who& a, const Who& b) {
  if (a.parameter != b.parameter) return false;
  if (a.parameter) return true;
  if (a.condition && b.condition) return *a.condition == *b.condition;
  return !a.condition && !b.condition && *a.streams == *b.streams;
}

bool operator==(const Value& a, const Value& b) {
  if (a.parameter != b.parameter || a.distance != b.distance || a.cases.size() != b.cases.size())
    return false;
  for (std::size_t i = 0; i < a.cases.size(); ++i) {
    const Case &one = a.cases[i], &other = b.cases[i];
    if (!(one.who == other.who) || !(one.content == other.content)) return false;
    // A table over streams means nothing on others.
    if (std::holds_alternative<ByStream>(one.content) && *one.who.streams != *other.who.streams)
      return false;
  }
  return true;
}

}  // namespace reprise::program
