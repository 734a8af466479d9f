#include "solve/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "expr/simplify.hpp"
#include "solve/description.hpp"
#include "solve/exact.hpp"
#include "solve/family.hpp"

namespace reprise::solve {
namespace {

using expr::Expr;

// What is expected of a goal [bits]: a term for each leaf, or one between runs.
constexpr std::uint32_t kLeaf = 10, kRuns = 9;
// The shortest law that is no constant [bits]: whether a place is the first of its axis, or a leaf
// alone. Each other leaf comes with an operator, or with the others in a condition that the program
// has elsewhere.
constexpr std::uint32_t kShortest = 4, kOfOther = 8, kOfCondition = 10;
// Reductions of one goal by one family that are followed, the most promising first.
constexpr std::size_t kMostReductions = 400;
// Of the goals that may still be taken apart, for one reduction that is no progress.
constexpr std::size_t kShareWithoutProgress = 4;
// A row that is found by the values of a leaf.
constexpr std::size_t kStepsOfHash = 8;
// Laws of a part that are tried in the whole.
constexpr std::size_t kMostLaws = 6;
// Laws are sought that are no longer than this [bits], and then those that are an eighth longer.
constexpr std::uint32_t kFirstLength = 16;

// 0 after a sum is nothing.
std::uint32_t cost_of_constant(std::int64_t v) { return v == 0 ? 1 : 3 + bits_of(v); }

// 0 after a sum, 1 before a product.
bool is_chosen(std::int64_t v) { return v != 0 && v != 1; }

std::size_t leaves_of(const Goal& goal) {
  return static_cast<std::size_t>(std::popcount(goal.leaves));
}

std::uint32_t expected(const Goal& goal) {
  if (goal.is_constant()) return cost_of_constant(goal.values.front());
  return goal.leaves == 0 ? kRuns : kLeaf * static_cast<std::uint32_t>(leaves_of(goal));
}

// A law of a goal.
struct Solution {
  Expr law;
  std::uint32_t cost = 0;  // [bits]
  unsigned constants = 0;  // that were chosen so that runs fit
  Divisions divisions = 0;
  BorderSet borders = 0;
};

class Search {
 public:
  Search(const Table& table, const Vocabulary& vocabulary, const Bounds& bounds, Effort& effort)
      : table_(table),
        terms_(table, vocabulary),
        vocabulary_(vocabulary),
        bounds_(bounds),
        effort_(effort) {}

  Findings run() {
    Goal root;
    for (std::uint32_t r = 0; r < table_.rows(); ++r) root.rows.push_back(r);
    root.values = table_.values();
    settle(root);
    repeat_laws(root);
    if (known_[key_of(root)].found.empty()) seek_apart(root);
    bound_by_found(root);
    std::vector<Solution> found = shortest(root, bounds_.longest);
    const std::uint32_t longest = found.empty() ? bounds_.longest : length_of_rivals(found);
    const std::uint32_t shortest_one = found.empty() ? bounds_.longest : found.front().cost;
    if (shortest_one > bounds_.sure) found = every_law(root, longest);
    return {candidates(found), !is_starved_ && !effort_.is_over()};
  }

 private:
  struct Step {
    Reduction reduction;
    std::uint32_t promise = 0;   // what a law by it is expected to take [bits]
    std::uint32_t shortest = 0;  // no law by it is shorter [bits]
    bool is_progress = false;
  };

  // What is known of a goal.
  struct Known {
    bool is_sought = false;  // now, for a part of itself
    std::bitset<std::size(kFamilies)> asked;
    // Laws up to this length were sought where one is expected, and wherever one can be [bits].
    std::uint32_t length = 0, every_length = 0;
    // A longer one says no more than the samples do [bits]; 0: not known yet.
    std::uint32_t longest = 0;
    std::size_t distinct = 0;  // values; 0: not counted yet
    // The shortest law by a reduction that was not kept [bits].
    std::uint32_t least_left_out = std::numeric_limits<std::uint32_t>::max();
    std::vector<Step> steps;  // in the order in which they are followed
    std::vector<Solution> found;
  };

  // No law of the goal is shorter [bits].
  std::uint32_t least(const Goal& goal) const {
    if (goal.is_constant()) return cost_of_constant(goal.values.front());
    const std::size_t names = table_.names_in(goal.leaves);
    if (names <= 1) return kShortest;
    if (goal.is_condition()) return kOfCondition;
    return std::min(kShortest + kOfOther * static_cast<std::uint32_t>(names - 1),
                    kOfOther + kOfCondition);
  }

  // No law of the goal is sought that is shorter [bits].
  std::uint32_t bound(const Goal& goal) const {
    return is_thorough_ ? least(goal) : expected(goal);
  }

  std::vector<Candidate> candidates(const std::vector<Solution>& found) const {
    std::vector<Candidate> out;
    for (const Solution& s : found) {
      if (s.cost > found.front().cost + bounds_.rivals) break;
      out.push_back({s.law, s.cost, s.divisions, s.borders});
    }
    return out;
  }

  // Leaves that the values do not depend on, and rows that say the same, are dropped.
  void settle(Goal& goal) {
    effort_.take(kStepsOfHash * goal.rows.size() * (1 + table_.leaves().size()));
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

  // The shortest laws of a goal, and rivals of them: those of few bits are sought first.
  std::vector<Solution> shortest(const Goal& goal, std::uint32_t most) {
    for (std::uint32_t longest = std::min(kFirstLength, most);;
         longest = std::min(longest + longest / 8, most)) {
      auto found = laws_of_length(goal, longest);
      if (!found.empty()) {
        const std::uint32_t rivals = std::min(most, length_of_rivals(found));
        return longest < rivals ? laws_of_length(goal, rivals) : found;
      }
      const bool is_over = expanded_ >= most_goals_ || effort_.is_over();
      if (longest == most || is_over) return laws(goal, most);
    }
  }

  std::uint32_t length_of_rivals(const std::vector<Solution>& found) const {
    return std::min(bounds_.longest, found.front().cost + bounds_.rivals);
  }

  std::vector<Solution> laws_of_length(const Goal& goal, std::uint32_t longest) {
    left_ = std::min(most_goals_ - std::min(most_goals_, expanded_), kMostGoalsOfLength);
    return laws(goal, longest);
  }

  // Those too that are shorter than what is expected of their parts.
  std::vector<Solution> every_law(const Goal& goal, std::uint32_t longest) {
    is_thorough_ = true;
    is_starved_ = false;
    left_ = kMostGoalsOfRivals;
    auto found = laws(goal, longest);
    is_thorough_ = false;
    return found;
  }

  // Laws that the program follows elsewhere.
  void repeat_laws(const Goal& goal) {
    for (const KnownLaw& known : vocabulary_.laws) {
      take(goal, {known.law, known.cost}, known_[key_of(goal)]);
    }
  }

  // Values that come apart into some that depend on fewer leaves each have the laws of these: the
  // coordinates of places, the iterations of short loops.
  void seek_apart(const Goal& goal) {
    for (const auto propose : {places, iterations}) {
      Reductions some;
      propose(View(table_, terms_, vocabulary_, goal, effort_), some);
      for (Reduction& r : some) {
        for (Goal& part : r.rest) settle(part);
        const auto is_simpler = [&](const Goal& part) { return leaves_of(part) < leaves_of(goal); };
        if (std::ranges::all_of(r.rest, is_simpler)) seek_parts(goal, r);
      }
    }
  }

  void seek_parts(const Goal& goal, const Reduction& r) {
    for (const Goal& part : r.rest) {
      if (part.is_constant()) continue;
      seek_apart(part);
      // What a part takes in vain is not taken from the whole.
      const std::size_t expanded = std::exchange(expanded_, 0);
      most_goals_ = kMostGoalsOfPart;
      const bool is_found = !shortest(part, bounds_.longest).empty();
      expanded_ = expanded;
      most_goals_ = kMostGoals;
      if (!is_found) return;
    }
    for (Solution& s : with_parts(goal, r, bounds_.longest)) {
      take(goal, std::move(s), known_[key_of(goal)]);
    }
  }

  // What else is sought is hardly longer than what was found, and not for long.
  void bound_by_found(const Goal& goal) {
    const auto& found = known_[key_of(goal)].found;
    if (found.empty()) return;
    bounds_.longest = std::min(bounds_.longest, found.front().cost + bounds_.rivals);
    most_goals_ = std::min(most_goals_, expanded_ + kMostGoalsOfLength);
  }

  // The shortest laws of a goal, no longer than `longest` [bits]; the shortest first.
  std::vector<Solution> laws(const Goal& goal, std::uint32_t longest) {
    if (goal.is_constant()) {
      const std::int64_t v = goal.values.front();
      const std::uint32_t cost = cost_of_constant(v);
      if (cost > longest) return {};
      return {{Expr(v), cost, goal.of_runs && is_chosen(v) ? 1U : 0U}};
    }
    Known& known = known_[key_of(goal)];
    if (known.is_sought) return {};
    const std::uint32_t least = bound(goal);
    if (least > longest) return up_to(known, longest);
    longest = std::min(longest, std::max(least, longest_of(goal, known)));
    std::uint32_t& length = is_thorough_ ? known.every_length : known.length;
    if (length < longest) {
      known.is_sought = true;
      seek(goal, longest, known);
      known.is_sought = false;
      length = longest;
    }
    return up_to(known, longest);
  }

  static std::vector<Solution> up_to(const Known& known, std::uint32_t longest) {
    std::vector<Solution> out;
    for (const Solution& s : known.found) {
      if (s.cost <= longest) out.push_back(s);
    }
    return out;
  }

  static std::uint32_t longest_of(const Goal& goal, Known& known) {
    if (known.longest == 0) known.longest = longest_law(goal.values);
    return known.longest;
  }

  void seek(const Goal& goal, std::uint32_t longest, Known& known) {
    expand(goal, longest, known);
    is_starved_ = is_starved_ || known.least_left_out <= longest;
    for (const auto& [r, promised, shortest, is_progress] : known.steps) {
      if ((is_thorough_ ? shortest : promised) > longest) continue;
      // What leaves a part that depends on as much as the whole may not take all of the time.
      const std::size_t all = left_;
      const std::size_t most = is_progress ? all : all / kShareWithoutProgress;
      left_ = most;
      for (Solution& s : with_parts(goal, r, longest)) take(goal, std::move(s), known);
      left_ = all - (most - left_);
      if (!known.found.empty())
        longest = std::min(longest, known.found.front().cost + bounds_.rivals);
    }
  }

  // Asks the families some of whose reductions may be short enough.
  void expand(const Goal& goal, std::uint32_t longest, Known& known) {
    const bool is_condition = goal.leaves != 0 && goal.is_condition();
    const auto is_due = [&](std::size_t f) {
      const Family& family = kFamilies[f];
      const std::uint32_t least = is_thorough_ ? family.least : family.usual;
      return !known.asked[f] && least <= longest && (family.has_conditions || !is_condition);
    };
    std::vector<std::size_t> due;
    for (std::size_t f = 0; f < std::size(kFamilies); ++f) {
      if (is_due(f)) due.push_back(f);
    }
    if (due.empty()) return;
    if (known.asked.none()) {
      if (left_ == 0) {
        is_starved_ = true;
        return;
      }
      --left_;
      ++expanded_;
    }
    if (!effort_.take(kStepsOfHash * goal.rows.size() * leaves_of(goal))) return;
    Effort of_family;
    const View view(table_, terms_, vocabulary_, goal, of_family);
    for (const std::size_t f : due) {
      known.asked.set(f);
      Reductions some;
      of_family = Effort(std::min(effort_.left(), kMostStepsOfFamily));
      const std::size_t before = of_family.left();
      kFamilies[f].propose(view, some);
      effort_.take(before - of_family.left());
      is_starved_ = is_starved_ || of_family.is_over();
      if (effort_.is_over()) return;
      add_steps(goal, some, known);
    }
    std::ranges::stable_sort(known.steps, {}, [](const Step& step) {
      return std::pair(!step.is_progress, step.promise);
    });
  }

  // The most promising reductions of those that may be part of a law that is wanted.
  void add_steps(const Goal& goal, Reductions& some, Known& known) {
    std::erase_if(some, has_large_rest);
    for (Reduction& r : some) {
      for (Goal& g : r.rest) settle(g);
    }
    std::erase_if(some, [&](const Reduction& r) { return least_of(r) > bounds_.longest; });
    std::ranges::stable_sort(some, {}, promise);
    for (std::size_t i = kMostReductions; i < some.size(); ++i) {
      known.least_left_out = std::min(known.least_left_out, least_of(some[i]));
    }
    if (some.size() > kMostReductions) some.resize(kMostReductions);
    for (Reduction& r : some) {
      const std::uint32_t promised = promise(r), shortest = least_of(r);
      const bool is_simpler = is_progress(goal, known, r);
      known.steps.push_back({std::move(r), promised, shortest, is_simpler});
    }
  }

  static bool has_large_rest(const Reduction& r) {
    return std::ranges::any_of(r.rest, [](const Goal& part) {
      return std::ranges::any_of(
          part.values, [](std::int64_t v) { return v > kLargestValue || v < -kLargestValue; });
    });
  }

  // Whether each part is simpler than the whole: depends on less, or has fewer values, or, of
  // conditions, fewer samples.
  static bool is_progress(const Goal& goal, Known& known, const Reduction& r) {
    return std::ranges::all_of(r.rest, [&](const Goal& part) {
      if (std::popcount(part.leaves) < std::popcount(goal.leaves)) return true;
      if (known.distinct == 0) known.distinct = distinct(goal);
      const std::size_t all = known.distinct;
      return all == 2 ? part.rows.size() < goal.rows.size() : distinct(part) < all;
    });
  }

  static std::size_t distinct(const Goal& goal) {
    Column values = goal.values;
    std::ranges::sort(values);
    return values.size() - std::ranges::unique(values).size();
  }

  // The laws that a reduction brings: each combination of laws of its parts.
  std::vector<Solution> with_parts(const Goal& goal, const Reduction& r, std::uint32_t longest) {
    std::uint32_t open = 0;
    for (const Goal& part : r.rest) open += bound(part);
    const bool is_of_runs = goal.of_runs || goal.leaves == 0;
    std::vector<Solution> out{
        {r.form, r.cost, is_of_runs ? r.constants : 0, r.divisions, r.borders}};
    for (std::size_t k = 0; k < r.rest.size(); ++k) {
      Goal part = r.rest[k];
      part.of_runs = is_of_runs;
      open -= bound(part);
      std::vector<Solution> longer;
      for (const Solution& s : out) {
        // Borders that all parts have are counted once.
        const std::uint32_t shared = cost_of(s.borders);
        if (s.cost + open > longest + shared) continue;
        // Those that say the same where the law is wanted are one.
        std::set<std::vector<std::optional<std::int64_t>>> wanted;
        for (const Solution& p : laws(part, longest + shared - s.cost - open)) {
          if (wanted.size() == kMostLaws) break;
          if (!wanted.insert(table_.at_targets(p.law)).second) continue;
          const std::array<expr::Binding, 1> name = {expr::Binding{hole(k).name(), p.law}};
          const auto borders = static_cast<BorderSet>(s.borders | p.borders);
          const std::uint32_t apart = shared + cost_of(p.borders);
          const std::uint32_t cost =
              s.cost + p.cost + cost_of_mixing(s.divisions, p.divisions) + cost_of(borders) - apart;
          longer.push_back({substitute(s.law, name), cost, s.constants + p.constants,
                            static_cast<Divisions>(s.divisions | p.divisions), borders});
        }
      }
      out = std::move(longer);
    }
    return out;
  }

  // A part has to be no longer than its own samples, however many the whole has: what runs differ
  // in has one sample a run. There have to be more values than constants, and as many numbers of
  // ranks and the like that tell them apart.
  void take(const Goal& goal, Solution s, Known& known) const {
    s.law = expr::simplify(s.law);
    if (s.cost > longest_of(goal, known)) return;
    if (!table_.explains(s.law, goal.rows, goal.values)) return;
    if (goal.leaves == 0 && !goal.of_runs) {
      const std::set<std::int64_t> distinct(goal.values.begin(), goal.values.end());
      const std::size_t points = points_of_runs(s.law, goal.rows);
      if (s.constants >= std::min(distinct.size(), points) + goal.bounded) return;
      s.constants = 0;
    }
    const auto same = std::ranges::find(known.found, s.law, &Solution::law);
    if (same != known.found.end()) {
      if (same->cost <= s.cost) return;
      known.found.erase(same);
    }
    known.found.insert(std::ranges::upper_bound(known.found, s.cost, {}, &Solution::cost),
                       std::move(s));
  }

  // How many different values the leaves of runs in a law have together.
  std::size_t points_of_runs(const Expr& law, const Rows& rows) const {
    const auto used = free_variables(law);
    std::set<std::vector<std::int64_t>> points;
    for (const std::uint32_t r : rows) {
      std::vector<std::int64_t> point;
      for (std::size_t l = 0; l < table_.leaves().size(); ++l) {
        const bool is_of_run = (table_.varying() & bit(l)) == 0;
        if (is_of_run && used.contains(table_.leaves()[l].name)) point.push_back(table_.leaf(l)[r]);
      }
      points.insert(std::move(point));
    }
    return points.size();
  }

  static std::uint32_t promise(const Reduction& r) {
    std::uint32_t cost = r.cost;
    for (const Goal& g : r.rest) cost += expected(g);
    return cost;
  }

  std::uint32_t least_of(const Reduction& r) const {
    std::uint32_t cost = r.cost;
    for (const Goal& g : r.rest) cost += least(g);
    return cost;
  }

  static std::uint64_t key_of(const Goal& goal) {
    std::uint64_t key = hash_bytes(goal.values.data(), goal.values.size() * sizeof(std::int64_t));
    key = combine(key, hash_bytes(goal.rows.data(), goal.rows.size() * sizeof(std::uint32_t)));
    return combine(key, 2 * goal.bounded + (goal.of_runs ? 1 : 0));
  }

  const Table& table_;
  Terms terms_;
  const Vocabulary& vocabulary_;
  Bounds bounds_;
  Effort& effort_;
  std::size_t left_ = 0;      // goals that may still be taken apart
  std::size_t expanded_ = 0;  // goals that were
  std::size_t most_goals_ = kMostGoals;
  bool is_thorough_ = false;  // laws are sought that are shorter than expected
  bool is_starved_ = false;   // a length of laws was not sought to its end
  std::unordered_map<std::uint64_t, Known> known_;
};

}  // namespace

Expr hole(std::size_t k) { return Expr::variable("_" + std::to_string(k)); }

bool Goal::is_condition() const {
  return std::ranges::all_of(values, [](std::int64_t v) { return v == 0 || v == 1; });
}

bool Goal::is_constant() const {
  return std::ranges::all_of(values, [&](std::int64_t v) { return v == values.front(); });
}

View::View(const Table& table, const Terms& terms, const Vocabulary& vocabulary, const Goal& goal,
           Effort& effort)
    : table_(&table), terms_(&terms), vocabulary_(&vocabulary), goal_(&goal), effort_(&effort) {
  pairs_.resize(table.leaves().size());
  for (Leaves left = goal.leaves; left != 0; left &= left - 1) {
    const auto leaf = static_cast<std::size_t>(std::countr_zero(left));
    std::map<std::vector<std::int64_t>, std::uint32_t> last;
    for (std::uint32_t i = 0; i < goal.rows.size(); ++i) {
      const auto [entry, is_new] = last.try_emplace(others(leaf, i), i);
      if (!is_new) pairs_[leaf].push_back({entry->second, i});
      entry->second = i;
    }
  }
}

std::vector<std::int64_t> View::others(std::size_t leaf, std::size_t place) const {
  const std::uint32_t row = goal_->rows[place];
  std::vector<std::int64_t> out{static_cast<std::int64_t>(table_->run(row))};
  for (Leaves left = goal_->leaves & ~bit(leaf); left != 0; left &= left - 1) {
    out.push_back(table_->leaf(static_cast<std::size_t>(std::countr_zero(left)))[row]);
  }
  return out;
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

Findings search(const Table& table, const Vocabulary& vocabulary, const Bounds& bounds,
                Effort& effort) {
  return Search(table, vocabulary, bounds, effort).run();
}

}  // namespace reprise::solve
