#include "program/laws/sequence.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "analyze/text/series_text.hpp"
#include "expr/simplify.hpp"
#include "program/conditions/predicate.hpp"
#include "program/laws/line.hpp"
#include "program/laws/pieces.hpp"
#include "program/laws/scaled.hpp"
#include "trace/values/special.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint64_t kMostExecutions = 4096;  // values
constexpr std::uint64_t kMostRemainder = 16;     // of a remainder of an index
constexpr std::int64_t kMostDivisor = 256;       // of a quotient of an index
// Of an index that is divided: its products with numbers below kMostMagnitude fit 64 bits.
constexpr std::int64_t kMostIndex = std::int64_t{1} << 20;
// Any three values have a quotient with three constants.
constexpr std::size_t kLeastOfQuotient = 4;
// Values that make powers of two more than chance: of numbers, and of masks, which have few bits
// set anyway.
constexpr std::size_t kLeastOfShift = 4;
constexpr std::size_t kLeastOfMask = 3;
constexpr std::int64_t kMostMagnitude = std::int64_t{1} << 40;

using Numbers = std::vector<std::int64_t>;

Numbers values_of(const trace::Series& series, std::uint64_t n) {
  Numbers out;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) out.push_back(cursor.next());
  return out;
}

// A sum without parentheses.
Expr added(const Expr& a, const Expr& b) {
  if (b.op() == Op::add) return added(a, b.operands()[0]) + b.operands()[1];
  if (b.op() == Op::subtract) return added(a, b.operands()[0]) - b.operands()[1];
  return a + b;
}

class Search {
 public:
  Search(Numbers values, const Entry& entry) : v_(std::move(values)), entry_(entry) {}

  std::optional<Expr> run(bool is_condition, std::size_t least_of_shift) {
    const bool fits = std::ranges::all_of(
        v_, [](std::int64_t v) { return v > -kMostMagnitude && v < kMostMagnitude; });
    if (!fits || v_.size() < 2) return std::nullopt;
    if (!is_condition) offer_lines();
    for (std::size_t j = 0; j < indices().size(); ++j) {
      const auto here = over_index(j);
      if (!here) continue;
      if (is_condition) {
        offer_condition(*here);
        continue;
      }
      offer_periodic(*here);
      offer_quotients(*here);
      offer_rotations(*here);
      offer_shifts(*here, least_of_shift);
    }
    if (is_condition && !best_) {
      offer_joint_condition(Op::logical_and);
      offer_joint_condition(Op::logical_or);
    }
    return best_;
  }

 private:
  // The values as those of one index, each index once, in order.
  struct Points {
    Expr index;
    Numbers i, v;
  };

  // Nothing if the index alone does not determine the values.
  std::optional<Points> over_index(std::size_t inside) const {
    std::map<std::int64_t, std::int64_t> of;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      if (of.try_emplace(indices()[inside][k], v_[k]).first->second != v_[k]) return std::nullopt;
    }
    Points out{index(inside), {}, {}};
    for (const auto& [i, v] : of) {
      out.i.push_back(i);
      out.v.push_back(v);
    }
    return out.i.size() < 2 ? std::nullopt : std::optional(std::move(out));
  }

  // Of each loop inside, by value.
  const Indices& indices() const { return *entry_.indices; }
  Expr index(std::size_t inside) const { return Expr::variable(loop_index(entry_.scope + inside)); }
  void offer(const Expr& e) {
    if (!best_ || bits_of(e) < bits_of(*best_)) best_ = e;
  }

  // a + b0 i0 + b1 i1 + .., or several of these, by the iterations of one loop.
  void offer_lines() {
    std::vector<std::size_t> all(v_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (const auto line = line_through(v_, indices(), all)) {
      // Any two numbers lie on a line.
      if (v_.size() == 2 && !are_steps(v_[0], v_[1] - v_[0])) return;
      const bool is_any = std::ranges::any_of(line->slopes, [](auto slope) { return slope != 0; });
      if (is_any) offer(expression_of(*line, entry_.scope));
    } else if (indices().size() > 1) {
      if (const auto law = law_in_pieces(v_, indices(), entry_.scope)) offer(*law);
    }
  }

  // first + step * part.
  void offer_steps(const Expr& part, std::int64_t first, std::int64_t step) {
    offer(step > 0 ? plus(scaled(part, step), first) : Expr(first) - scaled(part, -step));
  }

  // a + b (i % p), where the values come round twice at least.
  void offer_periodic(const Points& at) {
    const auto& [index, i, v] = at;
    for (std::uint64_t p = 2; p <= std::min<std::uint64_t>(kMostRemainder, v.size() / 2); ++p) {
      const auto period = static_cast<std::int64_t>(p);
      const std::int64_t run = i[1] % period - i[0] % period;
      if (run == 0 || (v[1] - v[0]) % run != 0) continue;
      const std::int64_t step = (v[1] - v[0]) / run, first = v[0] - step * (i[0] % period);
      bool fits = step != 0;
      for (std::size_t k = 0; k < v.size() && fits; ++k)
        fits = v[k] == first + step * (i[k] % period);
      if (fits) return offer_steps(index % Expr(period), first, step);
    }
  }

  // a + b (i / q), where iterations come in blocks of q.
  void offer_quotients(const Points& at) {
    const auto& [index, i, v] = at;
    if (i.front() < 0 || i.back() > kMostIndex || v.size() < kLeastOfQuotient) return;
    for (std::int64_t q = 2; q <= std::min(kMostDivisor, i.back() / 2); ++q) {
      const std::int64_t blocks = i.back() / q - i.front() / q;
      if (blocks < 2 || (v.back() - v.front()) % blocks != 0) continue;
      const std::int64_t step = (v.back() - v.front()) / blocks;
      const std::int64_t first = v.front() - step * (i.front() / q);
      bool fits = step != 0;
      for (std::size_t k = 0; k < v.size() && fits; ++k) fits = v[k] == first + step * (i[k] / q);
      if (fits) return offer_steps(index / Expr(q), first, step);
    }
  }

  // (i / q + c) % m: every rank of a ring of m in turn, each for q iterations.
  void offer_rotations(const Points& at) {
    const auto& [index, i, v] = at;
    const std::int64_t m = *std::ranges::max_element(v) + 1;
    const bool is_ring = m >= 3 && std::ranges::count(v, 0) != 0 && i.front() >= 0 &&
                         std::cmp_less_equal(2 * m, v.size());
    if (!is_ring) return;
    const std::int64_t last = i.back() / (m - 1);
    for (std::int64_t q = 1; q <= std::min(kMostDivisor, last); ++q) {
      const std::int64_t c = ((v.front() - i.front() / q) % m + m) % m;
      bool fits = c != 0;
      for (std::size_t k = 0; k < v.size() && fits; ++k) fits = v[k] == (i[k] / q + c) % m;
      if (!fits) continue;
      const Expr block = q == 1 ? index : index / Expr(q);
      return offer((block + Expr(c)) % Expr(m));
    }
  }

  // c << i, c >> i: the levels of a multigrid cycle, the partners of a butterfly; c << (i - k), and
  // 0 before it: the sizes of a benchmark's messages.
  void offer_shifts(const Points& at, std::size_t least) {
    const auto& [index, i, v] = at;
    const std::size_t begin = v.front() == 0 ? 1 : 0;
    if (v.size() < least + begin || v[begin] <= 0) return;
    const std::int64_t from = i[begin];
    for (const Op op : {Op::shift_left, Op::shift_right}) {
      const Op opposite = op == Op::shift_left ? Op::shift_right : Op::shift_left;
      bool fits = true;
      for (std::size_t k = begin; k < v.size() && fits; ++k) {
        std::int64_t out = 0;
        fits = expr::apply(op, v[begin], i[k] - from, out) == expr::Fault::none && out == v[k] &&
               out > 0;
      }
      if (!fits) continue;
      std::int64_t c = 0, back = 0;
      const bool is_from_zero = expr::apply(opposite, v[begin], from, c) == expr::Fault::none &&
                                c > 0 && expr::apply(op, c, from, back) == expr::Fault::none &&
                                back == v[begin];
      const Expr shifted = is_from_zero ? Expr::make(op, Expr(c), index)
                                        : Expr::make(op, Expr(v[begin]), plus(index, -from));
      if (begin == 0) return offer(shifted);
      const Expr is_first = Expr::make(Op::equal, index, Expr(i.front()));
      return offer(Expr::conditional(is_first, Expr(0), shifted));
    }
  }

  // Of one index.
  void offer_condition(const Points& at) {
    Numbers in, out;
    for (std::size_t k = 0; k < at.i.size(); ++k) (at.v[k] != 0 ? in : out).push_back(at.i[k]);
    if (in.empty() || out.empty()) return;
    if (const auto e = predicate_of(at.index, in, out)) offer(*e);
  }

  // i == 3 && j == 5, or i > 0 || j > 0: a condition that holds, or fails, exactly where each index
  // is in a set of its own. Cost: O(values x loops x log values).
  void offer_joint_condition(Op op) {
    const bool is_sought = op == Op::logical_and;
    std::vector<std::set<std::int64_t>> of(indices().size());
    for (std::size_t k = 0; k < v_.size(); ++k) {
      if ((v_[k] != 0) != is_sought) continue;
      for (std::size_t j = 0; j < of.size(); ++j) of[j].insert(indices()[j][k]);
    }
    for (std::size_t k = 0; k < v_.size(); ++k) {
      bool is_among = true;
      for (std::size_t j = 0; j < of.size(); ++j) is_among &= of[j].contains(indices()[j][k]);
      if (is_among != ((v_[k] != 0) == is_sought)) return;
    }
    std::optional<Expr> joint;
    for (std::size_t j = 0; j < of.size(); ++j) {
      const std::set<std::int64_t> all(indices()[j].begin(), indices()[j].end());
      if (all == of[j]) continue;
      if (of[j].empty()) return;  // all values are the same
      Numbers among(of[j].begin(), of[j].end()), others;
      std::ranges::set_difference(all, of[j], std::back_inserter(others));
      const auto here =
          is_sought ? predicate_of(index(j), among, others) : predicate_of(index(j), others, among);
      if (!here) return;
      joint = joint ? Expr::make(op, *joint, *here) : *here;
    }
    if (joint) offer(*joint);
  }

  Numbers v_;
  const Entry& entry_;
  std::optional<Expr> best_;
};

bool is_only(const std::vector<trace::Term>& terms, std::int64_t value) {
  return std::ranges::all_of(terms, [&](const trace::Term& t) {
    if (t.step != 0 && t.count != 1) return false;
    return t.is_run() ? t.value == value : is_only(t.body, value);
  });
}

}  // namespace

std::optional<std::int64_t> only_value(const trace::Series& series, std::uint64_t n) {
  if (series.is_constant() || n <= 1) return series.at(0);
  const std::int64_t first = series.at(0);
  if (is_only(analyze::first_terms(series, n), first)) return first;
  return std::nullopt;
}

std::optional<Expr> expression_over_index(Numbers values, Numbers indices, std::size_t loop) {
  const Entry entry{loop, values.size(), Indices{std::move(indices)}, {}};
  return Search(std::move(values), entry).run(false, kLeastOfShift);
}

ExplainedSeries explain_series(const trace::Series& series, const Entry& entry,
                               trace::Encoding encoding, Meaning meaning,
                               std::optional<std::int64_t> world) {
  const bool is_condition = meaning == Meaning::condition;
  Sequence table{analyze::refolded(series, entry.executions),
                 entry.executions,
                 entry.scope,
                 false,
                 encoding,
                 entry.by_loop()};
  Bits bits = kTableBits + bits_of(trace::Series(analyze::first_terms(series, entry.executions)));
  // What is written relative to the rank is read with the rank in each place.
  if (encoding != trace::Encoding::absolute) {
    const Op op = encoding == trace::Encoding::relative ? Op::add : Op::bit_xor;
    bits += bits_of(Expr::make(op, Expr::variable(expr::kRank), Expr(0)));
  }
  const bool may_search = entry.indices && entry.executions <= kMostExecutions &&
                          meaning != Meaning::name && !entry.indices->empty();
  if (!may_search) return {std::move(table), bits};
  Numbers values = values_of(series, entry.executions);
  const bool is_mask = encoding == trace::Encoding::exclusive_or;
  // Some ranks are written as themselves.
  const bool is_written = encoding != trace::Encoding::absolute;
  const std::int64_t most = world.value_or(is_mask ? kMostMagnitude : 0);
  const bool is_plain = std::ranges::all_of(values, [&](auto v) { return v >= 0 && v < most; });
  if (is_written && !is_plain) return {std::move(table), bits};
  auto found =
      Search(std::move(values), entry).run(is_condition, is_mask ? kLeastOfMask : kLeastOfShift);
  if (found && is_written) {
    const Expr rank = Expr::variable(world ? expr::kRank : kCommRank);
    // A sum of masks means nothing.
    const bool is_shift = found->op() == Op::shift_left || found->op() == Op::shift_right;
    if (is_mask && !is_shift) return {std::move(table), bits};
    found = is_mask ? Expr::make(Op::bit_xor, rank, *found)
                    : added(rank, *found) % Expr::variable(expr::kRanks);
  }
  if (found && (bits_of(*found) < bits || is_condition)) return {*found, bits_of(*found)};
  return {std::move(table), bits};
}

}  // namespace reprise::program
