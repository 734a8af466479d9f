#include "extrapolate/values/requests.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <utility>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "extrapolate/inputs/executions.hpp"
#include "extrapolate/laws/joined_law.hpp"
#include "infer/evaluator.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;

constexpr std::size_t kMostMakers = 128;      // calls before one that are considered
constexpr std::uint64_t kMostExecutions = 3;  // of a stream; the law found is held against all
constexpr std::size_t kMostSamplesOfRun = 4096;
constexpr std::int64_t kMostTimes = 1 << 24;  // that a call is executed; sums do not overflow

// What a column says of requests.
enum class Column : std::uint8_t { other, request, count, elements };

Column column_of(const trace::Function& f, std::uint32_t column) {
  const auto scalars = static_cast<std::uint32_t>(f.scalars.size());
  if (column < scalars) {
    return f.scalars[column].kind == trace::Kind::request ? Column::request : Column::other;
  }
  if (f.lists[(column - scalars) / 2].kind != trace::Kind::request) return Column::other;
  return (column - scalars) % 2 == 0 ? Column::count : Column::elements;
}

// A call that makes a request, and how often it is executed for one execution of a later call.
struct Maker {
  trace::FunctionId function{};
  NumberLaw times;
  std::vector<std::int64_t> numbers;  // by sample
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

// A value of the column.
struct SampledRequest {
  std::size_t run = 0;
  std::int64_t rank = 0;
  std::vector<std::int64_t> parameters;
  std::int64_t value = 0;
};

std::vector<SampledRequest> samples_of(const SlotView& view) {
  std::vector<SampledRequest> out;
  for (std::size_t run = 0; run < view.inputs().runs.size(); ++run) {
    for (std::int64_t rank = 0; rank < view.inputs().runs[run].ranks; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      const auto& series = view.series(run, r, trace::Encoding::absolute);
      if (series.empty()) continue;
      trace::SeriesCursor values(series);
      SlotWalk walk = view.walk(run, r);
      while (out.size() < (run + 1) * kMostSamplesOfRun && walk.next() &&
             walk.executions() <= kMostExecutions) {
        out.push_back({run, rank, walk.parameters(), values.next()});
      }
    }
  }
  return out;
}

// In a list the last two parameters are the place and the length.
std::int64_t index_of(const SampledRequest& s) { return *(s.parameters.end() - 2); }

// Of a list that has all of the youngest requests, the oldest first.
bool is_of_newest(const SampledRequest& s) {
  return s.value == s.parameters.back() - 1 - index_of(s);
}

// By sample, the number of a law; nothing where it has none, or no number of executions.
std::optional<std::vector<std::int64_t>> numbers_of(const NumberLaw& law,
                                                    const std::vector<SampledRequest>& samples,
                                                    const SlotView& view, const LawSearch& search) {
  const auto dimensions = law.grid ? search.grids().rules[*law.grid].dimensions : 0;
  std::vector<std::int64_t> out;
  std::optional<infer::Evaluator> evaluator;
  std::optional<infer::World> world;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const SampledRequest& s = samples[i];
    if (i == 0 || samples[i - 1].run != s.run) {
      world = search.grids().world(view.inputs().runs[s.run].ranks, law.grid);
      auto made =
          infer::Evaluator::make(substitute(law.expression, search.problem().bindings_in(s.run)),
                                 dimensions, view.shape().parameters);
      if (!world || !made) return std::nullopt;
      evaluator = std::move(*made);
    }
    const auto number = evaluator->at(s.rank, *world, s.parameters);
    if (!number || *number < 0 || *number > kMostTimes) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

// The calls before an item in the program, the closest first.
std::vector<std::uint32_t> calls_before(const compress::LoopTree& tree, std::uint32_t item) {
  std::vector<std::uint32_t> out;
  const auto add = [&](const auto& self, std::uint32_t in) -> void {
    if (tree.items[in].site != compress::LoopTree::kBody) out.push_back(in);
    for (const std::uint32_t inner : tree.items[in].body | std::views::reverse) self(self, inner);
  };
  for (; item != 0; item = tree.items[item].parent) {
    const auto& around = tree.items[tree.items[item].parent].body;
    for (std::uint32_t i = tree.items[item].position; i-- > 0;) add(add, around[i]);
  }
  return out;
}

// The calls before an item that make requests, the closest first.
std::vector<Maker> makers_before(std::uint32_t item, const SlotView& view, const TripsLaws& trips,
                                 const std::vector<bool>& repeated,
                                 const std::vector<SampledRequest>& samples,
                                 const LawSearch& search) {
  const Aligned& inputs = view.inputs();
  constexpr std::uint32_t kMakesRequests = trace::traits::kNonblocking | trace::traits::kPersistent;
  std::vector<Maker> out;
  const std::vector<std::uint32_t> own = chain_to(inputs.tree, item);
  for (const std::uint32_t before : calls_before(inputs.tree, item)) {
    if (out.size() == kMostMakers) break;
    const trace::FunctionId function = inputs.sites[inputs.tree.items[before].site].function;
    if ((trace::function(function).traits & kMakesRequests) == 0) continue;
    const std::vector<std::uint32_t> chain = chain_to(inputs.tree, before);
    const auto fork = std::ranges::mismatch(chain, own).in1;
    auto times =
        executions_within(chain, static_cast<std::size_t>(fork - chain.begin()), trips, repeated);
    if (!times) break;
    auto numbers = numbers_of(*times, samples, view, search);
    if (!numbers) break;
    out.push_back({function, std::move(*times), std::move(*numbers)});
  }
  return out;
}

// Their sum, in which equal terms are factors: 2 * ((x0 > 0) + (x1 > 0)).
Expr sum_of(std::span<const Expr> terms) {
  std::vector<std::pair<Expr, std::int64_t>> times;  // each term once
  for (const Expr& e : terms) {
    const auto same = std::ranges::find(times, e, &std::pair<Expr, std::int64_t>::first);
    if (same == times.end()) {
      times.emplace_back(e, 1);
    } else {
      ++same->second;
    }
  }
  std::map<std::int64_t, Expr, std::greater<>> sums;  // of those that occur so often
  for (const auto& [e, n] : times) {
    const auto [sum, is_new] = sums.try_emplace(n, e);
    if (!is_new) sum->second = sum->second + e;
  }
  Expr out = 0;
  for (const auto& [n, sum] : sums) out = out + Expr(n) * sum;
  return expr::simplify(out);
}

// Calls that made requests, in a row: those of one function, or all.
class Row {
 public:
  // `makers`: the closest to the call first.
  Row(std::vector<Maker> makers, const std::vector<SampledRequest>& samples, Column column)
      : makers_(std::move(makers)), samples_(samples), column_(column) {
    before_.emplace_back(samples.size(), 0);
    for (const Maker& m : makers_) {
      before_.push_back(before_.back());
      for (std::size_t s = 0; s < samples.size(); ++s) before_.back()[s] += m.numbers[s];
    }
    has_null_ = std::ranges::any_of(
        samples_, [](const SampledRequest& s) { return s.value == trace::kNull; });
  }

  // A stretch that explains all samples.
  struct Stretch {
    NumberLaw law;
    std::vector<NumberLaw> sums;  // that it consists of
  };

  std::vector<Stretch> stretches() const {
    std::vector<Stretch> out;
    for (std::size_t last = 0; last < makers_.size(); ++last) {
      // A request has one maker.
      const std::size_t least = column_ == Column::request ? last : 0;
      for (std::size_t first = last + 1; first-- > least;) {
        if (!explains(first, last)) continue;
        if (auto stretch = stretch_of(first, last)) out.push_back(std::move(*stretch));
        // Where no element is null it does not matter how long a stretch is.
        if (column_ == Column::elements && !has_null_) break;
      }
    }
    return out;
  }

 private:
  // What a sample has if its requests are those of the makers from `first` to `last`, of which the
  // last is the oldest.
  std::int64_t value_of(std::size_t first, std::size_t last, std::size_t s) const {
    const std::int64_t younger = before_[first][s], all = before_[last + 1][s];
    if (column_ == Column::count) return all - younger;
    if (column_ == Column::request) return all > younger ? younger : trace::kNull;
    const std::int64_t index = index_of(samples_[s]);
    return index < all - younger ? all - 1 - index : trace::kNull;
  }

  bool explains(std::size_t first, std::size_t last) const {
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      if (value_of(first, last, s) != samples_[s].value) return false;
    }
    return true;
  }

  // Nothing if the makers are on different grids.
  std::optional<Stretch> stretch_of(std::size_t first, std::size_t last) const {
    JoinedLaw joined;
    std::vector<Expr> terms;
    for (std::size_t i = last + 1; i-- > 0;) {
      if (!joined.take(makers_[i].times)) return std::nullopt;
      terms.push_back(makers_[i].times.expression);
    }
    const std::span<const Expr> all_terms = terms, own_terms = all_terms.first(last + 1 - first);
    const Expr own = sum_of(own_terms), younger = sum_of(all_terms.subspan(own_terms.size()));
    const auto finish = [&](const Expr& e) { return joined.finish(expr::simplify(e)); };
    const Expr null(trace::kNull);
    if (column_ == Column::count) return Stretch{finish(own), {finish(own)}};
    if (column_ == Column::request) {
      if (!has_null_) return Stretch{finish(younger), {finish(younger)}};
      return Stretch{finish(Expr::conditional(own, younger, null)), {finish(younger), finish(own)}};
    }
    const Expr index = Expr::variable(expr::kElement), all = sum_of(all_terms);
    const Expr age = all - Expr(1) - index;
    if (!has_null_) return Stretch{finish(age), {finish(all)}};
    const Expr is_request = Expr::make(expr::Op::less, index, own);
    return Stretch{finish(Expr::conditional(is_request, age, null)), {finish(all), finish(own)}};
  }

  std::vector<Maker> makers_;
  const std::vector<SampledRequest>& samples_;
  Column column_;
  std::vector<std::vector<std::int64_t>> before_;  // [makers + 1 x samples] younger requests
  bool has_null_ = false;
};

}  // namespace

bool is_of_requests(const trace::Function& function, std::uint32_t column) {
  return column_of(function, column) != Column::other;
}

namespace {

// Where a loop completes all requests one by one, the oldest first, as many younger ones are
// pending as iterations remain.
std::optional<Law> law_of_trips_left(const SlotView& view,
                                     const std::vector<SampledRequest>& samples,
                                     const LawSearch& search) {
  const std::size_t loops = view.shape().loops.size();
  if (loops == 0) return std::nullopt;
  const bool is_left = std::ranges::all_of(samples, [loops](const SampledRequest& s) {
    return s.value == s.parameters[loops - 1] - 1 - s.parameters[2 * loops - 1];
  });
  if (!is_left) return std::nullopt;
  const Expr trips = Expr::variable(expr::trips_name(loops - 1));
  const Expr index = Expr::variable(expr::index_name(loops - 1));
  Law law{.form = Law::Form::indexed, .number = {.expression = trips - Expr(1) - index}};
  return explains(view, law, search) ? std::optional(std::move(law)) : std::nullopt;
}

}  // namespace

std::optional<Law> law_of_requests(const Slot& slot, const SlotView& view, const TripsLaws& trips,
                                   const std::vector<bool>& repeated, const LawSearch& search) {
  const Column column =
      column_of(trace::function(view.inputs().sites[slot.site].function), slot.column);
  const std::vector<SampledRequest> samples = samples_of(view);
  if (column == Column::elements && std::ranges::all_of(samples, is_of_newest)) {
    const Expr age = Expr::variable(expr::kLength) - Expr(1) - Expr::variable(expr::kElement);
    Law newest{.form = Law::Form::indexed, .number = {.expression = age}};
    if (explains(view, newest, search)) return newest;
  }
  if (column == Column::request) {
    if (auto left = law_of_trips_left(view, samples, search)) return left;
  }
  const std::vector<Maker> makers =
      makers_before(slot.item, view, trips, repeated, samples, search);
  std::vector<std::vector<Maker>> rows{makers};
  std::set<trace::FunctionId> functions;
  for (const Maker& m : makers) functions.insert(m.function);
  for (const trace::FunctionId function : functions) {
    if (functions.size() == 1) break;
    rows.push_back(makers);
    std::erase_if(rows.back(), [&](const Maker& m) { return m.function != function; });
  }
  const auto differ = [&](const NumberLaw& a, const NumberLaw& b) {
    if (a.expression == b.expression) return false;
    const auto is_of_loop = [](const NumberLaw& law) {
      return uses(law.expression, {expr::LeafKind::index, expr::LeafKind::trips});
    };
    return is_of_loop(a) || is_of_loop(b) || !search.same_at_target(a, b);
  };
  std::optional<Row::Stretch> found;
  for (std::vector<Maker>& row : rows) {
    for (Row::Stretch& s : Row(std::move(row), samples, column).stretches()) {
      if (!explains(view, Law{.form = Law::Form::indexed, .number = s.law}, search)) continue;
      // The first stretch is the closest to the call.
      if (found && !std::ranges::equal(found->sums, s.sums, std::not_fn(differ))) {
        return std::nullopt;
      }
      if (!found) found = std::move(s);
    }
  }
  if (!found) return std::nullopt;
  return Law{.form = Law::Form::indexed, .number = std::move(found->law)};
}

}  // namespace reprise::extrapolate
