#include "scalable/world_samples.hpp"

#include <algorithm>
#include <limits>

#include "expr/program.hpp"
#include "infer/digits.hpp"
#include "program/laws/cost.hpp"
#include "trace/values/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;
using program::Program;

constexpr std::size_t kSmallest = 5;       // worlds that are the smallest of all
constexpr std::size_t kOthers = 5;         // that are spread over the numbers up to kMostRanks
constexpr std::int64_t kMostRanks = 1024;  // of a world
constexpr std::size_t kLeastWide = 2;      // worlds that tell a step
// With extents of at least three there is a rank between the borders, and a step forward is not the
// step back.
constexpr std::int64_t kLeastExtent = 3;
constexpr program::Bits kStepBits = 5;  // of a step along a dimension (program/laws/law.cpp)

std::vector<Expr> predicates_of(const Program& program) {
  std::vector<Expr> out;
  const auto add = [&](const Expr& x, const Expr& last) {
    out.push_back(Expr::make(Op::equal, x, Expr(0)));
    out.push_back(Expr::make(Op::greater, x, Expr(0)));
    out.push_back(Expr::make(Op::equal, x, last));
    out.push_back(Expr::make(Op::less, x, last));
    out.push_back(Expr::make(Op::equal, x % Expr(2), Expr(0)));
    out.push_back(Expr::make(Op::not_equal, x % Expr(2), Expr(0)));
  };
  for (std::size_t d = 0; program.grid && d < program.grid->dimensions(); ++d) {
    const std::string& prefix = program.grid->prefix;
    add(Expr::variable(prefix + std::string(program::coordinate(d))),
        Expr::variable(prefix + std::string(program::extent(d))) - Expr(1));
  }
  add(Expr::variable(expr::kRank), Expr::variable(expr::kRanks) - Expr(1));
  return out;
}

// The largest magnitude of ordinary numbers in it.
std::int64_t largest_constant(const Expr& e) {
  if (e.is_constant()) return trace::is_special(e.value()) ? 0 : std::abs(e.value());
  std::int64_t out = 0;
  for (const Expr& operand : e.operands()) out = std::max(out, largest_constant(operand));
  return out;
}

// The largest number that a variable is held against in a condition, or more: constants may be
// factors of each other, as in x / 4 < 10.
std::int64_t reach(const Expr& e) {
  if (e.is_constant()) return std::max<std::int64_t>(1, largest_constant(e));
  const bool is_joined = e.op() == Op::logical_and || e.op() == Op::logical_or;
  std::int64_t out = 1;
  for (const Expr& operand : e.operands()) {
    const std::int64_t here = reach(operand);
    if (is_joined) {
      out = std::max(out, here);
    } else if (__builtin_mul_overflow(out, here, &out)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return out;
}

std::vector<std::int64_t> extents_of(const program::Grid& grid, std::int64_t ranks) {
  auto out = grid.rule->extents(ranks).value_or(std::vector<std::int64_t>());
  std::int64_t all = 1;
  for (const std::int64_t d : out) all = d > 0 && all <= ranks ? all * d : 0;
  return all == ranks && out.size() == grid.dimensions() ? out : std::vector<std::int64_t>();
}

}  // namespace

WorldSamples::WorldSamples(const Program& program) : predicates_(predicates_of(program)) {
  names_ = {std::string(expr::kRank), std::string(expr::kRanks)};
  of_rank_ = {std::string(expr::kRank)};
  const auto add_names = [&](const program::Grid& g) {
    for (std::size_t d = 0; d < g.dimensions(); ++d) {
      of_rank_.push_back(g.prefix + std::string(program::coordinate(d)));
      names_.push_back(g.prefix + std::string(program::coordinate(d)));
      names_.push_back(g.prefix + std::string(program::extent(d)));
    }
  };
  if (program.grid) add_names(*program.grid);
  for (const program::Grid& g : program.other_grids) {
    if (!g.of_communicator) add_names(g);
  }
  dimensions_ = program.grid ? program.grid->dimensions() : 0;
  const program::Range& range = program.domain->ranks;
  most_ranks_ = range.most;
  const std::int64_t most = std::min(range.most, kMostRanks);
  std::vector<std::int64_t> numbers;
  for (auto n = range.numbers.next(range.least, most); n; n = range.numbers.next(*n + 1, most))
    numbers.push_back(*n);
  for (std::size_t k = 0; k < numbers.size() && k < kSmallest; ++k) add(numbers[k], program);
  if (numbers.size() <= kSmallest) return;
  const std::size_t rest = numbers.size() - kSmallest;
  const std::size_t others = std::min(rest, kOthers);
  for (std::size_t k = 1; k <= others; ++k)
    add(numbers[kSmallest + k * rest / others - 1], program);
}

void WorldSamples::add(std::int64_t ranks, const Program& program) {
  World out;
  out.ranks = ranks;
  std::vector<std::pair<const program::Grid*, std::vector<std::int64_t>>> grids;
  if (program.grid) {
    out.extents = extents_of(*program.grid, ranks);
    if (out.extents.empty()) return;
    out.is_wide = std::ranges::min(out.extents) >= kLeastExtent;
    grids.emplace_back(&*program.grid, out.extents);
  }
  for (const program::Grid& g : program.other_grids) {
    if (g.of_communicator) continue;
    grids.emplace_back(&g, extents_of(g, ranks));
    if (grids.back().second.empty()) return;
  }
  for (std::int64_t r = 0; r < ranks; ++r) {
    std::vector<std::int64_t> row = {r, ranks};
    for (const auto& [grid, extents] : grids) {
      std::int64_t rest = r;
      for (const std::int64_t d : extents) {
        row.push_back(rest % d);
        row.push_back(d);
        rest /= d;
      }
    }
    out.rows.push_back(std::move(row));
  }
  worlds_.push_back(std::move(out));
}

bool WorldSamples::knows(const Expr& e) const {
  if (worlds_.empty() || largest_constant(e) >= worlds_.back().ranks) return false;
  const auto used = expr::free_variables(e);
  return std::ranges::all_of(used, [&](const std::string& name) {
    return std::ranges::find(names_, name) != names_.end();
  });
}

WorldSamples::Selected WorldSamples::all() const {
  Selected out;
  for (const World& w : worlds_) {
    std::vector<std::int64_t>& ranks = out.ranks.emplace_back();
    for (std::int64_t r = 0; r < w.ranks; ++r) ranks.push_back(r);
  }
  return out;
}

std::optional<std::vector<bool>> WorldSamples::truth(const Expr& condition,
                                                     const Selected& on) const {
  const auto compiled = expr::Program::compile(condition, names_);
  if (!compiled) return std::nullopt;
  std::vector<bool> out;
  for (std::size_t w = 0; w < worlds_.size(); ++w) {
    for (const std::int64_t r : on.ranks[w]) {
      const auto value = compiled->run(worlds_[w].rows[static_cast<std::size_t>(r)]);
      if (!value) return std::nullopt;
      out.push_back(*value != 0);
    }
  }
  return out;
}

std::optional<WorldSamples::Selected> WorldSamples::among(const Selected& some,
                                                          const Expr& condition) const {
  const auto holds = truth(condition, some);
  if (!holds) return std::nullopt;
  Selected out;
  std::size_t at = 0;
  for (const auto& ranks : some.ranks) {
    std::vector<std::int64_t>& kept = out.ranks.emplace_back();
    for (const std::int64_t r : ranks) {
      if ((*holds)[at++]) kept.push_back(r);
    }
  }
  return out;
}

std::optional<program::Neighbor> WorldSamples::neighbor(const Expr& value,
                                                        const Selected& on) const {
  if (dimensions_ == 0 || !knows(value)) return std::nullopt;
  const auto compiled = expr::Program::compile(value, names_);
  if (!compiled) return std::nullopt;
  infer::Samples samples;
  std::size_t wide = 0;
  for (std::size_t w = 0; w < worlds_.size(); ++w) {
    if (on.ranks[w].empty()) continue;
    wide += worlds_[w].is_wide;
    infer::WorldSamples& out = samples.worlds.emplace_back();
    out.world = {worlds_[w].ranks, worlds_[w].extents};
    for (const std::int64_t r : on.ranks[w]) {
      const auto peer = compiled->run(worlds_[w].rows[static_cast<std::size_t>(r)]);
      if (!peer) return std::nullopt;
      out.samples.push_back({r, *peer, {}});
    }
  }
  if (wide < kLeastWide) return std::nullopt;
  const auto found = infer::find_digit_offsets(samples);
  if (found.empty()) return std::nullopt;
  const infer::DigitOffset& offset = found.front();
  program::Bits bits = 2;
  for (const std::int64_t step : offset.steps) {
    if (step != 0) bits += kStepBits + 2 * program::bits_of(step < 0 ? -step - 1 : step - 1);
  }
  if (bits > program::bits_of(value)) return std::nullopt;
  return program::Neighbor{offset.steps, offset.wraps, offset.has_borders};
}

bool WorldSamples::tells_beyond(const Expr& condition, const Selected& on) const {
  if (most_ranks_ <= worlds_.back().ranks) return true;
  if (on.ranks.back().empty()) return false;
  const std::int64_t held_against = reach(condition);
  if (held_against <= 1) return true;
  const auto used = expr::free_variables(condition);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!used.contains(names_[i])) continue;
    const auto most_in = [&](std::size_t w) {
      std::int64_t out = 0;
      for (const std::int64_t r : on.ranks[w])
        out = std::max(out, worlds_[w].rows[static_cast<std::size_t>(r)][i]);
      return out;
    };
    const std::int64_t most = most_in(worlds_.size() - 1);
    if (most >= held_against) continue;
    // One that is as large in the larger half of the worlds does not grow with them.
    for (std::size_t w = worlds_.size() / 2; w < worlds_.size(); ++w) {
      if (most_in(w) != most) return false;
    }
  }
  return true;
}

Expr WorldSamples::shortest(const Expr& condition, const Selected& on) const {
  const auto used = expr::free_variables(condition);
  const bool is_of_rank = std::ranges::any_of(used, [&](const std::string& name) {
    return std::ranges::find(of_rank_, name) != of_rank_.end();
  });
  // What holds on all ranks or none holds from some number of ranks on, which worlds do not tell.
  if (!is_of_rank || !knows(condition) || !tells_beyond(condition, on)) return condition;
  const auto wanted = truth(condition, on);
  if (!wanted) return condition;
  if (std::ranges::all_of(*wanted, [](bool b) { return b; })) return Expr(1);
  Expr best = condition;
  // Of two that are as short, the one that a coordinate is held against its own extent in.
  program::Bits least = program::bits_of(condition) + 1;
  const auto offer = [&](const Expr& e, const std::vector<bool>& holds) {
    const program::Bits bits = program::bits_of(e);
    if (bits >= least || holds != *wanted) return;
    least = bits;
    best = e;
  };
  std::vector<std::pair<Expr, std::vector<bool>>> known;
  for (const Expr& p : predicates_) {
    if (auto holds = truth(p, on)) known.emplace_back(p, std::move(*holds));
  }
  for (const auto& [p, holds] : known) offer(p, holds);
  for (const auto& [p, holds] : known) {
    for (const auto& [q, also] : known) {
      if (&p >= &q) continue;
      std::vector<bool> both = holds, either = holds;
      for (std::size_t i = 0; i < both.size(); ++i) {
        both[i] = holds[i] && also[i];
        either[i] = holds[i] || also[i];
      }
      offer(Expr::make(Op::logical_and, p, q), both);
      offer(Expr::make(Op::logical_or, p, q), either);
    }
  }
  return best;
}

}  // namespace reprise::scalable
