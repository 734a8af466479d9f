#include "infer/cases.hpp"

#include <algorithm>

#include "expr/simplify.hpp"
#include "infer/enumerate.hpp"
#include "infer/predicate.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;

constexpr std::size_t kMostRows = 96;
constexpr std::size_t kMostLaws = 12;
constexpr unsigned kLargestLaw = 5;

// The rows of a table for which `keep` is true.
Table filtered(const Table& table, const std::vector<bool>& keep) {
  Table out{table.names, {}, {}, {}, table.probes};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!keep[row]) continue;
    out.slots.push_back(table.slots[row]);
    out.values.push_back(table.values[row]);
    out.world.push_back(table.world[row]);
  }
  return out;
}

std::vector<bool> explained_by(const Expr& e, const Table& table) {
  std::vector<bool> out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out.push_back(explains(e, {table.names, {table.slots[row]}, {table.values[row]}, {0}, {}}));
  }
  return out;
}

// Small laws that hold on the most rows, those with fewer nodes first among equals. Constants that
// occur are among them.
std::vector<Expr> partial_laws(const Table& table) {
  struct Partial {
    Expr law;
    std::size_t holds;
  };
  std::vector<Partial> partial;
  const std::vector<std::size_t> rows = choose_rows(table, kMostRows);
  const Pool pool(table, rows, kLargestLaw);
  for (std::size_t i = 0; i < pool.size(); ++i) {
    std::size_t holds = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      holds += pool.values(i)[k] == table.values[rows[k]];
    }
    if (3 * holds >= rows.size()) partial.push_back({pool.expression(i), holds});
  }
  std::vector<std::int64_t> values = table.values;
  std::sort(values.begin(), values.end());
  for (auto v = values.begin(); v != values.end();) {
    const auto end = std::upper_bound(v, values.end(), *v);
    const auto holds = static_cast<std::size_t>(end - v) * rows.size() / values.size();
    if (3 * holds >= rows.size()) partial.push_back({Expr(*v), holds});
    v = end;
  }
  std::stable_sort(partial.begin(), partial.end(), [](const Partial& a, const Partial& b) {
    return a.holds != b.holds ? a.holds > b.holds : a.law.nodes() < b.law.nodes();
  });
  std::vector<Expr> laws;
  for (const Partial& p : partial) {
    if (laws.size() < kMostLaws) laws.push_back(p.law);
  }
  return laws;
}

std::optional<Expr> law_of_rest(const Table& rest) {
  if (std::all_of(rest.values.begin(), rest.values.end(),
                  [&](std::int64_t v) { return v == rest.values[0]; })) {
    return Expr(rest.values[0]);
  }
  const auto found = enumerate(rest, kLargestLaw, 1);
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

std::optional<Expr> complete(const Expr& law, const Table& table) {
  const std::vector<bool> holds = explained_by(law, table);
  std::vector<bool> fails = holds;
  fails.flip();
  const Table rest = filtered(table, fails);
  if (rest.rows() == 0) return law;
  const auto other = law_of_rest(rest);
  if (!other) return std::nullopt;
  // Rows that only one of the two explains decide about the condition.
  const std::vector<bool> both = explained_by(*other, table);
  std::vector<bool> deciding;
  Table truth = table;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    deciding.push_back(!(holds[row] && both[row]));
    truth.values[row] = holds[row];
  }
  const auto condition = infer_predicate(filtered(truth, deciding));
  if (!condition) return std::nullopt;
  return expr::simplify(Expr::conditional(*condition, law, *other));
}

}  // namespace

std::optional<Expr> infer_cases(const Table& table) {
  if (table.rows() == 0) return std::nullopt;
  std::optional<Expr> best;
  for (const Expr& law : partial_laws(table)) {
    const auto found = complete(law, table);
    if (found && (!best || found->nodes() < best->nodes()) && explains(*found, table)) best = found;
  }
  return best;
}

}  // namespace reprise::infer
