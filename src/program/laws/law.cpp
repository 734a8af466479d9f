#include "program/laws/law.hpp"

#include <algorithm>
#include <bit>

#include "expr/simplify.hpp"
#include "infer/digits.hpp"
#include "program/laws/scaled.hpp"
#include "trace/values/special.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kMostMagnitude = std::int64_t{1}
                                        << 40;  // of numbers that laws are fitted to

// a x + b, as a person writes it.
Expr linear(const Expr& x, std::int64_t a, std::int64_t b) {
  if (a == -1) return Expr(b) - x;
  if (a < 0 && b >= 0)
    return b == 0 ? expr::simplify(Expr(0) - scaled(x, -a)) : Expr(b) - scaled(x, -a);
  const Expr product = scaled(x, a);
  if (b == 0) return product;
  return b < 0 ? product - Expr(-b) : product + Expr(b);
}

class Fitter {
 public:
  Fitter(const Space& space, const std::vector<Sample>& samples, const NumberOptions& options)
      : space_(space), samples_(samples), options_(options) {}

  std::optional<Law> run() {
    const bool fits = std::ranges::all_of(samples_, [](const Sample& s) {
      return s.value > -kMostMagnitude && s.value < kMostMagnitude;
    });
    const std::int64_t first = samples_.front().value;
    std::optional<std::int64_t> second;
    has_two_values_ = true;
    for (const Sample& s : samples_) {
      if (s.value == first) continue;
      if (second && *second != s.value) has_two_values_ = false;
      second = s.value;
    }
    if (options_.is_peer && options_.is_world) offer_neighbors();
    if (!fits) return std::move(best_);
    if (options_.places) offer_local();
    for (const Leaf& leaf : space_.plain()) offer_linear(leaf.expression, values(leaf));
    for (const Leaf& leaf : space_.derived()) offer_linear(leaf.expression, values(leaf));
    offer_sum_of_coordinates();
    if (options_.is_peer) offer_moves();
    return std::move(best_);
  }

 private:
  using Numbers = std::vector<std::int64_t>;

  void offer(Content content, Bits bits) {
    if (best_ && bits >= best_->bits) return;
    best_ = Law{std::move(content), bits};
  }
  void offer(const Expr& e) { offer(e, bits_of(e)); }

  Numbers values(const Leaf& leaf) const {
    Numbers out;
    for (const Sample& s : samples_) out.push_back(leaf.of(s.stream));
    return out;
  }

  void offer_linear(const Expr& e, const Numbers& x) {
    const auto other = std::ranges::find_if(x, [&](std::int64_t v) { return v != x.front(); });
    if (other == x.end()) return;
    const std::int64_t run = *other - x.front();
    const auto at = static_cast<std::size_t>(other - x.begin());
    const std::int64_t rise = samples_[at].value - samples_.front().value;
    if (rise == 0 || rise % run != 0) return;
    // Any two numbers lie on a line.
    const bool is_number = rise == run && samples_.front().value == x.front();
    const bool is_offset = options_.is_peer && (rise == run || rise == -run);
    if (has_two_values_ && !is_number && !is_offset) return;
    const std::int64_t a = rise / run, b = samples_.front().value - a * x.front();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (a * x[i] + b != samples_[i].value) return;
    }
    offer(linear(e, a, b));
  }

  // Over all coordinates at once: a transpose, a rank of another order.
  void offer_sum_of_coordinates() {
    const std::size_t n = space_.extents().size();
    if (n < 2) return;
    std::vector<Numbers> x;
    for (std::size_t d = 0; d < n; ++d) x.push_back(values(space_.plain()[d]));
    std::vector<std::optional<std::int64_t>> slope(n);
    for (std::size_t i = 1; i < samples_.size(); ++i) {
      std::optional<std::size_t> moved;
      bool single = true;
      for (std::size_t d = 0; d < n; ++d) {
        if (x[d][i] == x[d][i - 1]) continue;
        single = single && !moved;
        moved = d;
      }
      if (moved && single && !slope[*moved]) {
        const std::int64_t run = x[*moved][i] - x[*moved][i - 1];
        const std::int64_t rise = samples_[i].value - samples_[i - 1].value;
        if (rise % run != 0) return;
        slope[*moved] = rise / run;
      } else if (moved && !single && !slope[*moved]) {
        // The first of the next row: all lower coordinates are known by now.
        std::int64_t rest = samples_[i].value - samples_[i - 1].value;
        for (std::size_t d = 0; d < *moved; ++d) {
          if (x[d][i] != x[d][i - 1] && !slope[d]) return;
          rest -= slope[d].value_or(0) * (x[d][i] - x[d][i - 1]);
        }
        const std::int64_t run = x[*moved][i] - x[*moved][i - 1];
        if (rest % run != 0) return;
        slope[*moved] = rest / run;
      }
    }
    std::int64_t constant = samples_.front().value;
    for (std::size_t d = 0; d < n; ++d) constant -= slope[d].value_or(0) * x[d].front();
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      std::int64_t sum = constant;
      for (std::size_t d = 0; d < n; ++d) sum += slope[d].value_or(0) * x[d][i];
      if (sum != samples_[i].value) return;
    }
    std::optional<Expr> out;
    std::size_t terms = 0;
    for (std::size_t d = 0; d < n; ++d) {
      const std::int64_t a = slope[d].value_or(0);
      if (a == 0) continue;
      const Expr& c = space_.plain()[d].expression;
      ++terms;
      if (!out) {
        out = a < 0 ? Expr(constant) - (a == -1 ? c : c * Expr(-a)) : a == 1 ? c : c * Expr(a);
        if (a < 0) constant = 0;
      } else {
        const std::int64_t m = a < 0 ? -a : a;
        const Expr term = m == 1 ? c : c * Expr(m);
        out = a < 0 ? *out - term : *out + term;
      }
    }
    if (terms < 2) return;
    if (constant != 0) out = constant < 0 ? *out - Expr(-constant) : *out + Expr(constant);
    offer(expr::simplify(*out));
  }

  // In terms of the communicator of the call.
  void offer_local() {
    Numbers rank, size;
    for (const trace::Membership& m : *options_.places) {
      rank.push_back(m.rank);
      size.push_back(m.size);
    }
    offer_linear(Expr::variable(kCommRank), rank);
    offer_linear(Expr::variable(kCommSize), size);
    if (options_.is_peer)
      offer_shift(Expr::variable(kCommRank), Expr::variable(kCommSize), rank, size);
  }

  void offer_moves() {
    if (!options_.is_world) return;
    Numbers rank, size(samples_.size(), static_cast<std::int64_t>(space_.ranks()));
    for (const Sample& s : samples_) rank.push_back(space_.rank(s.stream));
    offer_shift(Expr::variable(expr::kRank), Expr::variable(expr::kRanks), rank, size);
    offer_exclusive_or(rank);
    offer_parent(rank);
  }

  // (rank + b) % ranks.
  void offer_shift(const Expr& rank, const Expr& ranks, const Numbers& r, const Numbers& n) {
    std::int64_t up = 0, down = 0;
    bool is_up = true, is_down = true;  // these have not been refuted
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const std::int64_t v = samples_[i].value;
      if (n[i] <= 0 || v < 0 || v >= n[i] || r[i] < 0 || r[i] >= n[i]) return;
      const std::int64_t forward = (v - r[i] + n[i]) % n[i], backward = (r[i] - v + n[i]) % n[i];
      if (i == 0) {
        up = forward;
        down = backward;
      }
      is_up = is_up && up == forward;
      is_down = is_down && down == backward;
      if (!is_up && !is_down) return;
    }
    if (is_up) offer((rank + Expr(up)) % ranks);
    if (is_down) offer((rank - Expr(down)) % ranks);
  }

  void offer_exclusive_or(const Numbers& rank) {
    const std::int64_t mask = samples_.front().value ^ rank.front();
    if (mask <= 0) return;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      if ((rank[i] ^ mask) != samples_[i].value) return;
    }
    offer(Expr::make(Op::bit_xor, Expr::variable(expr::kRank), Expr(mask)));
  }

  // The parent in a binomial tree with root 0: the rank without its lowest set bit.
  void offer_parent(const Numbers& rank) {
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      if (rank[i] == 0 || (rank[i] & (rank[i] - 1)) != samples_[i].value) return;
    }
    const Expr r = Expr::variable(expr::kRank);
    offer(Expr::make(expr::Op::bit_and, r, r - Expr(1)));
  }

  void offer_neighbors() {
    if (space_.extents().empty()) return;
    infer::WorldSamples world{{static_cast<std::int64_t>(space_.ranks()), space_.extents()}, {}};
    for (const Sample& s : samples_) world.samples.push_back({space_.rank(s.stream), s.value, {}});
    const auto found = infer::find_digit_offsets({{}, {std::move(world)}});
    if (found.empty()) return;
    // Of several that are as short the one that wraps least, then the one that steps towards higher
    // coordinates: with an extent of 2 a step forward is one back.
    const auto wraps = [](const infer::DigitOffset& o) {
      return std::ranges::count(o.wraps, true);
    };
    const infer::DigitOffset& offset = *std::ranges::min_element(found, {}, wraps);
    Bits bits = 2 + static_cast<Bits>(wraps(offset));
    for (const std::int64_t step : offset.steps) {
      if (step != 0) bits += 2 * bits_of(step < 0 ? -step - 1 : step - 1);
    }
    offer(Neighbor{offset.steps, offset.wraps, offset.has_borders}, bits);
  }

  const Space& space_;
  const std::vector<Sample>& samples_;
  const NumberOptions& options_;
  bool has_two_values_ = false;
  std::optional<Law> best_;
};

}  // namespace

std::optional<Law> law_of(const Space& space, const std::vector<Sample>& samples,
                          const NumberOptions& options) {
  return Fitter(space, samples, options).run();
}

}  // namespace reprise::program
