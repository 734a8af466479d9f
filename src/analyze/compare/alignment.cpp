#include "analyze/compare/alignment.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace reprise::analyze {
namespace {

class Alignment {
 public:
  Alignment(std::span<const Sight> a, std::span<const Sight> b, std::size_t window)
      : a_(a),
        b_(b),
        rows_(std::min(window, a.size()) + 1),
        columns_(std::min(window, b.size()) + 1),
        distance_(rows_ * columns_, 0) {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) at(i, j) = nearest(i, j);
    }
  }

  Passed run() {
    Passed out;
    std::tuple<std::size_t, std::size_t, std::size_t> best;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        // Of equally good places the one that shifts least, and then the nearest.
        const std::tuple cost(at(i, j), i > j ? i - j : j - i, i + j);
        if (i + j == 0 || (out.agrees && cost >= best) || !agree(i, j)) continue;
        best = cost;
        out.agrees = true;
        out.a = i;
        out.b = j;
      }
    }
    if (!out.agrees) take_paired(out);
    count(out);
    return out;
  }

 private:
  std::size_t& at(std::size_t i, std::size_t j) { return distance_[i * columns_ + j]; }

  // Differences between the first i and the first j calls.
  std::size_t nearest(std::size_t i, std::size_t j) {
    if (i == 0 || j == 0) return i + j;
    return std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, paired(i, j)});
  }

  // The same if the last two of them are a pair.
  std::size_t paired(std::size_t i, std::size_t j) {
    const Sight &x = a_[i - 1], &y = b_[j - 1];
    if (x.identity != y.identity) return ~std::size_t{0};
    return at(i - 1, j - 1) + (x.contents != y.contents);
  }

  bool agree(std::size_t i, std::size_t j) const {
    for (std::size_t k = 0; k < kAgreement; ++k) {
      if (i + k >= a_.size() || j + k >= b_.size()) return i + k >= a_.size() && j + k >= b_.size();
      if (a_[i + k].contents != b_[j + k].contents) return false;
    }
    return true;
  }

  // All of one side and as much of the other as goes with it best, up to the last pair.
  void take_paired(Passed& out) {
    std::size_t i = rows_ - 1, j = columns_ - 1;
    const auto consider = [&](std::size_t r, std::size_t c) {
      if (std::pair(at(r, c), i + j) < std::pair(at(i, j), r + c)) std::tie(i, j) = std::pair(r, c);
    };
    for (std::size_t c = 0; c < columns_; ++c) consider(rows_ - 1, c);
    for (std::size_t r = 0; r < rows_; ++r) consider(r, columns_ - 1);
    while (i > 0 && j > 0 && at(i, j) != paired(i, j)) {
      at(i, j) == at(i - 1, j) + 1 ? --i : --j;
    }
    const bool none = i == 0 || j == 0;
    out.a = none ? rows_ - 1 : i;
    out.b = none ? columns_ - 1 : j;
  }

  // Walks back what at() found.
  void count(Passed& out) {
    for (std::size_t i = out.a, j = out.b; i > 0 || j > 0;) {
      if (i > 0 && j > 0 && at(i, j) == paired(i, j)) {
        out.changed += a_[i - 1].contents != b_[j - 1].contents;
        --i;
        --j;
      } else if (i > 0 && at(i, j) == at(i - 1, j) + 1) {
        ++out.only_a;
        --i;
      } else {
        ++out.only_b;
        --j;
      }
    }
  }

  std::span<const Sight> a_, b_;
  std::size_t rows_, columns_;
  std::vector<std::size_t> distance_;  // of the first i calls from the first j
};

}  // namespace

Passed align(std::span<const Sight> a, std::span<const Sight> b, std::size_t window) {
  return Alignment(a, b, window).run();
}

}  // namespace reprise::analyze
