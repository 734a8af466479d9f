#include "program/sequence.hpp"

#include <algorithm>

#include "analyze/series_text.hpp"
#include "expr/simplify.hpp"
#include "program/predicate.hpp"
#include "trace/special.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::uint64_t kMostLooked = 4096;  // values
constexpr std::uint64_t kMostPeriod = 16;    // of a remainder of an index
constexpr std::size_t kLeastOfShift = 4;     // values that make powers of two more than chance
constexpr std::int64_t kMostMagnitude = std::int64_t{1} << 40;

using Numbers = std::vector<std::int64_t>;

Numbers values_of(const trace::Series& series, std::uint64_t n) {
  Numbers out;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) out.push_back(cursor.next());
  return out;
}

Expr plus(const Expr& e, std::int64_t c) { return c < 0 ? e - Expr(-c) : c == 0 ? e : e + Expr(c); }

Expr times(const Expr& e, std::int64_t c) { return c == 1 ? e : e * Expr(c); }

class Search {
 public:
  Search(Numbers values, const Entry& entry) : v_(std::move(values)), entry_(entry) {}

  std::optional<Expr> run(bool is_condition) {
    const bool fits = std::ranges::all_of(
        v_, [](std::int64_t v) { return v > -kMostMagnitude && v < kMostMagnitude; });
    if (!fits || v_.size() < 2) return std::nullopt;
    if (is_condition) {
      offer_condition();
    } else {
      offer_linear();
      offer_periodic();
      offer_shifts();
    }
    return best_;
  }

 private:
  const std::vector<std::uint64_t>& radices() const { return *entry_.radices; }
  Expr index(std::size_t inside) const { return Expr::variable(loop_index(entry_.scope + inside)); }
  void offer(const Expr& e) {
    if (!best_ || bits_of(e) < bits_of(*best_)) best_ = e;
  }

  // a + b0 i0 + b1 i1 + ..
  void offer_linear() {
    const std::size_t n = radices().size();
    std::vector<std::int64_t> slope(n, 0);
    std::uint64_t stride = 1;
    std::vector<std::uint64_t> strides(n);
    for (std::size_t j = n; j-- > 0;) {
      strides[j] = stride;
      if (stride < v_.size() && radices()[j] > 1)
        slope[j] = v_[static_cast<std::size_t>(stride)] - v_.front();
      stride *= std::max<std::uint64_t>(1, radices()[j]);
      if (stride > kMostLooked) stride = kMostLooked;
    }
    for (std::size_t k = 0; k < v_.size(); ++k) {
      std::int64_t sum = v_.front();
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint64_t digit = k / strides[j];
        sum += slope[j] * static_cast<std::int64_t>(j == 0 ? digit : digit % radices()[j]);
      }
      if (sum != v_[k]) return;
    }
    std::optional<Expr> out;
    for (std::size_t j = 0; j < n; ++j) {
      if (slope[j] == 0) continue;
      const std::int64_t a = slope[j] < 0 ? -slope[j] : slope[j];
      const Expr term = times(index(j), a);
      if (!out) {
        out = slope[j] < 0 ? Expr(v_.front()) - term : term;
        if (slope[j] > 0 && v_.front() != 0) out = plus(*out, v_.front());
      } else {
        out = slope[j] < 0 ? *out - term : *out + term;
      }
    }
    if (out) offer(*out);
  }

  // a + b (i % p), where the values come round twice at least.
  void offer_periodic() {
    if (radices().size() != 1) return;
    for (std::uint64_t p = 2; p <= std::min<std::uint64_t>(kMostPeriod, v_.size() / 2); ++p) {
      const std::int64_t step = v_[1] - v_[0];
      bool fits = step != 0;
      for (std::size_t k = 0; k < v_.size() && fits; ++k)
        fits = v_[k] == v_[0] + step * static_cast<std::int64_t>(k % p);
      if (!fits) continue;
      const Expr r = index(0) % Expr(static_cast<std::int64_t>(p));
      if (step > 0) return offer(plus(times(r, step), v_[0]));
      return offer(Expr(v_[0]) - times(r, -step));
    }
  }

  // c << i, c >> i: the levels of a multigrid cycle.
  void offer_shifts() {
    if (radices().size() != 1 || v_.size() < kLeastOfShift) return;
    for (const Op op : {Op::shift_left, Op::shift_right}) {
      bool fits = v_.front() > 0;
      for (std::size_t k = 0; k < v_.size() && fits; ++k) {
        std::int64_t out = 0;
        fits =
            expr::apply(op, v_.front(), static_cast<std::int64_t>(k), out) == expr::Fault::none &&
            out == v_[k] && out > 0;
      }
      if (fits) offer(Expr::make(op, Expr(v_.front()), index(0)));
    }
  }

  // Of one index.
  void offer_condition() {
    const std::vector<std::uint64_t>& r = radices();
    std::uint64_t stride = 1;
    for (std::size_t j = r.size(); j-- > 0;) {
      Numbers in, out;
      const std::uint64_t radix = j == 0 ? v_.size() : r[j];
      std::vector<std::int8_t> of(static_cast<std::size_t>(radix), -1);
      bool tells = radix > 1;
      for (std::size_t k = 0; k < v_.size() && tells; ++k) {
        std::int8_t& known = of[static_cast<std::size_t>(k / stride % radix)];
        tells = known < 0 || known == v_[k];
        known = static_cast<std::int8_t>(v_[k]);
      }
      stride *= std::max<std::uint64_t>(1, r[j]);
      if (!tells) continue;
      for (std::size_t d = 0; d < of.size(); ++d) {
        if (of[d] >= 0) (of[d] ? in : out).push_back(static_cast<std::int64_t>(d));
      }
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

ExplainedSeries explain_series(const trace::Series& series, const Entry& entry,
                               trace::Encoding encoding, Meaning meaning) {
  const bool is_condition = meaning == Meaning::condition;
  Sequence table{analyze::refolded(series, entry.executions), entry.executions, entry.scope, false,
                 encoding};
  const Bits bits =
      kTableBits + bits_of(trace::Series(analyze::first_terms(series, entry.executions)));
  const bool may_search = entry.radices && entry.executions <= kMostLooked &&
                          encoding == trace::Encoding::absolute && meaning != Meaning::name &&
                          !entry.radices->empty();
  if (may_search) {
    const auto found = Search(values_of(series, entry.executions), entry).run(is_condition);
    if (found && (bits_of(*found) < bits || is_condition)) return {*found, bits_of(*found)};
  }
  return {std::move(table), bits};
}

}  // namespace reprise::program
