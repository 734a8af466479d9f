#include "solve/solver.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "expr/program.hpp"
#include "solve/description.hpp"
#include "solve/search.hpp"
#include "solve/table.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

constexpr std::size_t kRowsOfRun = 96;  // that the search looks at
constexpr int kRounds = 6;              // of rows that contradicted what was found
constexpr std::uint32_t kDoubt = 6;     // a law so much longer may be the right one: 1 to 64 [bits]
constexpr std::uint32_t kBorder = 8;    // [bits]: the end of an axis
constexpr std::int64_t kLargest = std::int64_t{1}
                                  << 52;  // value: products of some fit into 64 bits
constexpr double kOverwhelming = 32;      // [bits] that a law is shorter than the samples

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
  Vocabulary out{.numbers = vocabulary.numbers, .conditions = vocabulary.conditions};
  for (const Expr& law : vocabulary.laws) {
    if (!first_contradiction(samples, law)) out.laws.push_back(law);
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

}  // namespace

Outcome solve(const Samples& samples, const Vocabulary& vocabulary) {
  Effort effort;
  return solve(samples, vocabulary, effort);
}

Outcome solve(const Samples& samples, const Vocabulary& known, Effort& effort,
              std::uint32_t longest) {
  if (samples.values.empty()) return {};
  if (is_constant(samples)) return {.law = Law{.expression = samples.values.front(), .cost = 4}};
  const std::size_t runs = std::set(samples.runs.begin(), samples.runs.end()).size();
  if (runs < 2) return {.law = {}, .refused = Refused::too_few_runs};
  const auto is_large = [](std::int64_t v) { return v > kLargest || v < -kLargest; };
  if (std::ranges::any_of(samples.values, is_large)) return {.law = {}, .refused = Refused::no_law};
  const double bits = bits_of_values(samples.values);
  const Vocabulary vocabulary = what_fits(known, samples);
  Bounds bounds;
  bounds.longest = std::min(longest, longest_law(samples.values));
  const auto [all, is_complete] = find_all(samples, vocabulary, bounds, effort);
  std::vector<Candidate> found = all;
  std::erase_if(found, [&](const Candidate& c) { return !at_targets(samples, c.law); });
  if (found.empty()) {
    return {.law = {}, .refused = effort.is_over() ? Refused::too_hard : Refused::no_law};
  }
  const Candidate& best = found.front();
  const Outcome too_long = {
      .law = {}, .refused = Refused::too_long, .found = {{best.law, best.cost}}};
  const bool is_hardly_shorter = best.cost + kDoubt > bits;
  if (best.cost > bits || (is_hardly_shorter && runs < 3)) return too_long;
  const auto here = at_targets(samples, best.law);
  const auto is_negative = [](std::int64_t v) { return v < 0; };
  if (is_of_runs(samples, best.law) && std::ranges::none_of(samples.values, is_negative) &&
      std::ranges::any_of(*here, is_negative)) {
    return {.law = {}, .refused = Refused::negative, .found = {{best.law, best.cost}}};
  }
  for (const Candidate& other : found) {
    if (other.cost > best.cost + kDoubt || at_targets(samples, other.law) == here) continue;
    return {.law = {},
            .refused = Refused::rivals,
            .found = {{best.law, best.cost}, {other.law, other.cost}}};
  }
  Outcome out{.law = Law{best.law, best.cost, Standing::confirmed}};
  for (const Candidate& other : found) {
    if (&other != &best && other.cost <= best.cost + kDoubt) {
      out.found.push_back({other.law, other.cost});
    }
  }
  const bool is_overwhelming = bits >= best.cost + kOverwhelming;
  if (!is_complete) {
    if (!is_overwhelming) return {.law = {}, .refused = Refused::too_hard};
    out.law->standing = Standing::explains;
    return out;
  }
  if (runs < 3) {
    out.law->standing = Standing::explains;
    return out;
  }
  const Samples fewer = without_largest_run(samples);
  // What is hardly shorter was a rival without the largest run, which told them apart.
  bounds.longest = std::max(best.cost, kDoubt + 1) - kDoubt - 1;
  bounds.rivals = 0;
  const Findings shorter = find_all(fewer, what_fits(known, fewer), bounds, effort);
  if (shorter.laws.empty() && shorter.is_complete) return out;
  // A law that predicts no run has to be clearly shorter than the samples.
  if (is_hardly_shorter) return too_long;
  out.law->standing = Standing::explains;
  // What is a constant without the largest run says nothing of how it goes on.
  if (is_overwhelming || (is_constant(fewer) && best.cost <= kBorder)) return out;
  if (shorter.laws.empty()) return {.law = {}, .refused = Refused::too_hard};
  const Candidate& other = shorter.laws.front();
  return {.law = {},
          .refused = Refused::not_predicted,
          .found = {{best.law, best.cost}, {other.law, other.cost}}};
}

}  // namespace reprise::solve
