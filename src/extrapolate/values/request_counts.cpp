#include "extrapolate/values/request_counts.hpp"

#include <algorithm>
#include <set>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "extrapolate/inputs/executions.hpp"
#include "extrapolate/laws/joined_law.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;

// The calls before one that are considered.
constexpr std::size_t kMostMakers = 16;

// A call that makes a request, and how often it is executed for one execution of a later call.
struct Maker {
  trace::FunctionId function{};
  NumberLaw times;
};

// How often an item is executed for one execution of a body around it. Nothing where a law of its
// trips is missing, or depends on the iteration of a loop between the two.
std::optional<NumberLaw> executions_within(std::span<const std::uint32_t> chain, std::size_t outer,
                                           const TripsLaws& trips,
                                           const std::vector<bool>& repeated) {
  std::size_t loops = 0;
  for (std::size_t i = 0; i < outer; ++i) loops += repeated[chain[i]] ? 1 : 0;
  JoinedLaw joined;
  Expr product = 1;
  for (std::size_t i = outer; i < chain.size(); ++i) {
    const Law* law = trips(chain[i]);
    const auto number = law == nullptr ? std::nullopt : single_number(*law);
    if (!number || !joined.take(*number)) return std::nullopt;
    for (const std::string& name : free_variables(number->expression)) {
      const expr::Leaf leaf = expr::leaf_of(name);
      const bool is_of_loop =
          leaf.kind == expr::LeafKind::index || leaf.kind == expr::LeafKind::trips;
      if (is_of_loop && leaf.number >= loops) return std::nullopt;
    }
    product = product * number->expression;
  }
  return joined.finish(expr::simplify(product));
}

// The calls before an item that make requests, the closest first.
std::vector<Maker> makers_before(std::uint32_t item, const Aligned& inputs, const TripsLaws& trips,
                                 const std::vector<bool>& repeated) {
  std::vector<Maker> out;
  const std::vector<std::uint32_t> own = chain_to(inputs.tree, item);
  for (std::uint32_t before = item; before-- > 0 && out.size() < kMostMakers;) {
    const std::uint32_t site = inputs.tree.items[before].site;
    if (site == compress::LoopTree::kBody) continue;
    const trace::FunctionId function = inputs.sites[site].function;
    constexpr std::uint32_t kMakesRequests =
        trace::traits::kNonblocking | trace::traits::kPersistent;
    if ((trace::function(function).traits & kMakesRequests) == 0) continue;
    const std::vector<std::uint32_t> chain = chain_to(inputs.tree, before);
    const auto outer =
        static_cast<std::size_t>(std::ranges::mismatch(chain, own).in1 - chain.begin());
    auto times = executions_within(chain, outer, trips, repeated);
    if (!times) break;
    out.push_back({function, std::move(*times)});
  }
  return out;
}

// Adds the sums of stretches of the makers, which begin at any of them, to `sums`.
void add_sums(std::span<const Maker> makers, std::vector<NumberLaw>& sums) {
  for (std::size_t first = 0; first < makers.size(); ++first) {
    JoinedLaw joined;
    Expr sum = 0;
    for (std::size_t i = first; i < makers.size() && joined.take(makers[i].times); ++i) {
      sum = sum + makers[i].times.expression;
      sums.push_back(joined.finish(expr::simplify(sum)));
    }
  }
}

}  // namespace

bool is_request_count(const trace::Function& function, std::uint32_t column) {
  const auto scalars = static_cast<std::uint32_t>(function.scalars.size());
  if (column < scalars || (column - scalars) % 2 != 0) return false;
  return function.lists[(column - scalars) / 2].kind == trace::Kind::request;
}

std::optional<Law> request_count(const Slot& slot, const SlotView& counts, const TripsLaws& trips,
                                 const std::vector<bool>& repeated, const LawSearch& search) {
  const std::vector<Maker> makers = makers_before(slot.item, counts.inputs(), trips, repeated);
  std::vector<NumberLaw> sums;
  add_sums(makers, sums);
  std::set<trace::FunctionId> functions;
  for (const Maker& m : makers) functions.insert(m.function);
  for (const trace::FunctionId function : functions) {
    std::vector<Maker> alike = makers;
    std::erase_if(alike, [&](const Maker& m) { return m.function != function; });
    if (alike.size() < makers.size()) add_sums(alike, sums);
  }
  std::optional<Law> found;
  for (NumberLaw& sum : sums) {
    Law law{.form = Law::Form::indexed, .number = std::move(sum)};
    if (!explains(counts, law, search)) continue;
    if (found && !search.same_at_target(found->number, law.number)) return std::nullopt;
    if (!found) found = std::move(law);
  }
  return found;
}

}  // namespace reprise::extrapolate
