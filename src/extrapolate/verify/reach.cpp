#include "extrapolate/verify/reach.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "expr/leaf.hpp"
#include "expr/print.hpp"
#include "infer/evaluator.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kFar = 2;  // times the largest input

// The values of parts of a law that ranks do not differ in: on the inputs, and at the target.
class Values {
 public:
  // Nothing has a value if the grid does not exist somewhere.
  Values(const Scalable& program, const std::optional<std::size_t>& grid, std::int64_t ranks) {
    const auto add = [&](const std::optional<infer::World>& world,
                         const std::vector<expr::Binding>& sizes) {
      if (world) places_.push_back({*world, sizes});
    };
    const bool has_sizes = !program.problem.empty();
    for (std::size_t run = 0; run < program.ranks.size(); ++run) {
      add(program.grids.world(program.ranks[run], grid),
          has_sizes ? program.problem.bindings_in(run) : std::vector<expr::Binding>{});
    }
    add(program.grids.target(ranks, grid),
        has_sizes ? program.problem.bindings_wanted() : std::vector<expr::Binding>{});
    if (places_.size() != program.ranks.size() + 1) places_.clear();
  }

  // The target's is the last. Nothing if a value is missing, or is of a rank or an iteration.
  std::optional<std::vector<std::int64_t>> of(const Expr& e) const {
    for (const std::string& name : free_variables(e)) {
      if (!is_of_all_ranks(name)) return std::nullopt;
    }
    std::vector<std::int64_t> out;
    for (const Place& place : places_) {
      auto evaluator =
          infer::Evaluator::make(substitute(e, place.sizes), place.world.extents.size());
      const auto value = evaluator ? evaluator->at(0, place.world) : std::nullopt;
      if (!value) return std::nullopt;
      out.push_back(*value);
    }
    if (out.empty()) return std::nullopt;
    return out;
  }

 private:
  struct Place {
    infer::World world;
    std::vector<expr::Binding> sizes;
  };

  // The number of ranks, an extent, or a declared size.
  bool is_of_all_ranks(const std::string& name) const {
    if (places_.empty()) return false;
    if (name == expr::kRanks) return true;
    for (std::size_t d = 0; d < places_.front().world.extents.size(); ++d) {
      if (name == expr::extent_name(d)) return true;
    }
    return std::ranges::find(places_.front().sizes, name, &expr::Binding::name) !=
           places_.front().sizes.end();
  }

  std::vector<Place> places_;
};

// Whether it grows with the ranks, by its variables.
bool is_of_ranks(const Expr& e) {
  for (const std::string& name : free_variables(e)) {
    if (name == expr::kRanks) return true;
    for (std::size_t d = 0; d < expr::kMaxDimensions; ++d) {
      if (name == expr::extent_name(d)) return true;
    }
  }
  return false;
}

class Thresholds {
 public:
  Thresholds(const Values& values, std::int64_t ranks) : values_(values), ranks_(ranks) {}

  std::vector<std::string> take() { return std::move(found_); }

  // Only what the law needs at the target is looked at, as far as that is known.
  void look_at(const Expr& e) {
    const std::span<const Expr> all = e.operands();
    if (e.op() == Op::divide) look_at_share(e);
    if (e.op() == Op::minimum || e.op() == Op::maximum) {
      look_at_side(e);
    } else if (const auto condition =
                   e.op() == Op::conditional ? values_.of(all[0]) : std::nullopt) {
      look_at_condition(e, *condition);
      look_at(all[condition->back() != 0 ? 1 : 2]);
    } else {
      for (const Expr& operand : all) look_at(operand);
    }
  }

 private:
  void look_at_share(const Expr& e) {
    if (!is_of_ranks(e.operands()[1])) return;
    const auto values = values_.of(e);
    if (!values) return;
    const std::int64_t least = *std::min_element(values->begin(), values->end() - 1);
    if (values->back() > 1 || values->back() < 0 || least < 2) return look_at_remainder(e);
    found_.push_back(fmt::format("{} is {} or more on all inputs, and {} on {} ranks", print(e),
                                 least, values->back(), ranks_));
  }

  // A program that divided without a remainder on all inputs may treat one differently.
  void look_at_remainder(const Expr& e) {
    const auto rests = values_.of(e.operands()[0] % e.operands()[1]);
    if (!rests || rests->back() == 0) return;
    if (std::any_of(rests->begin(), rests->end() - 1, [](std::int64_t r) { return r != 0; }))
      return;
    found_.push_back(fmt::format("{} leaves no remainder on all inputs, and {} on {} ranks",
                                 print(e), rests->back(), ranks_));
  }

  // Which of the two it is: 0 if they are equal.
  static int side(std::int64_t a, std::int64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

  void look_at_side(const Expr& e) {
    const std::span<const Expr> all = e.operands();
    const auto one = values_.of(all[0]), other = values_.of(all[1]);
    const int wanted = one && other ? side(one->back(), other->back()) : 0;
    if (wanted == 0) {
      for (const Expr& operand : all) look_at(operand);
      return;
    }
    const Expr& chosen = all[(wanted < 0) == (e.op() == Op::minimum) ? 0 : 1];
    look_at(chosen);
    for (std::size_t i = 0; i + 1 < one->size(); ++i) {
      const int here = side((*one)[i], (*other)[i]);
      if (here == wanted || here == 0) return;
    }
    found_.push_back(fmt::format("{} comes to be {}, as on no input, on {} ranks", print(e),
                                 print(chosen), ranks_));
  }

  void look_at_condition(const Expr& e, const std::vector<std::int64_t>& values) {
    const bool wanted = values.back() != 0;
    const bool is_seen = std::any_of(values.begin(), values.end() - 1,
                                     [wanted](std::int64_t v) { return (v != 0) == wanted; });
    if (is_seen) return;
    found_.push_back(fmt::format("{} is {} on all inputs, and {} on {} ranks",
                                 print(e.operands()[0]), wanted ? "false" : "true",
                                 wanted ? "true" : "false", ranks_));
  }

  const Values& values_;
  std::int64_t ranks_;
  std::vector<std::string> found_;
};

std::int64_t largest_of(std::span<const std::int64_t> inputs) {
  return inputs.empty() ? 0 : *std::ranges::max_element(inputs);
}

}  // namespace

std::vector<std::string> thresholds_in(const NumberLaw& law, const Scalable& program,
                                       std::int64_t ranks) {
  if (law.expression.is_constant() || ranks <= largest_of(program.ranks)) return {};
  const Values values(program, law.grid, ranks);
  Thresholds thresholds(values, ranks);
  thresholds.look_at(law.expression);
  std::vector<std::string> out = thresholds.take();
  if (law.rounded) {
    out.push_back(
        fmt::format("{} divides without remainder on all inputs and on {} ranks; {}, which fits as "
                    "well, rounds",
                    print(law.expression), ranks, print(*law.rounded)));
  }
  return out;
}

std::vector<Threshold> find_thresholds(const Scalable& program,
                                       std::span<const trace::Trace> traces, std::int64_t ranks) {
  std::vector<Threshold> out;
  std::set<std::string> told;
  for (const Parameter& p : program.parameters) {
    if (p.law.local) continue;  // its ranks are those of a communicator
    const auto look_at = [&](const NumberLaw& law) {
      for (std::string& what : thresholds_in(law, program, ranks)) {
        if (!told.insert(what).second) continue;
        out.push_back({name_of(p.slot, program.tree, program.sites, traces), std::move(what)});
      }
    };
    look_at(p.law.number);
    for_each_number(p.law.terms, look_at);
  }
  return out;
}

bool is_far(std::span<const std::int64_t> inputs, std::int64_t ranks) {
  const std::int64_t largest = largest_of(inputs);
  return largest > 0 && ranks / kFar >= largest && ranks > kFar * largest;
}

std::string times_the_largest(std::span<const std::int64_t> inputs, std::int64_t ranks) {
  const std::int64_t largest = largest_of(inputs);
  if (largest == 0) return "";
  if (ranks % largest == 0 || ranks / largest >= 10)
    return fmt::format("{} times", ranks / largest);
  return fmt::format("{:.1f} times", static_cast<double>(ranks) / static_cast<double>(largest));
}

std::string describe_origin(std::span<const std::int64_t> inputs, std::int64_t ranks,
                            const std::string& program) {
  std::string out = fmt::format("extrapolated from {} ranks", fmt::join(inputs, ", "));
  if (is_far(inputs, ranks)) {
    out += fmt::format(" to {} the largest, where no trace confirms it",
                       times_the_largest(inputs, ranks));
  }
  if (program.empty()) return out;
  return out + fmt::format("; on {}: {}", largest_of(inputs), program);
}

}  // namespace reprise::extrapolate
