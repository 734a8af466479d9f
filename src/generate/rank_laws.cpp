#include "generate/rank_laws.hpp"

#include <algorithm>

#include "infer/value_law.hpp"
#include "trace/special.hpp"

namespace reprise::generate {
namespace {

constexpr std::size_t kMaxSamples = 1 << 16;  // more ranks are a table
constexpr std::uint32_t kMaxNodes = 9;        // of a law that is easier to read than a table
constexpr std::uint32_t kMaxConditionNodes = 15;
constexpr unsigned kLargestSearched = 5;

}  // namespace

std::optional<expr::Expr> RankLaws::find(const ByRank& samples, bool is_condition) const {
  infer::WorldSamples world{{ranks_, {}}, {}};
  for (const auto& [rank, value] : samples) {
    if (trace::is_special(value) && value != trace::kProcNull) return std::nullopt;
    world.samples.push_back({rank, is_condition ? value != 0 : value, {}});
  }
  const infer::Samples all{{}, {std::move(world)}};
  const infer::Options options{.target = std::nullopt, .largest = kLargestSearched};
  const auto law =
      is_condition ? infer::infer_ranks(all, options) : infer::infer_value(all, options);
  if (!law) return std::nullopt;
  const expr::Binding nobody{std::string(expr::kProcNull), expr::Expr::variable("MPI_PROC_NULL")};
  const expr::Expr e = expr::substitute(law->expression, {&nobody, 1});
  // Three samples are no reason for an expression of nine nodes.
  const auto limit = is_condition ? kMaxConditionNodes : kMaxNodes;
  if (e.nodes() > std::min<std::size_t>(limit, 2 * samples.size() + 1)) return std::nullopt;
  return e;
}

std::optional<expr::Expr> RankLaws::value(const ByRank& samples) {
  if (samples.size() > kMaxSamples) return std::nullopt;
  const auto [entry, is_new] = known_.try_emplace({false, samples});
  if (is_new) entry->second = find(samples, false);
  return entry->second;
}

std::optional<expr::Expr> RankLaws::condition(const ByRank& samples) {
  if (samples.size() > kMaxSamples) return std::nullopt;
  const auto [entry, is_new] = known_.try_emplace({true, samples});
  if (is_new) entry->second = find(samples, true);
  return entry->second;
}

}  // namespace reprise::generate
