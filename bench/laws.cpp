// How often the solver finds the law of a number: laws as programs have them, with drawn numbers,
// on drawn sets of runs, held against the law itself on a run that was held out.
//
//     laws_bench [SEED [LAWS]]
//
// Prints each law that is not found, and a line of counts. The exit status is 1 if a result is
// wrong.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "solve/solver.hpp"

namespace reprise {
namespace {

using solve::LeafKind;

struct Grid {
  std::int64_t columns = 0, rows = 0;

  std::int64_t ranks() const { return columns * rows; }
};

// A law, in which letters A to D stand for numbers that are drawn, and the trips of the loop that
// is around it.
struct Form {
  std::string_view law;
  std::string_view trips = "1";
};

constexpr Form kForms[] = {
    // Between runs.
    {"A * ranks + B"},
    {"A / ranks"},
    {"(A + ranks - 1) / ranks"},
    {"A / ranks * B"},
    {"A / ranks + B"},
    {"A / ranks / ranks"},
    {"A * d0 + B * d1"},
    {"A / d0 * B"},
    {"A / d0 * (B / d1)"},
    {"(A / d0 + 2) * (B / d1 + 2)"},
    {"A / d0 * (A / d1)"},
    {"A / d0 * (A / d1) * C"},
    {"log2(ranks) + C"},
    {"A * log2(ranks)"},
    {"ranks * (ranks - 1) / 2"},
    {"A * (d0 - 1)"},
    {"A * (d0 - 1) * (d1 - 1)"},
    {"A * ranks * ranks"},
    {"max(A / ranks, C)"},
    {"min(ranks, C)"},
    {"2 * (A / d0) + 2 * (B / d1)"},
    // Between ranks.
    {"(rank + 1) % ranks"},
    {"(rank + ranks - 1) % ranks"},
    {"(rank + C) % ranks"},
    {"ranks - 1 - rank"},
    {"rank / 2"},
    {"rank ^ 1"},
    {"(x0 + 1) % d0 + x1 * d0"},
    {"x0 + (x1 + 1) % d1 * d0"},
    {"x0 * d1 + x1"},
    {"x0 > 0"},
    {"x0 < d0 - 1"},
    {"x0 > 0 && x1 > 0"},
    {"(x0 > 0) + (x0 < d0 - 1) + (x1 > 0) + (x1 < d1 - 1)"},
    {"rank % 2 == 0"},
    {"rank == 0 ? A : B"},
    {"rank < ranks / 2"},
    {"rank < ranks / 2 ? A : B"},
    {"x1 == 0 ? A : B"},
    {"A * rank + B"},
    {"A + x0 * B"},
    {"A / ranks + (rank < A % ranks)"},
    {"B * (A / ranks + (rank < A % ranks))"},
    {"A / d0 + (x0 < A % d0)"},
    {"2 * (A / d0 + (x0 < A % d0) + 2)"},
    {"(A / d0 + (x0 < A % d0)) * (B / d1 + (x1 < B % d1))"},
    {"5 * (A / d0 + (x0 < A % d0)) * (A / d1 + (x1 < A % d1))"},
    {"A * (rank + 1) / ranks - A * rank / ranks"},
    {"A * rank / ranks"},
    {"A / d0 * x0 + min(x0, A % d0)"},
    {"A / d0 - (x0 == 0) - (x0 == d0 - 1)"},
    {"B + (x0 + x1) % d0"},
    // Between iterations.
    {"(rank + i0 + 1) % ranks", "ranks - 1"},
    {"(rank - i0 + ranks) % ranks", "ranks"},
    {"rank ^ (1 << i0)", "log2(ranks)"},
    {"A * (1 << i0)", "log2(ranks) + 1"},
    {"A >> i0", "log2(ranks) + 2"},
    {"A + i0", "d0"},
    {"A * i0 + B", "ranks"},
    {"A + B * i0 + x0", "d1"},
    {"i0 * i0 + C", "ranks"},
    {"i0 == 0 ? A : B", "ranks"},
    {"i0 == t0 - 1 ? A : B", "d0 + 1"},
    {"A / d0 + ((x0 - i0 + d0) % d0 < A % d0)", "d0"},
    {"rank < i0", "ranks"},
    {"A / ranks + (i0 < A % ranks)", "ranks"},
    {"(x0 + i0) % d0 + x1 * d0", "d0"},
    {"C * (i0 + 1) * (A / d0)", "5"},
};

// Squares, what is nearly square, columns and rows, powers of two: what users have.
const std::vector<std::vector<Grid>> kSets = {
    {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}},
    {{2, 2}, {3, 3}, {4, 4}, {5, 5}},
    {{2, 2}, {3, 3}, {4, 4}},
    {{2, 2}, {4, 2}, {4, 4}, {8, 4}},
    {{2, 2}, {4, 2}, {4, 4}, {8, 4}, {8, 8}},
    {{2, 1}, {2, 2}, {4, 2}, {4, 4}},
    {{2, 2}, {3, 2}, {3, 3}, {4, 3}},
    {{3, 2}, {4, 2}, {4, 3}, {5, 4}},
    {{2, 2}, {3, 2}, {4, 3}, {5, 4}, {6, 5}},
    {{5, 1}, {7, 1}, {9, 1}, {12, 1}},
};
const std::vector<Grid> kSquareTargets = {{7, 7}, {8, 8}, {10, 10}};
const std::vector<Grid> kPowerTargets = {{8, 8}, {16, 8}, {16, 16}};
const std::vector<Grid> kOtherTargets = {{6, 5}, {7, 6}, {8, 7}};

// Of the points where a law is wanted, so many are looked at.
constexpr std::size_t kMostTargets = 500;

const std::vector<std::string> kNames = {"rank", "ranks", "x0", "x1", "d0", "d1", "i0", "t0"};

std::string with_numbers(std::string_view form, const std::array<std::int64_t, 4>& numbers) {
  std::string out;
  for (const char c : form) {
    if (c >= 'A' && c <= 'D') {
      out += std::to_string(numbers[static_cast<std::size_t>(c - 'A')]);
    } else {
      out += c;
    }
  }
  return out;
}

expr::Program compiled(const std::string& text) {
  return *expr::Program::compile(*expr::parse(text), kNames);
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  // Sizes that users choose, round ones more often.
  std::int64_t size() {
    constexpr std::int64_t kRound[] = {24, 33, 36, 64, 100, 102, 128, 162, 256, 500, 1000, 1024};
    if (below(2) == 0) return kRound[below(std::size(kRound))];
    return 20 + static_cast<std::int64_t>(below(2000));
  }
  std::int64_t small() { return 2 + static_cast<std::int64_t>(below(8)); }

 private:
  std::mt19937_64 random_;
};

struct Question {
  std::string law;
  std::vector<Grid> runs;
  Grid target;
  solve::Samples samples;
};

// The points of a run: each rank, each iteration.
std::vector<std::vector<std::int64_t>> points(const Grid& g, const expr::Program& trips) {
  const std::int64_t t =
      *trips.run(std::vector<std::int64_t>{0, g.ranks(), 0, 0, g.columns, g.rows, 0, 0});
  std::vector<std::vector<std::int64_t>> out;
  for (std::int64_t r = 0; r < g.ranks(); ++r) {
    for (std::int64_t i = 0; i < t; ++i) {
      out.push_back({r, g.ranks(), r % g.columns, r / g.columns, g.columns, g.rows, i, t});
    }
  }
  return out;
}

Question draw(Draw& random) {
  const Form& form = kForms[random.below(std::size(kForms))];
  const std::size_t set = random.below(kSets.size());
  const auto& targets = set < 3 ? kSquareTargets : set < 6 ? kPowerTargets : kOtherTargets;
  Question q{with_numbers(form.law, {random.size(), random.size(), random.small(), 0}),
             kSets[set],
             targets[random.below(targets.size())],
             {}};
  if (set == kSets.size() - 1) q.target = {20, 1};
  q.samples.leaves = {{"rank", LeafKind::rank, 9},     {"ranks", LeafKind::ranks, 9},
                      {"x0", LeafKind::coordinate, 0}, {"x1", LeafKind::coordinate, 1},
                      {"d0", LeafKind::extent, 0},     {"d1", LeafKind::extent, 1},
                      {"i0", LeafKind::index, 0},      {"t0", LeafKind::trips, 0}};
  const expr::Program law = compiled(q.law), trips = compiled(std::string(form.trips));
  for (std::size_t run = 0; run < q.runs.size(); ++run) {
    for (auto& point : points(q.runs[run], trips)) {
      q.samples.values.push_back(law.run(point).value_or(0));
      q.samples.points.push_back(std::move(point));
      q.samples.runs.push_back(run);
    }
  }
  const auto all = points(q.target, trips);
  const std::size_t step = 1 + all.size() / kMostTargets;
  for (std::size_t i = 0; i < all.size(); i += step) q.samples.targets.push_back(all[i]);
  return q;
}

enum class Verdict : std::uint8_t { right, refused, wrong };

Verdict judge(const Question& q, const solve::Outcome& outcome) {
  if (!outcome.law) return Verdict::refused;
  const expr::Program truth = compiled(q.law);
  const auto found = expr::Program::compile(outcome.law->expression, kNames);
  for (const auto& at : q.samples.targets) {
    if (!found || found->run(at) != truth.run(at)) return Verdict::wrong;
  }
  return Verdict::right;
}

std::string runs_of(const Question& q) {
  std::string out;
  for (const Grid& g : q.runs) {
    out += std::to_string(g.columns) + "x" + std::to_string(g.rows) + " ";
  }
  return out + "to " + std::to_string(q.target.columns) + "x" + std::to_string(q.target.rows);
}

void report(const Question& q, const solve::Outcome& outcome, Verdict verdict) {
  if (verdict == Verdict::right) return;
  std::string found = outcome.law ? print(outcome.law->expression) : "";
  for (const solve::Law& law : outcome.found) found += "; " + print(law.expression);
  std::printf("%s %d: %s (%s): %s\n", verdict == Verdict::wrong ? "WRONG" : "refused",
              static_cast<int>(outcome.refused), q.law.c_str(), runs_of(q).c_str(), found.c_str());
}

// Processor time.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int run(std::uint64_t seed, std::size_t laws) {
  std::array<std::size_t, 3> counts{};
  double longest = 0;
  const double start = seconds();
  Draw random(seed);
  for (std::size_t n = 0; n < laws; ++n) {
    const Question q = draw(random);
    const double before = seconds();
    const solve::Outcome outcome = solve::solve(q.samples);
    longest = std::max(longest, seconds() - before);
    const Verdict verdict = judge(q, outcome);
    ++counts[static_cast<std::size_t>(verdict)];
    report(q, outcome, verdict);
  }
  std::printf("%zu right, %zu refused, %zu wrong; %.1f s, at most %.2f s\n", counts[0], counts[1],
              counts[2], seconds() - start, longest);
  return counts[2] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::size_t laws = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 300;
  return reprise::run(seed, laws);
}
