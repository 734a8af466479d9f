#include "scalable/c_grids.hpp"

#include <fmt/format.h>

#include "scalable/unwritable.hpp"

namespace reprise::scalable {
namespace {

using infer::GridRule;

constexpr const char* kNoGrid = R"(static void no_grid(void) { /* perhaps on some ranks alone */
  fprintf(stderr, "so many ranks form no grid\n");
  MPI_Abort(MPI_COMM_WORLD, 2);
}
)";

constexpr const char* kHelpers = R"(
/* The grid that the ranks form, ascending: prime factors, the largest first, each to the least extent. */
static void balanced(long long n, int dimensions, long long *extents) {
  long long factors[64];
  int found = 0;
  for (int i = 0; i < dimensions; i++) extents[i] = 1;
  for (long long p = 2; p * p <= n; p++)
    for (; n % p == 0; n /= p) factors[found++] = p;
  if (n > 1) factors[found++] = n;
  while (found > 0) {
    int least = 0;
    for (int i = 1; i < dimensions; i++)
      if (extents[i] < extents[least]) least = i;
    extents[least] *= factors[--found];
  }
  for (int i = 1; i < dimensions; i++)
    for (int k = i; k > 0 && extents[k] < extents[k - 1]; k--) {
      const long long swapped = extents[k];
      extents[k] = extents[k - 1];
      extents[k - 1] = swapped;
    }
}
)";

// Statements that find the extents of a rule for `size` ranks, in `e`.
std::string extents_in_c(const GridRule& rule) {
  const std::size_t n = rule.dimensions;
  switch (rule.kind) {
    case GridRule::Kind::line: return "e[0] = size;";
    case GridRule::Kind::power:
      return fmt::format(
          "{{ long long k = 1; while ({0} < size) k++; if ({0} != size) no_grid(); "
          "for (int i = 0; i < {1}; i++) e[i] = k; }}",
          n == 2   ? "k * k"
          : n == 3 ? "k * k * k"
                   : "k * k * k * k",
          n);
    case GridRule::Kind::balanced: return fmt::format("balanced(size, {}, e);", n);
    case GridRule::Kind::fixed:
      return fmt::format("if (size % {1} != 0) no_grid(); balanced(size / {1}, {0}, e);", n - 1,
                         rule.fixed_extent);
    case GridRule::Kind::closest:
    case GridRule::Kind::greedy:
    case GridRule::Kind::listed: break;
  }
  throw Unwritable{"its ranks form a grid by a rule that takes a search (" + rule.describe() + ")"};
}

// A function that tells the extents of a grid and the place in it.
std::string grid_in_c(const GridRule& rule, std::size_t number) {
  const std::size_t found =
      rule.kind == GridRule::Kind::fixed ? rule.dimensions - 1 : rule.dimensions;
  std::string out = fmt::format(
      "\n/* Extents of the grid that so many ranks form, and the place of one. */\n"
      "static void grid_{0}(long long size, long long rest, long long *d, long long *x) {{\n"
      "  long long e[{1}];\n  {2}\n",
      number, rule.dimensions, extents_in_c(rule));
  std::size_t next = 0;
  for (std::size_t d = 0; d < rule.dimensions; ++d) {
    const bool is_fixed = rule.kind == GridRule::Kind::fixed && d == rule.fixed_dimension;
    const std::size_t from = rule.smallest_first ? next : found - 1 - next;
    if (!is_fixed) ++next;
    out += fmt::format("  d[{0}] = {1}; x[{0}] = rest % d[{0}]; rest /= d[{0}];\n", d,
                       is_fixed ? std::to_string(rule.fixed_extent) : fmt::format("e[{}]", from));
  }
  return out + "}\n";
}

}  // namespace

std::string grids_in_c(std::span<const GridRule> rules, const std::set<std::size_t>& of_world,
                       const std::set<std::size_t>& of_communicators) {
  std::set<std::size_t> used = of_world;
  used.insert(of_communicators.begin(), of_communicators.end());
  std::string out;
  bool balances = false, fails = false;
  for (const std::size_t g : used) {
    const GridRule::Kind kind = rules[g].kind;
    balances = balances || kind == GridRule::Kind::balanced || kind == GridRule::Kind::fixed;
    fails = fails || kind == GridRule::Kind::power || kind == GridRule::Kind::fixed;
  }
  if (fails) out += kNoGrid;
  if (balances) out += kHelpers;
  for (const std::size_t g : used) {
    out += grid_in_c(rules[g], g);
    if (!of_world.contains(g)) continue;
    out += fmt::format("static long long d_{0}[{1}], x_{0}[{1}];\n", g, rules[g].dimensions);
  }
  return out;
}

}  // namespace reprise::scalable
