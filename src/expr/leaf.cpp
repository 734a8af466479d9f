#include "expr/leaf.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace reprise::expr {
namespace {

// The number behind a letter, as of "x0".
bool is_numbered(std::string_view name, char letter, std::size_t& number) {
  if (name.size() < 2 || name[0] != letter) return false;
  const bool has_leading_zero = name[1] == '0' && name.size() > 2;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + 1, end, number);
  return error == std::errc() && at == end && !has_leading_zero;
}

}  // namespace

std::string coordinate_name(std::size_t dimension) { return "x" + std::to_string(dimension); }

std::string extent_name(std::size_t dimension) { return "d" + std::to_string(dimension); }

std::string index_name(std::size_t loop) { return "i" + std::to_string(loop); }

std::string trips_name(std::size_t loop) { return "t" + std::to_string(loop); }

Leaf leaf_of(std::string_view name) {
  Leaf out{.name = std::string(name)};
  constexpr std::array kWords = {
      std::pair(kRank, LeafKind::rank), std::pair(kRanks, LeafKind::ranks),
      std::pair(kElement, LeafKind::element), std::pair(kLength, LeafKind::length)};
  for (const auto& [word, kind] : kWords) {
    if (name == word) out.kind = kind;
  }
  constexpr std::array kLetters = {
      std::pair('x', LeafKind::coordinate), std::pair('d', LeafKind::extent),
      std::pair('i', LeafKind::index), std::pair('t', LeafKind::trips)};
  for (const auto& [letter, kind] : kLetters) {
    std::size_t number = 0;
    if (!is_numbered(name, letter, number)) continue;
    out.kind = kind;
    out.number = number;
  }
  return out;
}

bool uses(const Expr& e, std::initializer_list<LeafKind> kinds) {
  return std::ranges::any_of(free_variables(e), [&](const std::string& name) {
    return std::ranges::find(kinds, leaf_of(name).kind) != kinds.end();
  });
}

}  // namespace reprise::expr
