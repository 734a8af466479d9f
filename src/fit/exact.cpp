#include "fit/exact.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/print.hpp"
#include "expr/program.hpp"
#include "fit/families.hpp"

namespace reprise::fit {
namespace {

using expr::Expr;

constexpr std::int64_t kLargest = std::int64_t{1} << 61;

bool is_constant(const ExactSamples& samples) {
  return std::all_of(samples.values.begin(), samples.values.end(),
                     [&](std::int64_t v) { return v == samples.values[0]; });
}

// A variable that never varied and has another value at a target: nothing can be known about its
// part in the law.
std::optional<std::string> unseen_variable(const ExactSamples& samples) {
  for (std::size_t i = 0; i < samples.variables.size(); ++i) {
    const auto differs = [&](const auto& point) { return point[i] != samples.points[0][i]; };
    if (std::none_of(samples.points.begin(), samples.points.end(), differs) &&
        std::any_of(samples.targets.begin(), samples.targets.end(), differs)) {
      return samples.variables[i];
    }
  }
  return std::nullopt;
}

// The values of a law at the targets; nothing where it has none.
std::optional<std::vector<std::int64_t>> predictions(const Expr& law, const ExactSamples& samples) {
  const auto program = expr::Program::compile(law, samples.variables);
  if (!program) return std::nullopt;
  std::vector<std::int64_t> out;
  for (const auto& target : samples.targets) {
    const auto v = program->run(target);
    if (!v) return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

bool explains(const Expr& law, const ExactSamples& samples) {
  const auto program = expr::Program::compile(law, samples.variables);
  for (std::size_t i = 0; i < samples.values.size(); ++i) {
    if (!program || program->run(samples.points[i]) != samples.values[i]) return false;
  }
  return true;
}

// How many equations the samples are at most: one for each entry, if they are a list by one
// variable.
std::size_t most_equations(const ExactSamples& samples) {
  std::size_t least = samples.values.size();
  if (is_constant(samples)) return least;
  for (std::size_t i = 0; i < samples.variables.size(); ++i) {
    std::map<std::int64_t, std::int64_t> list;
    bool tells = true;
    for (std::size_t s = 0; s < samples.values.size() && tells; ++s) {
      const auto [entry, is_new] = list.try_emplace(samples.points[s][i], samples.values[s]);
      tells = entry->second == samples.values[s];
    }
    if (tells) least = std::min(least, list.size());
  }
  return least;
}

// The samples that differ in the variables of a law: as many equations as it has to meet.
std::size_t equations(const Expr& law, const ExactSamples& samples) {
  const std::set<std::string> used = free_variables(law);
  std::set<std::vector<std::int64_t>> distinct;
  for (const auto& point : samples.points) {
    std::vector<std::int64_t> seen;
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (used.empty() || used.contains(samples.variables[i])) seen.push_back(point[i]);
    }
    distinct.insert(std::move(seen));
  }
  return distinct.size();
}

ExactLaw interpolating(const Candidate& candidate, unsigned constants) {
  return {Verdict::interpolating,
          candidate.law,
          constants,
          candidate.cost,
          {},
          "the samples are too few for a law with " + std::to_string(constants) +
              " constants, such as '" + print(candidate.law) + "'"};
}

// The cheapest law, unless another speaks against it.
ExactLaw choose(std::vector<Candidate> laws, unsigned constants, const ExactSamples& samples) {
  std::stable_sort(laws.begin(), laws.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  const Candidate first = laws[0];
  const std::size_t most = most_equations(samples);
  std::erase_if(laws, [&](const Candidate& c) {
    return !c.is_confirmed || std::min(most, equations(c.law, samples)) <= std::max(constants, 1U);
  });
  if (laws.empty()) return interpolating(first, constants);
  const Expr& law = laws[0].law;
  ExactLaw out{Verdict::determined, law, constants, laws[0].cost, {}, {}};
  const auto here = predictions(law, samples);
  for (std::size_t i = 1; i < laws.size() && laws[i].cost <= laws[0].cost + kDoubt; ++i) {
    const auto there = predictions(laws[i].law, samples);
    if (!there || there == here) continue;
    out.verdict = Verdict::ambiguous;
    out.runner_up = laws[i].law;
    out.refusal = "the samples do not tell '" + print(law) + "' from '" + print(laws[i].law) + "'";
    return out;
  }
  return out;
}

}  // namespace

ExactLaw fit_exact(const ExactSamples& samples) {
  ExactLaw refused{Verdict::unexplained, {}, 0, 0, {}, "no law explains the samples"};
  if (samples.values.empty()) return refused;
  if (const auto unseen = unseen_variable(samples); unseen && samples.values.size() > 1) {
    refused.refusal = "'" + *unseen + "' is the same in all samples and differs at a target";
    return refused;
  }
  if (is_constant(samples)) return choose({Candidate(samples.values[0])}, 1, samples);
  if (std::any_of(samples.values.begin(), samples.values.end(),
                  [](std::int64_t v) { return v > kLargest || v < -kLargest; })) {
    return refused;
  }
  const Families families(samples);
  for (unsigned constants = 0; constants <= kMostConstants; ++constants) {
    std::vector<Candidate> laws = families.laws(constants);
    std::erase_if(laws, [&](const Candidate& c) {
      return !explains(c.law, samples) || !predictions(c.law, samples);
    });
    if (laws.empty()) continue;
    ExactLaw chosen = choose(std::move(laws), constants, samples);
    // A law of more variables may yet have samples to spare.
    if (chosen.verdict != Verdict::interpolating) return chosen;
    if (refused.verdict == Verdict::unexplained) refused = std::move(chosen);
  }
  return refused;
}

}  // namespace reprise::fit
