#include "solve/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <queue>
#include <string>
#include <unordered_map>

#include "base/hash.hpp"
#include "expr/simplify.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

// What is expected of a goal [bits]: a term for each leaf, or one between runs.
constexpr std::uint32_t kLeaf = 10, kRuns = 6;
// Reductions of one goal by one family that are followed, the most promising first.
constexpr std::size_t kMostReductions = 40;

// A law some of whose parts are sought still.
struct State {
  Expr form;                // over the holes "_goal0", "_goal1", ...
  std::vector<Goal> goals;  // of these holes in order
  std::vector<std::size_t> holes;
  std::size_t next_hole = 0;
  std::uint32_t cost = 0;  // of what is known [bits]
  // Constants that were chosen so that runs fit, and how many values these have. There have to be
  // more values than constants, and as many numbers of ranks and the like that tell them apart.
  unsigned constants = 0;
  std::size_t values = std::numeric_limits<std::size_t>::max();
  std::uint32_t least = 0;  // of the law, as far as that can be told [bits]

  bool operator<(const State& other) const { return least > other.least; }
};

Expr goal_variable(std::size_t k) { return Expr::variable("_goal" + std::to_string(k)); }

// 0 after a sum, and 1 before a product, are nothing.
std::uint32_t cost_of_constant(std::int64_t v) { return v == 0 || v == 1 ? 1 : 4 + bits_of(v); }

// 0 after a sum, 1 before a product.
bool is_chosen(std::int64_t v) { return v != 0 && v != 1; }

std::uint32_t expected(const Goal& goal) {
  if (goal.leaves != 0) return kLeaf * static_cast<std::uint32_t>(std::popcount(goal.leaves));
  return goal.is_constant() ? 0 : kRuns;
}

class Search {
 public:
  Search(const Table& table, const std::set<std::int64_t>& numbers, const Bounds& bounds)
      : table_(table), terms_(table), numbers_(numbers), bounds_(bounds) {}

  std::vector<Candidate> run() {
    Goal root;
    for (std::uint32_t r = 0; r < table_.rows(); ++r) root.rows.push_back(r);
    root.values = table_.values();
    settle(root);
    push({.form = goal_variable(0), .goals = {std::move(root)}, .holes = {0}, .next_hole = 1});
    for (std::size_t n = 0; n < bounds_.expansions && !open_.empty(); ++n) {
      const State state = open_.top();
      open_.pop();
      if (state.least > longest()) break;
      expand(state);
    }
    std::ranges::stable_sort(found_, {}, &Candidate::cost);
    return std::move(found_);
  }

 private:
  std::uint32_t longest() const {
    return best_ ? std::min(bounds_.longest, *best_ + bounds_.rivals) : bounds_.longest;
  }

  // Leaves that the values do not depend on, and rows that say the same, are dropped.
  void settle(Goal& goal) const {
    goal.leaves = table_.needed(goal.rows, goal.values);
    const Rows kept = table_.distinct(goal.rows, goal.leaves);
    Column values;
    std::size_t at = 0;
    for (const std::uint32_t row : kept) {
      while (goal.rows[at] != row) ++at;
      values.push_back(goal.values[at]);
    }
    goal.rows = kept;
    goal.values = std::move(values);
  }

  // Fills in the goals that are constant; the others are sought.
  void push(State state) {
    for (std::size_t i = 0; i < state.goals.size();) {
      if (!state.goals[i].is_constant()) {
        ++i;
        continue;
      }
      const std::array<expr::Binding, 1> value = {
          expr::Binding{goal_variable(state.holes[i]).name(), Expr(state.goals[i].values.front())}};
      state.form = substitute(state.form, value);
      state.cost += cost_of_constant(state.goals[i].values.front());
      if (state.goals[i].of_runs)
        state.constants += is_chosen(state.goals[i].values.front()) ? 1 : 0;
      state.goals.erase(state.goals.begin() + static_cast<std::ptrdiff_t>(i));
      state.holes.erase(state.holes.begin() + static_cast<std::ptrdiff_t>(i));
    }
    state.least = state.cost;
    for (const Goal& g : state.goals) state.least += expected(g);
    if (state.least > longest()) return;
    if (state.goals.empty()) {
      state.form = expr::simplify(state.form);
      if (state.constants >= std::min(state.values, points_of_runs(state.form))) return;
      if (std::ranges::none_of(found_, [&](const Candidate& c) { return c.law == state.form; })) {
        found_.push_back({state.form, state.least});
        best_ = best_ ? std::min(*best_, state.least) : state.least;
      }
      return;
    }
    open_.push(std::move(state));
  }

  void expand(const State& state) {
    const Goal& goal = state.goals.front();
    for (const Reduction& r : reductions_of(goal)) {
      State next;
      next.next_hole = state.next_hole;
      next.cost = state.cost + r.cost;
      next.values = state.values;
      if (goal.leaves == 0 && !goal.of_runs) {
        const std::set<std::int64_t> distinct(goal.values.begin(), goal.values.end());
        next.values = std::min(next.values, distinct.size());
      }
      next.constants = state.constants + (goal.of_runs || goal.leaves == 0 ? r.constants : 0);
      std::vector<expr::Binding> names;
      for (std::size_t k = 0; k < r.rest.size(); ++k) {
        names.push_back({hole(k).name(), goal_variable(next.next_hole)});
        next.holes.push_back(next.next_hole++);
        next.goals.push_back(r.rest[k]);
        next.goals.back().of_runs = goal.of_runs || goal.leaves == 0;
      }
      next.goals.insert(next.goals.end(), state.goals.begin() + 1, state.goals.end());
      next.holes.insert(next.holes.end(), state.holes.begin() + 1, state.holes.end());
      const std::array<expr::Binding, 1> form = {
          expr::Binding{goal_variable(state.holes.front()).name(), substitute(r.form, names)}};
      next.form = substitute(state.form, form);
      push(std::move(next));
    }
  }

  // How many different values the leaves of runs in a law have together.
  std::size_t points_of_runs(const Expr& law) const {
    const auto used = free_variables(law);
    std::set<std::vector<std::int64_t>> points;
    for (std::size_t r = 0; r < table_.rows(); ++r) {
      std::vector<std::int64_t> point;
      for (std::size_t l = 0; l < table_.leaves().size(); ++l) {
        const bool is_of_run = (table_.varying() & bit(l)) == 0;
        if (is_of_run && used.contains(table_.leaves()[l].name)) point.push_back(table_.leaf(l)[r]);
      }
      points.insert(std::move(point));
    }
    return points.size();
  }

  std::uint32_t promise(const Reduction& r) const {
    std::uint32_t cost = r.cost;
    for (const Goal& g : r.rest) cost += expected(g);
    return cost;
  }

  // The same goal is met on several ways.
  const Reductions& reductions_of(const Goal& goal) {
    std::uint64_t key = hash_bytes(goal.values.data(), goal.values.size() * sizeof(std::int64_t));
    key = combine(key, hash_bytes(goal.rows.data(), goal.rows.size() * sizeof(std::uint32_t)));
    const auto [entry, is_new] = known_.try_emplace(key);
    if (!is_new) return entry->second;
    Reductions& all = entry->second;
    const View view(table_, terms_, numbers_, goal);
    for (const Family& family : kFamilies) {
      Reductions some;
      family.propose(view, some);
      for (Reduction& r : some) {
        for (Goal& g : r.rest) settle(g);
      }
      std::ranges::stable_sort(some, {}, [this](const Reduction& r) { return promise(r); });
      if (some.size() > kMostReductions) some.resize(kMostReductions);
      std::ranges::move(some, std::back_inserter(all));
    }
    return all;
  }

  const Table& table_;
  Terms terms_;
  const std::set<std::int64_t>& numbers_;
  Bounds bounds_;
  std::priority_queue<State> open_;
  std::vector<Candidate> found_;
  std::optional<std::uint32_t> best_;
  std::unordered_map<std::uint64_t, Reductions> known_;
};

}  // namespace

Expr hole(std::size_t k) { return Expr::variable("_" + std::to_string(k)); }

bool Goal::is_constant() const {
  return std::ranges::all_of(values, [&](std::int64_t v) { return v == values.front(); });
}

View::View(const Table& table, const Terms& terms, const std::set<std::int64_t>& numbers,
           const Goal& goal)
    : table_(&table), terms_(&terms), numbers_(&numbers), goal_(&goal) {
  pairs_.resize(table.leaves().size());
  for (Leaves left = goal.leaves; left != 0; left &= left - 1) {
    const auto leaf = static_cast<std::size_t>(std::countr_zero(left));
    std::map<std::vector<std::int64_t>, std::uint32_t> last;
    for (std::uint32_t i = 0; i < goal.rows.size(); ++i) {
      std::vector<std::int64_t> key{static_cast<std::int64_t>(table.run(goal.rows[i]))};
      for (Leaves others = goal.leaves & ~bit(leaf); others != 0; others &= others - 1) {
        key.push_back(table.leaf(static_cast<std::size_t>(std::countr_zero(others)))[goal.rows[i]]);
      }
      const auto [entry, is_new] = last.try_emplace(std::move(key), i);
      if (!is_new) pairs_[leaf].push_back({entry->second, i});
      entry->second = i;
    }
  }
}

Column View::on_rows(const Column& all) const {
  Column out;
  for (const std::uint32_t row : goal_->rows) out.push_back(all[row]);
  return out;
}

bool View::is_free_of(std::size_t leaf, const Column& values) const {
  return !pairs_[leaf].empty() && std::ranges::all_of(pairs_[leaf], [&](const Pair& p) {
    return values[p.a] == values[p.b];
  });
}

std::vector<Candidate> search(const Table& table, const std::set<std::int64_t>& numbers,
                              const Bounds& bounds) {
  return Search(table, numbers, bounds).run();
}

}  // namespace reprise::solve
