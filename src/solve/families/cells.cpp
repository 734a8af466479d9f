// Sums over the cells of a multi-partition: each rank of a square grid of d x d has d cells, on a
// diagonal of a cube of d x d x d, and their sizes are shares at coordinates that move from cell to
// cell. (J. Bruno and P. Cappello, Implementing the beam and warming method on the hypercube,
// 1988.)
#include <algorithm>

#include "expr/simplify.hpp"
#include "solve/division.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::int64_t kMostThings = 512;  // sought one by one
constexpr std::size_t kStepsOfCells = 8;   // of the first row, where most numbers end
constexpr std::uint32_t kCells = 32;       // [bits]: the family, two of seven coordinates
// Of cells that move otherwise than those of confirmed laws [bits]: in a program all move alike.
constexpr std::uint32_t kOtherMoves = 12;

// A coordinate of the k-th cell.
struct Place {
  std::size_t coordinate = 0;  // a leaf; unused if it is the cell's number alone
  int of_rank = 0;             // whether the coordinate is in it
  int step = 0;                // with each cell: -1, 0, 1
  bool is_other = false;       // moves, and not as others are known to
};

// Which cells count.
enum class Part : std::uint8_t { all, but_first, but_last };

class CellsFinder {
 public:
  CellsFinder(const View& view, const Axis& x, const Axis& y, Reductions& out)
      : view_(view), extent_(x.extent), out_(out) {
    places_ = {{0, 0, 1}};
    for (const Axis& a : {x, y}) {
      for (const int step : {0, 1, -1}) places_.push_back({a.coordinate, 1, step});
    }
    const std::vector<Expr>& moves = view.moves();
    const Expr d = Expr::variable(view.table().leaves()[extent_].name), k = Expr::variable("k");
    for (Place& p : places_) {
      if (p.of_rank == 0 || p.step == 0 || moves.empty()) continue;
      p.is_other = std::ranges::find(moves, expr::simplify(place(p, k, d))) == moves.end();
    }
  }

  void run() {
    const std::size_t rows = view_.goal().values.size();
    for (std::size_t i = 0; i < rows; ++i) {
      if (view_.goal().values[i] < 0) return;
    }
    for (const std::int64_t n : view_.numbers()) {
      if (n > 0 && n <= kMostThings) try_number(n);
    }
    // A program has few grids of things: where one is known, others would fit by chance.
    if (!view_.things().empty()) return;
    for (std::int64_t n = 2; n <= kMostThings; ++n) {
      if (!view_.numbers().contains(n)) try_number(n);
    }
  }

 private:
  std::int64_t at(const Place& p, std::int64_t k, std::size_t row) const {
    const std::int64_t d = view_.leaf(extent_, row);
    const std::int64_t x = p.of_rank != 0 ? view_.leaf(p.coordinate, row) : 0;
    return (x + p.step * k + d) % d;
  }

  std::int64_t sum(std::int64_t n, const Place& a, const Place* b, Part part, const Place& of,
                   std::size_t row) const {
    const std::int64_t d = view_.leaf(extent_, row);
    std::int64_t out = 0;
    for (std::int64_t k = 0; k < d; ++k) {
      if (part != Part::all && at(of, k, row) == (part == Part::but_first ? 0 : d - 1)) continue;
      const std::int64_t size = share(Division::remainder_first, n, at(a, k, row), d);
      out += b == nullptr ? size : size * share(Division::remainder_first, n, at(*b, k, row), d);
    }
    return out;
  }

  void try_number(std::int64_t n) {
    for (std::size_t a = 0; a < places_.size(); ++a) {
      for (std::size_t b = a; b <= places_.size(); ++b) {
        const Place* second = b < places_.size() ? &places_[b] : nullptr;
        try_part(n, places_[a], second, Part::all, places_[0]);
        for (const Place& of : places_) {
          if (of.step == 0) continue;
          try_part(n, places_[a], second, Part::but_first, of);
          try_part(n, places_[a], second, Part::but_last, of);
        }
      }
    }
  }

  void try_part(std::int64_t n, const Place& a, const Place* b, Part part, const Place& of) {
    if (!view_.take(kStepsOfCells)) return;
    const Column& v = view_.goal().values;
    // a * sum: the factor from the first row.
    const std::int64_t first = sum(n, a, b, part, of, 0);
    if (first == 0 || v[0] % first != 0) return;
    const std::int64_t factor = v[0] / first;
    if (factor == 0) return;
    for (std::size_t i = v.size(); i-- > 1;) {
      if (less_product(v[i], factor, sum(n, a, b, part, of, i)) != 0) return;
    }
    const bool is_other =
        a.is_other || (b != nullptr && b->is_other) || (part != Part::all && of.is_other);
    const std::uint32_t cost = kCells + view_.cost_of_things(n) + (part == Part::all ? 0 : 5) +
                               (is_other ? kOtherMoves : 0);
    out_.push_back({hole(0) * expression(n, a, b, part, of),
                    cost,
                    is_known(view_.numbers(), n) ? 0U : 1U,
                    {{view_.goal().rows, Column(v.size(), factor)}},
                    bit(Division::remainder_first)});
  }

  Expr place(const Place& p, const Expr& k, const Expr& d) const {
    if (p.of_rank == 0) return k;
    const Expr x = Expr::variable(view_.table().leaves()[p.coordinate].name);
    if (p.step == 0) return x;
    return (p.step > 0 ? x + k : x - k) % d;
  }

  Expr expression(std::int64_t n, const Place& a, const Place* b, Part part,
                  const Place& of) const {
    const Expr d = Expr::variable(view_.table().leaves()[extent_].name), k = Expr::variable("k");
    const auto size = [&](const Place& p) {
      return share(Division::remainder_first, Expr(n), place(p, k, d), d);
    };
    Expr term = b == nullptr ? size(a) : size(a) * size(*b);
    if (part != Part::all) {
      const Expr border = part == Part::but_first ? Expr(0) : d - Expr(1);
      term = Expr::make(Op::not_equal, place(of, k, d), border) * term;
    }
    return Expr::sum(k, d, term);
  }

  const View& view_;
  std::size_t extent_;
  std::vector<Place> places_;
  Reductions& out_;
};

}  // namespace

void cells(const View& view, Reductions& out) {
  const Table& table = view.table();
  std::vector<Axis> grid;
  for (const Axis& a : table.axes()) {
    if (table.leaves()[a.coordinate].kind == LeafKind::coordinate) grid.push_back(a);
  }
  if (grid.size() != 2 || table.leaf(grid[0].extent) != table.leaf(grid[1].extent)) return;
  if ((view.goal().leaves & ~(bit(grid[0].coordinate) | bit(grid[1].coordinate))) != 0) return;
  CellsFinder(view, grid[0], grid[1], out).run();
}

}  // namespace reprise::solve
