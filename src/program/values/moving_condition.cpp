#include "program/values/moving_condition.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "expr/program.hpp"
#include "program/conditions/predicate.hpp"
#include "program/laws/sequence.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

// Any two numbers lie on a line.
constexpr std::size_t kLeastKnown = 3;

// The least and the greatest number of some streams.
struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t v) {
    least = std::min(least, v);
    greatest = std::max(greatest, v);
  }
  bool is_empty() const { return least > greatest; }
  bool is_one() const { return least == greatest; }
};

// What numbers of streams are compared with in an iteration.
struct Bound {
  bool exists = true;
  std::optional<std::int64_t> number = {};  // none: the iteration does not tell
};

Bound bound_of(Op op, const Range& in, const Range& out) {
  switch (op) {
    case Op::equal:
      if (in.is_empty()) return {};
      return in.is_one() ? Bound{true, in.least} : Bound{false};
    case Op::not_equal:
      if (out.is_empty()) return {};
      return out.is_one() ? Bound{true, out.least} : Bound{false};
    case Op::greater:
      if (in.is_empty() || out.is_empty()) return {};
      return out.greatest < in.least ? Bound{true, out.greatest} : Bound{false};
    case Op::less:
      if (in.is_empty() || out.is_empty()) return {};
      return out.least > in.greatest ? Bound{true, out.least} : Bound{false};
    default: return {false};
  }
}

// Calls `visit(stream, is_in)` for each stream that executes an iteration; is_in: whether the
// condition holds there.
template <class Visit>
void for_each_stream(const Held& h, const Visit& visit) {
  auto some = h.some.begin();
  for (const std::uint64_t s : h.all) {
    const bool is_in = some != h.some.end() && *some == s;
    if (is_in) ++some;
    visit(s, is_in);
  }
}

bool holds(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return expr::apply(op, a, b, out) == expr::Fault::none && out != 0;
}

// Whether a comparison of the leaf with an expression of the loop's index is the condition.
bool separates(const Leaf& leaf, Op op, const Expr& bound, const std::vector<Held>& held,
               std::size_t loop) {
  const std::array<std::string, 1> index{loop_index(loop)};
  const auto program = expr::Program::compile(bound, index);
  if (!program) return false;
  bool fits = true;
  for (const Held& h : held) {
    const std::array<std::int64_t, 1> at{h.iteration};
    const auto number = program->run(at);
    if (!number) return false;
    for_each_stream(h, [&](std::uint64_t s, bool is_in) {
      fits = fits && holds(op, leaf.of(s), *number) == is_in;
    });
    if (!fits) return false;
  }
  return true;
}

void offer(const Leaf& leaf, Op op, const std::vector<Held>& held, std::size_t loop,
           Cheapest& cheapest) {
  std::vector<std::int64_t> numbers, iterations;
  for (const Held& h : held) {
    Range in, out;
    for_each_stream(h, [&](std::uint64_t s, bool is_in) { (is_in ? in : out).add(leaf.of(s)); });
    const Bound bound = bound_of(op, in, out);
    if (!bound.exists) return;
    if (!bound.number) continue;
    numbers.push_back(*bound.number);
    iterations.push_back(h.iteration);
  }
  if (numbers.size() < kLeastKnown) return;
  const auto bound = expression_over_index(std::move(numbers), std::move(iterations), loop);
  if (bound && separates(leaf, op, *bound, held, loop))
    cheapest.offer(Expr::make(op, leaf.expression, *bound));
}

}  // namespace

std::optional<Expr> moving_condition_of(const Space& space, const std::vector<Held>& held,
                                        std::size_t loop) {
  Cheapest cheapest;
  for (const auto* leaves : {&space.plain(), &space.derived()}) {
    for (const Leaf& leaf : *leaves) {
      for (const Op op : {Op::equal, Op::not_equal, Op::greater, Op::less})
        offer(leaf, op, held, loop, cheapest);
    }
  }
  return cheapest.get();
}

}  // namespace reprise::program
