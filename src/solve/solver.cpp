#include "solve/solver.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "expr/program.hpp"
#include "solve/description.hpp"
#include "solve/search.hpp"
#include "solve/table.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::size_t kRowsOfRun = 96;  // that the search looks at
// Values of a run that are few, and rows that the search looks at for each of these at least.
constexpr std::size_t kMostFewValues = 8, kRowsOfValue = 6;
constexpr int kRounds = 6;            // of rows that contradicted what was found
constexpr std::uint32_t kBorder = 8;  // [bits]: the end of an axis

bool is_constant(const Samples& samples) {
  return std::ranges::all_of(samples.values,
                             [&](std::int64_t v) { return v == samples.values.front(); });
}

class Evaluator {
 public:
  Evaluator(const Samples& samples, const Expr& law)
      : program_(expr::Program::compile(law, names(samples))) {}

  std::optional<std::int64_t> at(const std::vector<std::int64_t>& point) const {
    return program_ ? program_->run(point) : std::nullopt;
  }

 private:
  static std::vector<std::string> names(const Samples& samples) {
    std::vector<std::string> out;
    for (const Leaf& l : samples.leaves) out.push_back(l.name);
    return out;
  }

  Result<expr::Program> program_;
};

std::optional<std::size_t> first_contradiction(const Samples& samples, const Expr& law) {
  const Evaluator evaluator(samples, law);
  for (std::size_t i = 0; i < samples.values.size(); ++i) {
    if (evaluator.at(samples.points[i]) != samples.values[i]) return i;
  }
  return std::nullopt;
}

// A law without a value where it is wanted is none.
std::optional<std::vector<std::int64_t>> at_targets(const Samples& samples, const Expr& law) {
  const Evaluator evaluator(samples, law);
  std::vector<std::int64_t> out;
  for (const auto& target : samples.targets) {
    const auto v = evaluator.at(target);
    if (!v) return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

// The remainders of all divisions in a law.
void collect_remainders(const Expr& e, std::vector<Expr>& out) {
  if (e.op() == expr::Op::divide) out.push_back(e.operands()[0] % e.operands()[1]);
  for (const Expr& operand : e.operands()) collect_remainders(operand, out);
}

// Whether each of these numbers is 0 at all points.
bool are_zero(const Samples& samples, const std::vector<Expr>& numbers,
              const std::vector<std::vector<std::int64_t>>& points) {
  return std::ranges::all_of(numbers, [&](const Expr& number) {
    const Evaluator evaluator(samples, number);
    return std::ranges::all_of(points, [&](const auto& p) { return evaluator.at(p) == 0; });
  });
}

// Programs that divide without remainder on all runs are usually run on numbers that divide: if the
// first law does so, also where a law is wanted, those that have to round are left out. Returns
// these.
std::vector<Candidate> leave_out_rounded(const Samples& samples, std::vector<Candidate>& laws) {
  const auto rounds = [&](const Candidate& c) {
    std::vector<Expr> remainders;
    collect_remainders(c.law, remainders);
    return !are_zero(samples, remainders, samples.points) ||
           !are_zero(samples, remainders, samples.targets);
  };
  std::vector<Expr> first;
  collect_remainders(laws.front().law, first);
  if (first.empty() || rounds(laws.front())) return {};
  const auto rounded = std::ranges::stable_partition(laws, std::not_fn(rounds));
  std::vector<Candidate> out(rounded.begin(), rounded.end());
  laws.erase(rounded.begin(), rounded.end());
  return out;
}

// If the rows [begin, end) have few values, adds the first ones of each that has hardly any among
// those chosen: what one rank does in one iteration out of fifteen.
void add_rare_values(const Samples& samples, std::size_t begin, std::size_t end,
                     std::vector<std::size_t>& chosen) {
  std::map<std::int64_t, std::size_t> rows_of;
  for (std::size_t i = begin; i < end; ++i) {
    rows_of.try_emplace(samples.values[i]);
    if (rows_of.size() > kMostFewValues) return;
  }
  const auto first = std::ranges::lower_bound(chosen, begin);
  for (auto row = first; row != chosen.end(); ++row) ++rows_of[samples.values[*row]];
  const std::vector<std::size_t> before(first, chosen.end());
  for (std::size_t i = begin; i < end; ++i) {
    if (rows_of[samples.values[i]] >= kRowsOfValue || std::ranges::binary_search(before, i))
      continue;
    ++rows_of[samples.values[i]];
    chosen.push_back(i);
  }
  std::ranges::sort(chosen);
}

// Evenly from the samples of a run, in stretches, so that executions of one rank stay together.
std::vector<std::size_t> choose_rows(const Samples& samples) {
  std::vector<std::size_t> out;
  for (std::size_t begin = 0; begin < samples.runs.size();) {
    std::size_t end = begin;
    while (end < samples.runs.size() && samples.runs[end] == samples.runs[begin]) ++end;
    const std::size_t n = end - begin;
    constexpr std::size_t kStretch = 12;
    const std::size_t stretches = kRowsOfRun / kStretch;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t stretch = i / kStretch, all = (n + kStretch - 1) / kStretch;
      // Of all stretches, the first, the last and those evenly between.
      const bool is_chosen =
          n <= kRowsOfRun || stretch == 0 ||
          stretch * (stretches - 1) / (all - 1) != (stretch - 1) * (stretches - 1) / (all - 1);
      if (is_chosen) out.push_back(begin + i);
    }
    add_rare_values(samples, begin, end, out);
    begin = end;
  }
  return out;
}

// The laws that all samples have.
Findings find_all(const Samples& samples, const Vocabulary& vocabulary, const Bounds& bounds,
                  Effort& effort) {
  std::vector<std::size_t> rows = choose_rows(samples);
  for (int round = 0; round < kRounds; ++round) {
    const Table table(samples, rows);
    Findings found = search(table, vocabulary, bounds, effort);
    std::optional<std::size_t> contradiction;
    std::erase_if(found.laws, [&](const Candidate& c) {
      const auto here = first_contradiction(samples, c.law);
      if (here) contradiction = here;
      return here.has_value();
    });
    if (!contradiction || !found.laws.empty()) return found;
    rows.insert(std::ranges::lower_bound(rows, *contradiction), *contradiction);
  }
  return {.laws = {}, .is_complete = false};
}

// Whether a law is made of leaves that do not differ within runs. Others may be wanted on part of
// the target alone: places without a neighbor have no peer.
bool is_of_runs(const Samples& samples, const Expr& law) {
  const auto used = free_variables(law);
  for (std::size_t l = 0; l < samples.leaves.size(); ++l) {
    if (!used.contains(samples.leaves[l].name)) continue;
    for (std::size_t i = 1; i < samples.runs.size(); ++i) {
      const bool is_same_run = samples.runs[i] == samples.runs[i - 1];
      if (is_same_run && samples.points[i][l] != samples.points[i - 1][l]) return false;
    }
  }
  return true;
}

// With the laws alone that all samples follow.
Vocabulary what_fits(const Vocabulary& vocabulary, const Samples& samples) {
  Vocabulary out = vocabulary;
  out.laws.clear();
  for (const KnownLaw& known : vocabulary.laws) {
    if (!first_contradiction(samples, known.law)) out.laws.push_back(known);
  }
  return out;
}

// The values without those that others tell: of ranks that do not differ one stands for all.
std::vector<std::int64_t> telling_values(const Samples& samples) {
  std::vector<std::size_t> all(samples.values.size());
  std::iota(all.begin(), all.end(), 0);
  const Table table(samples, all);
  const Rows rows(all.begin(), all.end());
  std::vector<std::int64_t> out;
  for (const std::uint32_t row : table.distinct(rows, table.needed(rows, samples.values))) {
    out.push_back(samples.values[row]);
  }
  return out;
}

Samples without_largest_run(const Samples& samples) {
  Samples out = samples;
  while (!out.runs.empty() && out.runs.back() == samples.runs.back()) {
    out.runs.pop_back();
    out.points.pop_back();
    out.values.pop_back();
  }
  return out;
}

Outcome refuse(Refused why, std::vector<Law> found = {}) {
  return {.law = {}, .refused = why, .found = std::move(found)};
}

Law law_of(const Candidate& c) {
  return {.expression = c.law, .cost = c.cost, .divisions = c.divisions, .borders = c.borders};
}

// Finds the law of samples that differ, on two runs or more, and weighs it against them.
class Solver {
 public:
  Solver(const Samples& samples, const Vocabulary& known, Effort& effort, std::uint32_t longest)
      : samples_(samples),
        known_(known),
        effort_(effort),
        values_(telling_values(samples)),
        longest_(std::min(longest, longest_law(values_))),
        bits_(bits_of_values(values_)),
        runs_(std::set(samples.runs.begin(), samples.runs.end()).size()) {}

  Outcome run() {
    auto [found, is_complete] = find_all(samples_, what_fits(known_, samples_),
                                         {.longest = longest_, .sure = sure()}, effort_);
    std::erase_if(found, [&](const Candidate& c) { return !at_targets(samples_, c.law); });
    if (found.empty()) return refuse(is_complete ? Refused::no_law : Refused::too_hard);
    const auto rounded = leave_out_rounded(samples_, found);
    const Candidate& best = found.front();
    if (best.cost > bits_ || (is_hardly_shorter(best) && runs_ < 3)) {
      return refuse(Refused::too_long, {law_of(best)});
    }
    if (becomes_negative(best)) return refuse(Refused::negative, {law_of(best)});
    Outcome out{.law = law_of(best)};
    const auto here = at_targets(samples_, best.law);
    const auto rival = std::ranges::find_if(rounded, [&](const Candidate& c) {
      return c.cost <= best.cost + kDoubt && at_targets(samples_, c.law) != here;
    });
    if (rival != rounded.end()) out.law->rounded = rival->law;
    for (const Candidate& other : std::span(found).subspan(1)) {
      if (other.cost > best.cost + kDoubt) continue;
      if (at_targets(samples_, other.law) != here) {
        return refuse(Refused::rivals, {law_of(best), law_of(other)});
      }
      out.found.push_back(law_of(other));
    }
    if (!is_complete) return explains(std::move(out), best, {});
    return runs_ < 3 ? standing(std::move(out), Standing::explains) : confirm(std::move(out), best);
  }

 private:
  static Outcome standing(Outcome out, Standing standing) {
    out.law->standing = standing;
    return out;
  }

  // Laws up to this length do not fit the samples by chance [bits].
  std::uint32_t sure() const {
    return bits_ > kOverwhelming ? static_cast<std::uint32_t>(bits_ - kOverwhelming) : 0;
  }

  bool is_hardly_shorter(const Candidate& c) const { return c.cost + kDoubt > bits_; }

  bool becomes_negative(const Candidate& c) const {
    const auto is_negative = [](std::int64_t v) { return v < 0; };
    return is_of_runs(samples_, c.law) && std::ranges::none_of(samples_.values, is_negative) &&
           std::ranges::any_of(*at_targets(samples_, c.law), is_negative);
  }

  // What was found elsewhere stands as it does there.
  Standing standing_elsewhere(const Candidate& c) const {
    const auto same = std::ranges::find(known_.laws, c.law, &KnownLaw::law);
    return same == known_.laws.end() ? Standing::confirmed : same->standing;
  }

  // Whether it is the shortest without the largest run too.
  Outcome confirm(Outcome out, const Candidate& best) {
    const Samples fewer = without_largest_run(samples_);
    // What is hardly shorter was a rival without the largest run, which told them apart.
    const Bounds bounds{.longest = std::max(best.cost, kDoubt + 1) - kDoubt - 1,
                        .rivals = 0,
                        .sure = best.cost <= sure() ? kLongestLaw : 0};
    const auto [shorter, is_complete] = find_all(fewer, what_fits(known_, fewer), bounds, effort_);
    if (shorter.empty() && is_complete) return standing(std::move(out), standing_elsewhere(best));
    // A law that predicts no run has to be clearly shorter than the samples.
    if (is_hardly_shorter(best)) return refuse(Refused::too_long, {law_of(best)});
    // What is a constant without the largest run says nothing of how it goes on.
    if (is_constant(fewer) && best.cost <= kBorder) {
      return standing(std::move(out), Standing::explains);
    }
    return explains(std::move(out), best, shorter);
  }

  // Of a law that is not sure to be the shortest: it has to be far shorter than the samples.
  Outcome explains(Outcome out, const Candidate& best,
                   const std::vector<Candidate>& shorter) const {
    if (bits_ >= best.cost + kOverwhelming) return standing(std::move(out), Standing::explains);
    if (shorter.empty()) return refuse(Refused::too_hard);
    return refuse(Refused::not_predicted, {law_of(best), law_of(shorter.front())});
  }

  const Samples& samples_;
  const Vocabulary& known_;
  Effort& effort_;
  std::vector<std::int64_t> values_;  // those that tell
  std::uint32_t longest_;
  double bits_;  // of the samples
  std::size_t runs_;
};

}  // namespace

Outcome solve(const Samples& samples, const Vocabulary& vocabulary) {
  Effort effort;
  return solve(samples, vocabulary, effort);
}

Outcome solve(const Samples& samples, const Vocabulary& known, Effort& effort,
              std::uint32_t longest) {
  if (samples.values.empty()) return {};
  if (is_constant(samples)) return {.law = Law{.expression = samples.values.front(), .cost = 4}};
  if (samples.runs.front() == samples.runs.back()) return refuse(Refused::too_few_runs);
  const auto is_large = [](std::int64_t v) { return v > kLargestValue || v < -kLargestValue; };
  const bool has_large = std::ranges::any_of(samples.values, is_large);
  if (has_large || samples.leaves.size() > kMostLeaves) return refuse(Refused::no_law);
  return Solver(samples, known, effort, longest).run();
}

}  // namespace reprise::solve
