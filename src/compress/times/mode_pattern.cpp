#include "compress/times/mode_pattern.hpp"

#include <algorithm>
#include <cmath>

#include "compress/times/mode_folder.hpp"

namespace reprise::compress {
namespace {

using trace::real;
using trace::Series;
using trace::Term;

// Modes that come in turns have at least so many runs for each term that tells of them.
constexpr double kRunsPerTerm = 2;
// Several streams have the same: so many on average.
constexpr std::uint64_t kStreamsPerClass = 2;
// [standard deviations]
constexpr double kFewRuns = 5;

std::size_t terms_in(const std::vector<Term>& terms) {
  std::size_t n = terms.size();
  for (const Term& t : terms) n += terms_in(t.body);
  return n;
}

}  // namespace

// `shift` is added to values. Of what moves from pass to pass, no more than there can be modes.
void RunsTest::Count::add(const std::vector<Term>& terms, std::int64_t shift,
                          const Passes& passes) {
  double executions = passes.executions;
  for (const Term& t : terms) {
    const double times =
        t.count == trace::kUnbounded ? std::max(1.0, executions / real(t.period)) : real(t.count);
    executions -= times * real(t.period);
    if (t.step == 0) {
      add_once(t, shift, passes.number, times);
      continue;
    }
    for (std::size_t i = 0; i < ModeFolder::kMaxModes && real(i) < times; ++i)
      add_once(t, trace::wrapping_add(shift, trace::wrapping_mul(t.step, i)), passes.number, 1);
  }
}

void RunsTest::Count::add_once(const Term& term, std::int64_t shift, double passes, double times) {
  if (!term.is_run()) return add(term.body, shift, {passes * times, real(term.period)});
  runs += passes;
  executions_of[trace::wrapping_add(term.value, shift)] += passes * times;
}

void RunsTest::add(const PathModes& modes) {
  for (const Series& s : modes.of_executions.classes) {
    Count count;
    count.add(s.terms(), 0, {1, real(modes.executions)});
    double n = 0, squares = 0, cubes = 0;
    for (const auto& [mode, k] : count.executions_of) {
      n += k;
      squares += k * k;
      cubes += k * k * k;
    }
    if (n < 2) continue;
    const double variance =
        (squares * (squares + n * (n + 1)) - 2 * n * cubes - n * n * n) / (n * n * (n - 1));
    runs_ += count.runs;
    expected_ += n + 1 - squares / n;
    variance_ += std::max(0.0, variance);
  }
}

bool RunsTest::are_few() const { return expected_ - runs_ > kFewRuns * std::sqrt(variance_); }

bool is_pattern(const PathModes& modes, std::uint64_t streams) {
  const std::vector<Series>& classes = modes.of_executions.classes;
  if (!classes.empty() && kStreamsPerClass * classes.size() <= streams) return true;
  RunsTest test;
  test.add(modes);
  double terms = 0;
  for (const Series& s : classes) terms += real(terms_in(s.terms()));
  return kRunsPerTerm * terms <= test.runs();
}

}  // namespace reprise::compress
