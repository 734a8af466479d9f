#include "program/laws/sequence.hpp"

#include <algorithm>
#include <map>
#include <numeric>
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
    if (is_condition) {
      offer_condition();
    } else {
      offer_lines();
      offer_periodic();
      offer_quotients();
      offer_rotations();
      offer_shifts(least_of_shift);
    }
    return best_;
  }

 private:
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

  // a + b (i % p), where the values come round twice at least.
  void offer_periodic() {
    if (indices().size() != 1) return;
    const Numbers& i = indices().front();
    for (std::uint64_t p = 2; p <= std::min<std::uint64_t>(kMostRemainder, v_.size() / 2); ++p) {
      const auto period = static_cast<std::int64_t>(p);
      const std::int64_t run = i[1] % period - i[0] % period;
      if (run == 0 || (v_[1] - v_[0]) % run != 0) continue;
      const std::int64_t step = (v_[1] - v_[0]) / run, first = v_[0] - step * (i[0] % period);
      bool fits = step != 0;
      for (std::size_t k = 0; k < v_.size() && fits; ++k)
        fits = v_[k] == first + step * (i[k] % period);
      if (!fits) continue;
      const Expr r = index(0) % Expr(period);
      if (step > 0) return offer(plus(scaled(r, step), first));
      return offer(Expr(first) - scaled(r, -step));
    }
  }

  // a + b (i / q), where iterations come in blocks of q.
  void offer_quotients() {
    if (indices().size() != 1) return;
    const Numbers& i = indices().front();
    if (i.front() < 0) return;
    for (std::int64_t q = 2; q <= std::min(kMostDivisor, i.back() / 2); ++q) {
      const std::int64_t blocks = i.back() / q - i.front() / q;
      if (blocks < 2 || (v_.back() - v_.front()) % blocks != 0) continue;
      const std::int64_t step = (v_.back() - v_.front()) / blocks;
      const std::int64_t first = v_.front() - step * (i.front() / q);
      bool fits = step != 0;
      for (std::size_t k = 0; k < v_.size() && fits; ++k) fits = v_[k] == first + step * (i[k] / q);
      if (!fits) continue;
      const Expr block = index(0) / Expr(q);
      if (step > 0) return offer(plus(scaled(block, step), first));
      return offer(Expr(first) - scaled(block, -step));
    }
  }

  // (i / q + c) % m, round a ring of m.
  void offer_rotations() {
    if (indices().size() != 1) return;
    const Numbers& i = indices().front();
    const std::int64_t m = *std::ranges::max_element(v_) + 1;
    const bool is_ring = m >= 3 && std::ranges::count(v_, 0) != 0 && i.front() >= 0 &&
                         std::cmp_less_equal(2 * m, v_.size());
    if (!is_ring) return;
    const auto last = i.back() / (m - 1);
    for (std::int64_t q = 1; q <= std::min(kMostDivisor, last); ++q) {
      const std::int64_t c = ((v_.front() - i.front() / q) % m + m) % m;
      bool fits = c != 0;
      for (std::size_t k = 0; k < v_.size() && fits; ++k) fits = v_[k] == (i[k] / q + c) % m;
      if (!fits) continue;
      const Expr block = q == 1 ? index(0) : index(0) / Expr(q);
      return offer((block + Expr(c)) % Expr(m));
    }
  }

  // c << i, c >> i: the levels of a multigrid cycle, the partners of a butterfly.
  void offer_shifts(std::size_t least) {
    if (indices().size() != 1 || v_.size() < least || v_.front() <= 0) return;
    const Numbers& i = indices().front();
    for (const Op op : {Op::shift_left, Op::shift_right}) {
      const Op opposite = op == Op::shift_left ? Op::shift_right : Op::shift_left;
      std::int64_t c = 0;
      if (expr::apply(opposite, v_.front(), i.front(), c) != expr::Fault::none || c <= 0) continue;
      bool fits = true;
      for (std::size_t k = 0; k < v_.size() && fits; ++k) {
        std::int64_t out = 0;
        fits = expr::apply(op, c, i[k], out) == expr::Fault::none && out == v_[k] && out > 0;
      }
      if (fits) offer(Expr::make(op, Expr(c), index(0)));
    }
  }

  // Of one index.
  void offer_condition() {
    for (std::size_t j = 0; j < indices().size(); ++j) {
      std::map<std::int64_t, std::int64_t> of;
      bool tells = true;
      for (std::size_t k = 0; k < v_.size() && tells; ++k)
        tells = of.try_emplace(indices()[j][k], v_[k]).first->second == v_[k];
      if (!tells) continue;
      Numbers in, out;
      for (const auto& [index, holds] : of) (holds ? in : out).push_back(index);
      if (in.empty() || out.empty()) continue;
      if (const auto e = predicate_of(index(j), in, out)) offer(*e);
    }
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
