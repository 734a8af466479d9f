#include "extrapolate/laws/find_law.hpp"

#include <algorithm>
#include <functional>

#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "extrapolate/laws/joined_law.hpp"
#include "extrapolate/laws/neighbor_loops.hpp"
#include "infer/evaluator.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Samples;
using infer::WorldSamples;
using trace::Encoding;
using trace::Series;
using trace::Term;

constexpr int kRounds = 4;                  // of samples that contradicted a law
constexpr std::size_t kMostSamples = 4000;  // of a run
constexpr std::size_t kMostOfAStream = 300;
// [bits] Of a law over the index of a loop over neighbors: longer ones are sought neighbor by
// neighbor.
constexpr std::uint32_t kShortIndexed = 48;

std::vector<Encoding> encodings_of(const SlotView& slot) {
  std::vector<Encoding> out{Encoding::absolute, Encoding::relative, Encoding::exclusive_or};
  out.resize(slot.encodings());
  return out;
}

// Calls `visit(run, rank, series)` where a rank comes here, until it says no.
template <class Visit>
bool for_each_series(const SlotView& slot, Encoding e, const Visit& visit) {
  for (std::size_t run = 0; run < slot.inputs().runs.size(); ++run) {
    const auto ranks = static_cast<std::size_t>(slot.inputs().runs[run].ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const Series& s = slot.series(run, rank, e);
      if (!s.empty() && !visit(run, rank, s)) return false;
    }
  }
  return true;
}

const Series* any_series(const SlotView& slot, Encoding e) {
  const Series* found = nullptr;
  for_each_series(slot, e, [&](std::size_t, std::size_t, const Series& s) {
    found = &s;
    return false;
  });
  return found;
}

bool same_everywhere(const SlotView& slot, Encoding e) {
  const Series* first = any_series(slot, e);
  return for_each_series(slot, e,
                         [&](std::size_t, std::size_t, const Series& s) { return s == *first; });
}

// `counts`: with as many of each.
bool same_shape(const std::vector<Term>& a, const std::vector<Term>& b, bool counts) {
  return std::ranges::equal(a, b, [counts](const Term& x, const Term& y) {
    return (x.count == trace::kUnbounded) == (y.count == trace::kUnbounded) &&
           (!counts || x.count == y.count) && same_shape(x.body, y.body, counts);
  });
}

// Which elements of a list are the same by chance says nothing of how many there are.
bool one_shape(const SlotView& slot, Encoding e) {
  const Series* first = any_series(slot, e);
  const bool counts = slot.shape().is_element;
  return for_each_series(slot, e, [&](std::size_t, std::size_t, const Series& s) {
    return same_shape(first->terms(), s.terms(), counts);
  });
}

// Whether the ranks of each run have one series.
bool same_on_ranks(const SlotView& slot, Encoding e) {
  std::vector<const Series*> first(slot.inputs().runs.size(), nullptr);
  return for_each_series(slot, e, [&](std::size_t run, std::size_t, const Series& s) {
    if (first[run] == nullptr) first[run] = &s;
    return *first[run] == s;
  });
}

Samples no_samples(const SlotView& slot) {
  Samples out;
  for (const Run& run : slot.inputs().runs) out.worlds.push_back({{run.ranks, {}}, {}});
  return out;
}

// Finds laws for the numbers of a term, which `place` finds in a series.
class TermsFinder {
 public:
  TermsFinder(const SlotView& slot, Encoding e, LawSearch& search)
      : slot_(slot), encoding_(e), search_(search) {}

  Inference<std::vector<TermLaw>> find() {
    return find_terms(any_series(slot_, encoding_)->terms());
  }

 private:
  using Number = std::function<std::int64_t(const Term&)>;
  // Which ranks have a say in a number.
  enum class Ranks : std::uint8_t { all, with_two_values };

  Inference<std::vector<TermLaw>> find_terms(const std::vector<Term>& like) {
    std::vector<TermLaw> out;
    for (std::size_t i = 0; i < like.size(); ++i) {
      path_.push_back(i);
      TermLaw law;
      auto value = find_number([](const Term& t) { return t.value; }, Ranks::all,
                               encoding_ == Encoding::relative);
      if (!value) return value.error();
      // Who has one value alone knows of no step.
      auto step = find_number([](const Term& t) { return t.step; }, Ranks::with_two_values);
      if (!step) return step.error();
      auto count = find_number([](const Term& t) { return static_cast<std::int64_t>(t.count); });
      if (!count) return count.error();
      law.value = std::move(*value);
      law.step = std::move(*step);
      law.count = std::move(*count);
      if (auto wrong = adjust_step(law)) return *wrong;
      auto body = find_terms(like[i].body);
      if (!body) return body;
      law.body = std::move(*body);
      out.push_back(std::move(law));
      path_.pop_back();
    }
    return out;
  }

  // The difference of two values follows from their laws, and has none of its own. Of more than
  // two, the second must be what the step makes it.
  std::optional<NoLaw> adjust_step(TermLaw& law) {
    if (law.step.expression.is_constant()) return std::nullopt;
    const auto second =
        find_number([](const Term& t) { return trace::wrapping_add(t.value, t.step); });
    const bool is_pair = law.count.expression.is_constant(2);
    if (!second) return is_pair ? std::optional<NoLaw>(second.error()) : std::nullopt;
    JoinedLaw step;
    if (!step.take(law.value) || !step.take(*second)) {
      return NoLaw{.why = NoLaw::Why::grids};
    }
    NumberLaw difference = step.finish(expr::simplify(second->expression - law.value.expression));
    if (is_pair) {
      law.step = std::move(difference);
    } else if (!search_.same_at_target(law.step, difference)) {
      return NoLaw{.why = NoLaw::Why::rivals,
                   .found = {law.step.expression, difference.expression}};
    }
    return std::nullopt;
  }

  Inference<NumberLaw> find_number(const Number& number, Ranks ranks = Ranks::all,
                                   bool are_distances = false) {
    Samples samples = no_samples(slot_);
    samples.are_distances = are_distances;
    bool is_any = false;
    for_each_series(slot_, encoding_, [&](std::size_t run, std::size_t rank, const Series& s) {
      if (ranks == Ranks::with_two_values && has_one_value(run, rank, s)) return true;
      is_any = true;
      const Term* term = &s.terms()[path_.front()];
      for (std::size_t i = 1; i < path_.size(); ++i) term = &term->body[path_[i]];
      samples.worlds[run].samples.push_back({static_cast<std::int64_t>(rank), number(*term), {}});
      return true;
    });
    return is_any ? search_.find(samples) : NumberLaw{.expression = 0};
  }

  bool has_one_value(std::size_t run, std::size_t rank, const Series& s) const {
    if (!s.is_constant()) return false;
    SlotWalk walk = slot_.walk(run, rank);
    return !(walk.next() && walk.next());
  }

  const SlotView& slot_;
  Encoding encoding_;
  LawSearch& search_;
  std::vector<std::size_t> path_;
};

Inference<Law> find_terms(const SlotView& slot, Encoding e, LawSearch& search) {
  auto terms = TermsFinder(slot, e, search).find();
  if (!terms) return terms.error();
  return Law{.form = Law::Form::terms, .encoding = e, .terms = std::move(*terms)};
}

// Telling values of the slot with the parameters that they have.
Samples indexed_samples(const SlotView& slot, Encoding e) {
  Samples out = no_samples(slot);
  out.parameters = slot.shape().parameters;
  out.are_distances = e == Encoding::relative;
  for_each_series(slot, e, [&](std::size_t run, std::size_t rank, const Series& s) {
    auto& samples = out.worlds[run].samples;
    if (samples.size() > kMostSamples &&
        rank + 1 < static_cast<std::size_t>(slot.inputs().runs[run].ranks)) {
      return true;
    }
    SlotWalk walk = slot.walk(run, rank);
    trace::SeriesCursor values(s);
    for (std::size_t n = 0; n < kMostOfAStream && walk.next();) {
      const std::int64_t value = values.next();
      if (!walk.is_telling()) continue;
      samples.push_back({static_cast<std::int64_t>(rank), value, walk.parameters()});
      ++n;
    }
    return true;
  });
  return out;
}

// Adds the first value that the law does not have to the samples; false if there is none.
Inference<bool> add_contradiction(const SlotView& slot, Encoding e, const NumberLaw& law,
                                  const LawSearch& search, Samples& samples) {
  const auto dimensions = law.grid ? search.grids().rules[*law.grid].dimensions : 0;
  std::vector<infer::Evaluator> evaluators;  // by run
  std::vector<infer::World> worlds;
  for (std::size_t run = 0; run < slot.inputs().runs.size(); ++run) {
    const expr::Expr here = substitute(law.expression, search.problem().bindings_in(run));
    auto evaluator = infer::Evaluator::make(here, dimensions, samples.parameters);
    if (!evaluator) {
      return NoLaw{.why = NoLaw::Why::not_evaluated, .said = evaluator.error().message};
    }
    evaluators.push_back(std::move(*evaluator));
    auto world = search.grids().world(slot.inputs().runs[run].ranks, law.grid);
    if (!world) return NoLaw{.why = NoLaw::Why::missing_grid};
    worlds.push_back(std::move(*world));
  }
  return !for_each_series(slot, e, [&](std::size_t run, std::size_t rank, const Series& s) {
    SlotWalk walk = slot.walk(run, rank);
    trace::SeriesCursor values(s);
    const auto r = static_cast<std::int64_t>(rank);
    while (walk.next()) {
      const std::int64_t value = values.next();
      if (evaluators[run].at(r, worlds[run], walk.parameters()) == value) continue;
      samples.worlds[run].samples.push_back({r, value, walk.parameters()});
      return false;
    }
    return true;
  });
}

using Finder = std::function<Inference<NumberLaw>(const Samples&)>;

Inference<Law> find_indexed(const SlotView& slot, Encoding e, const LawSearch& search,
                            const Finder& find) {
  Samples samples = indexed_samples(slot, e);
  for (int round = 0; round < kRounds; ++round) {
    auto found = find(samples);
    if (!found) return found.error();
    const auto contradicted = add_contradiction(slot, e, *found, search, samples);
    if (!contradicted) return contradicted.error();
    if (*contradicted) continue;
    return Law{.form = Law::Form::indexed, .encoding = e, .number = std::move(*found)};
  }
  return NoLaw{};
}

}  // namespace

Inference<Law> find_indexed(const SlotView& slot, Encoding e, LawSearch& search) {
  return find_indexed(slot, e, search, [&](const Samples& s) { return search.find(s); });
}

bool explains(const SlotView& slot, const Law& law, const LawSearch& search) {
  Samples contradiction = no_samples(slot);
  contradiction.parameters = slot.shape().parameters;
  const auto differs = add_contradiction(slot, law.encoding, law.number, search, contradiction);
  return differs && !*differs;
}

namespace {

// The extents of a grid that the program makes, in either order, as a rule has them; nothing if no
// grid that was seen has the values.
std::optional<Law> find_extents(const SlotView& slot, const LawSearch& search) {
  const Expr index = Expr::variable(expr::kElement);
  for (const std::size_t grid : search.grids().seen) {
    const std::size_t n = search.grids().rules[grid].dimensions;
    for (const bool reversed : {true, false}) {
      const auto extent = [&](std::size_t k) {
        return Expr::variable(expr::extent_name(reversed ? n - 1 - k : k));
      };
      Expr law = extent(n - 1);
      for (std::size_t k = n - 1; k-- > 0;) {
        const Expr here = Expr::make(expr::Op::equal, index, Expr(static_cast<std::int64_t>(k)));
        law = Expr::conditional(here, extent(k), law);
      }
      Law found{.form = Law::Form::indexed, .number = {.expression = law, .grid = grid}};
      if (explains(slot, found, search)) return found;
    }
  }
  return std::nullopt;
}

// How many numbers of a series differ from run to run.
std::size_t varying(const std::vector<TermLaw>& terms) {
  std::size_t n = 0;
  for (const TermLaw& t : terms) {
    for (const NumberLaw* number : {&t.value, &t.step, &t.count}) {
      n += number->expression.is_constant() ? 0 : 1;
    }
    n += varying(t.body);
  }
  return n;
}

// Where ranks do not differ. Of several numbers each has a law from few samples; one law over the
// indices is from all of them, and is taken if it is shorter.
Inference<Law> find_on_all_ranks(const SlotView& slot, Encoding e, LawSearch& search) {
  Inference<Law> terms = NoLaw{};
  if (one_shape(slot, e)) terms = find_terms(slot, e, search);
  if (slot.shape().parameters.empty() || (terms && varying(terms->terms) < 2)) return terms;
  auto indexed = find_indexed(slot, e, search);
  if (!indexed) return terms ? std::move(terms) : std::move(indexed);
  if (terms && cost_of(*terms) <= cost_of(*indexed)) return terms;
  return indexed;
}

// Whether elements repeat with a period that the lengths of lists happen to be multiples of, so
// that one list goes on where the one before it ended: on as many ranks as make another length none
// would.
bool goes_on_by_chance(const SlotView& slot) {
  if (!slot.shape().is_element) return false;
  return !for_each_series(slot, Encoding::absolute,
                          [&](std::size_t run, std::size_t rank, const Series& s) {
                            const std::uint64_t period = s.terms().back().period;
                            if (period == 1) return true;
                            SlotWalk walk = slot.walk(run, rank);
                            if (!walk.next()) return true;
                            // The first list that is not empty.
                            const std::uint64_t first = walk.executions();
                            std::uint64_t length = 1;
                            bool more = walk.next();
                            for (; more && walk.executions() == first; more = walk.next()) ++length;
                            return !more || period % length == 0;
                          });
}

Inference<Law> find_by_neighbor(const SlotView& slot, const NeighborLoop& neighbor_loop,
                                LawSearch& search) {
  const auto find = [&](const Samples& s) -> Inference<NumberLaw> {
    if (auto law = law_of_neighbors(neighbor_loop, s, search)) return *law;
    return NoLaw{};
  };
  return find_indexed(slot, Encoding::absolute, search, find);
}

// A law over the indices, if it is short.
Inference<Law> find_short(const SlotView& slot, LawSearch& search) {
  const std::uint32_t before = search.bound(kShortIndexed);
  auto law = find_indexed(slot, Encoding::absolute, search);
  search.bound(before);
  return law;
}

}  // namespace

std::optional<Law> find_same(const SlotView& slot) {
  if (any_series(slot, Encoding::absolute) == nullptr) {
    return Law{.form = Law::Form::series, .series = Series::constant(0)};
  }
  if (goes_on_by_chance(slot)) return std::nullopt;
  for (const Encoding e : encodings_of(slot)) {
    if (same_everywhere(slot, e)) {
      return Law{.form = Law::Form::series, .encoding = e, .series = *any_series(slot, e)};
    }
  }
  return std::nullopt;
}

namespace {

// Takes a law, or why there is none: that there are several says more than that none was found.
void take(Inference<Law>& law, Inference<Law> other) {
  if (!other && !law && law.error().why == NoLaw::Why::rivals) return;
  law = std::move(other);
}

}  // namespace

Inference<Law> find_law(const SlotView& slot, LawSearch& search,
                        const NeighborLoop* neighbor_loop) {
  if (slot.is_extents() && any_series(slot, Encoding::absolute) != nullptr) {
    if (auto extents = find_extents(slot, search)) return *extents;
  }
  if (auto same = find_same(slot)) return *same;
  if (goes_on_by_chance(slot)) return find_indexed(slot, Encoding::absolute, search);
  const std::vector<Encoding> encodings = encodings_of(slot);
  Inference<Law> law = NoLaw{};
  for (const Encoding e : encodings) {
    if (!same_on_ranks(slot, e)) continue;
    take(law, find_on_all_ranks(slot, e, search));
    if (law) return law;
  }
  if (neighbor_loop != nullptr) {
    if (neighbor_loop->is_whole()) take(law, find_short(slot, search));
    if (!law) take(law, find_by_neighbor(slot, *neighbor_loop, search));
  }
  if (law) return law;
  // Whatever the ranks have in common may not be the whole series, but what the indices make of it.
  if (one_shape(slot, Encoding::absolute)) take(law, find_terms(slot, Encoding::absolute, search));
  if (slot.shape().parameters.empty() || (law && varying(law->terms) < 2)) return law;
  // Distances from the rank are laws of the solver's own.
  auto indexed = find_indexed(slot, Encoding::absolute, search);
  if (indexed && (!law || cost_of(*indexed) < cost_of(*law))) return indexed;
  if (!law) take(law, std::move(indexed));
  return law;
}

}  // namespace reprise::extrapolate
