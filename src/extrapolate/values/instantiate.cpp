#include "extrapolate/values/instantiate.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "compress/loops/tidy.hpp"
#include "compress/merge/rank_columns.hpp"
#include "compress/merge/stream_values.hpp"
#include "extrapolate/communicators/local_values.hpp"
#include "extrapolate/inputs/callpaths.hpp"
#include "extrapolate/times/trip_distribution.hpp"
#include "extrapolate/values/evaluate.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::extrapolate {
namespace {

using compress::LoopTree;
using trace::Encoding;
using trace::Series;
using trace::Value;

constexpr std::uint32_t kNodesOfAStep = 16;  // of an expression

bool is_uniform(const Value& value) { return value.is_constant() || value.classes.size() == 1; }

Value uniform(Encoding encoding, Series series) {
  if (series.is_constant())
    return {.encoding = encoding, .by_stream = std::move(series), .classes = {}};
  return {.encoding = encoding, .by_stream = {}, .classes = {std::move(series)}};
}

// Ranks from `begin` on, up to the next stretch, that all come by a slot, or do not.
struct Stretch {
  std::int64_t begin = 0;
  bool comes = true;
};
using Stretches = std::shared_ptr<const std::vector<Stretch>>;  // null: all ranks come

class Instantiator {
 public:
  Instantiator(const Scalable& program, std::span<const trace::Trace> traces,
               const Request& request)
      : program_(program),
        traces_(traces),
        grids_{program.grids.rules, program.grids.seen, request.grid},
        ranks_(request.ranks),
        trips_(program.tree.items.size()),
        comes_(program.tree.items.size()),
        columns_(program.sites.size()),
        first_column_(program.sites.size()),
        borders_(program.tree.items.size()),
        has_trips_(program.tree.items.size(), false),
        depths_(program.descents.size()),
        descending_(program.descents.size(), false),
        local_(program, ranks_,
               [this](const Parameter& p, std::int64_t r) { return walk_of(p, r); }),
        needs_places_(LocalValues::are_needed(program)),
        budget_{request.steps} {
    for (std::size_t i = program_.parameters.size(); i-- > 0;) {
      const Slot& slot = program_.parameters[i].slot;
      if (!slot.is_trips()) first_column_[slot.site] = i;
    }
  }

  Result<trace::Trace> run() {
    for (const Parameter& p : program_.parameters) {
      if (!p.slot.is_trips()) continue;
      if (auto error = put_trips(p)) return *error;
    }
    // Loops may use communicators that they make further down.
    for (const bool making : {true, false}) {
      for (const std::uint32_t s : program_.order) {
        if (making && !makes_communicator(s)) continue;
        if (auto error = put_site(s)) return *error;
      }
    }
    return finish();
  }

 private:
  std::optional<Error> put_trips(const Parameter& p) {
    auto value = evaluate_in_time(p);
    if (!value) return value.error();
    trips_[p.slot.item] = std::move(*value);
    borders_[p.slot.item] = last_borders_;
    has_trips_[p.slot.item] = true;
    note_who_comes(p.slot.item);
    return std::nullopt;
  }

  // All columns of a call, unless they are there.
  std::optional<Error> put_site(std::uint32_t s) {
    const auto site = columns_of(s);
    std::vector<Value>& columns = columns_[s];
    if (columns.size() == site.size()) return std::nullopt;
    if (needs_places_ && local_.is_split(site)) {
      auto values = local_.split(site, others());
      if (!values) return named(site.front(), values.error());
      if (budget_.left == 0) return named(site.front(), too_long());
      columns = std::move(*values);
      return std::nullopt;
    }
    for (const Parameter& p : site) {
      if (p.shape.is_element) length_borders_ = last_borders_;
      auto value = evaluate_in_time(p);
      if (!value) return value.error();
      columns.push_back(std::move(*value));
      note_whole(s);
    }
    if (needs_places_) local_.note(site, columns);
    return std::nullopt;
  }

  Result<Value> evaluate_in_time(const Parameter& p) {
    auto value = evaluate(p);
    if (value && budget_.left == 0) return named(p, too_long());
    return value;
  }

  Result<Value> evaluate(const Parameter& p) {
    if (p.law.form == Law::Form::distribution) {
      last_borders_.clear();
      return draw(p);
    }
    if (p.law.local || p.law.form == Law::Form::placed) {
      auto value = local_.column(p, columns_of(p.slot.site), others());
      if (!value) return named(p, value.error());
      return value;
    }
    const Law law = substitute(p.law, program_.problem.bindings_wanted());
    auto values = LawValues::make(law, p.shape, grids_, ranks_);
    if (!values) return named(p, values.error());
    if (p.law.depth) return count_from_depth(p, *values);
    const bool walks = p.law.form == Law::Form::indexed;
    if (!values->is_of_rank() && (!walks || chain_is_uniform(p))) {
      auto series = values->series(0, [&] { return walk(p, 0); });
      if (!series) return named(p, no_value());
      last_borders_.clear();
      return uniform(p.law.encoding, series->empty() ? Series::constant(0) : std::move(*series));
    }
    return evaluate_ranks(p, *values);
  }

  bool makes_communicator(std::uint32_t site) const {
    const trace::Function& f = trace::function(program_.sites[site].function);
    return trace::made_column(f, trace::Kind::comm).has_value();
  }

  // The columns of a call, one after the other.
  std::span<const Parameter> columns_of(std::uint32_t site) const {
    const auto n = trace::function(program_.sites[site].function).columns();
    return std::span(program_.parameters).subspan(first_column_[site], n);
  }

  LocalValues::Columns others() {
    return [this](const Parameter& p) -> Result<Value> {
      if (p.law.local) return Error{"the members of its communicator are not known there"};
      return evaluate(p);
    };
  }

  // Of a law whose numbers count from the depth of a recursion.
  Result<Value> count_from_depth(const Parameter& p, LawValues& values) {
    const auto depths = depths_of(p.law.depth->descent);
    if (!depths) return named(p, depths.error());
    auto out = local_.counted_from(p, **depths, values);
    if (!out) return named(p, out.error());
    last_borders_ = std::move(out->borders);
    last_takes_ = std::move(out->takes);
    return std::move(out->values);
  }

  // Before a recursion, communicators must be known that are made before it.
  Result<const std::vector<std::int64_t>*> depths_of(std::uint32_t descent) {
    std::vector<std::int64_t>& depths = depths_[descent];
    if (!depths.empty()) return &depths;
    if (descending_[descent]) return Error{"the depth of its recursion follows from itself"};
    descending_[descent] = true;
    const Descent& d = program_.descents[descent];
    for (const std::uint32_t s : program_.order) {
      if (s == d.site) break;
      const auto chain = chain_to(program_.tree, program_.tree.leaf_of[s]);
      const bool is_known =
          std::ranges::all_of(chain, [&](std::uint32_t item) { return has_trips_[item]; });
      if (!is_known || !makes_communicator(s)) continue;
      if (auto error = put_site(s)) return *error;
    }
    auto found = local_.depths(d, columns_of(d.site), budget_);
    if (!found) return found.error();
    depths = std::move(*found);
    return &depths;
  }

  // One stretch of ranks after the other that have something in common.
  Result<Value> evaluate_ranks(const Parameter& p, LawValues& values) {
    const bool relative = may_reencode(p);
    PieceCollector out(p.law.encoding, relative, ranks_);
    const Stretches stretches = comes_of(p.slot);
    for (std::int64_t r = 0; r < ranks_;) {
      bool comes = true;
      std::int64_t end = end_of_stretch(stretches, r, comes);
      if (comes && p.law.form == Law::Form::indexed) end = std::min(end, next_border(p, r));
      const auto ranks = static_cast<std::uint64_t>(end - r);
      auto piece = comes ? values.piece(r, ranks, relative, [&] { return walk(p, r); })
                         : std::optional(Piece::absent(ranks));
      if (!piece) return named(p, no_value());
      r += static_cast<std::int64_t>(piece->ranks);
      out.add(std::move(*piece));
    }
    last_borders_ = out.borders();
    last_takes_ = out.takes();
    return out.finish();
  }

  // Behind the last rank that comes, or does not come, as this one.
  std::int64_t end_of_stretch(const Stretches& stretches, std::int64_t rank, bool& comes) const {
    if (stretches == nullptr) return ranks_;
    const auto next = std::ranges::upper_bound(*stretches, rank, {}, &Stretch::begin);
    comes = std::prev(next)->comes;
    return next == stretches->end() ? ranks_ : next->begin;
  }

  // Behind the last rank whose loops go round, and whose lists are as long, as this one's.
  std::int64_t next_border(const Parameter& p, std::int64_t rank) const {
    std::int64_t end = ranks_;
    const auto narrow = [&](const std::vector<std::int64_t>& borders) {
      const auto next = std::ranges::upper_bound(borders, rank);
      if (next != borders.end()) end = std::min(end, *next);
    };
    for (const std::uint32_t item : p.shape.chain) narrow(borders_[item]);
    if (p.shape.is_element) narrow(length_borders_);
    return end;
  }

  // Trips that depend on the data, the same on all ranks.
  Result<Value> draw(const Parameter& p) const {
    if (!chain_is_uniform(p)) {
      return named(
          p,
          Error{"ranks come to the loop differently often, and would draw different trip counts"});
    }
    std::uint64_t passes = 0;
    for (SlotWalk w = walk(p, 0); w.next();) ++passes;
    const std::vector<double> point = time_point(program_.problem, ranks_);
    return uniform(p.law.encoding, draw_trips(p.law, point, passes, p.slot.item));
  }

  static Error too_long() {
    return Error{"it has more values than may be written down; choose fewer ranks"};
  }

  static Error no_value() {
    return Error{"its law has no value at this number of ranks; choose another"};
  }

  Error named(const Parameter& p, const Error& error) const {
    const SlotName name = name_of(p.slot, program_.tree, program_.sites, traces_);
    return Error{"the " + name.text() + " cannot be extrapolated (" + print(p.law) +
                 "): " + error.message};
  }

  // Ranks of a communicator of all may be written otherwise.
  bool may_reencode(const Parameter& p) const {
    if (p.slot.is_trips() || p.law.encoding != Encoding::absolute) return false;
    const trace::Function& f = trace::function(program_.sites[p.slot.site].function);
    if (!compress::holds_ranks(f, p.slot.column)) return false;
    if (f.communicator < 0) return false;
    const auto communicator = static_cast<std::uint32_t>(f.communicator);
    if (f.scalars[communicator].kind != trace::Kind::comm) return false;
    const auto found = std::ranges::find_if(program_.parameters, [&](const Parameter& q) {
      return q.slot.site == p.slot.site && q.slot.column == communicator;
    });
    if (found == program_.parameters.end() || found->law.form != Law::Form::series ||
        found->law.depth) {
      return false;
    }
    const Series& series = found->law.series;
    return series.is_constant() && whole_.contains(series.at(0));
  }

  // A communicator of all ranks in their order, as one with a topology mostly is, once the columns
  // of the call that makes it are there: its number, the rank in it, and how many ranks it has.
  void note_whole(std::uint32_t site) {
    const auto& columns = trace::function(program_.sites[site].function).scalars;
    const std::vector<Value>& values = columns_[site];
    const std::size_t n = values.size();
    if (n < 3 || n > columns.size() || columns[n - 3].kind != trace::Kind::comm ||
        columns[n - 2].kind != trace::Kind::integer ||
        columns[n - 1].kind != trace::Kind::integer) {
      return;
    }
    const Value& rank = values[n - 2];
    const auto& terms = rank.by_stream.terms();
    const bool in_order = rank.classes.empty() && terms.size() == 1 && terms[0].is_run() &&
                          terms[0].value == 0 && terms[0].step == 1;
    if (in_order && values[n - 1] == Value::constant(ranks_) && values[n - 3].is_constant()) {
      whole_.insert(values[n - 3].by_stream.at(0));
    }
  }

  bool chain_is_uniform(const Parameter& p) const {
    bool uniform =
        std::ranges::all_of(p.shape.chain, [&](std::uint32_t i) { return is_uniform(trips_[i]); });
    if (p.shape.is_element) uniform = uniform && is_uniform(columns_[p.slot.site].back());
    return uniform;
  }

  SlotWalk walk(const Parameter& p, std::int64_t rank) const {
    const auto stream = static_cast<std::uint64_t>(rank);
    std::vector<NumberCursor> chain;
    for (const std::uint32_t i : p.shape.chain) chain.emplace_back(trips_[i], stream);
    const Toll toll{&budget_, 1 + p.law.number.expression.nodes() / kNodesOfAStep};
    if (!p.shape.is_element) return {p.shape, std::move(chain), {}, toll};
    return {p.shape, std::move(chain), NumberCursor(columns_[p.slot.site].back(), stream), toll};
  }

  std::optional<SlotWalk> walk_of(const Parameter& p, std::int64_t rank) const {
    bool comes = true;
    end_of_stretch(comes_of(p.slot), rank, comes);
    return comes ? std::optional(walk(p, rank)) : std::nullopt;
  }

  // The ranks that pass by a slot.
  Stretches comes_of(const Slot& slot) const {
    return slot.is_trips() && slot.item == 0 ? nullptr
           : slot.is_trips()                 ? comes_[program_.tree.items[slot.item].parent]
                                             : comes_[slot.item];
  }

  // Who takes an item at all, given who passes by it.
  void note_who_comes(std::uint32_t item) {
    const Stretches above = item == 0 ? nullptr : comes_[program_.tree.items[item].parent];
    comes_[item] = above;
    if (is_uniform(trips_[item])) return;
    std::vector<Stretch> out;
    for (std::size_t i = 0; i < last_borders_.size(); ++i) {
      const std::int64_t next = i + 1 < last_borders_.size() ? last_borders_[i + 1] : ranks_;
      for (std::int64_t r = last_borders_[i]; r < next;) {
        bool comes = true;
        const std::int64_t end = std::min(next, end_of_stretch(above, r, comes));
        comes = comes && last_takes_[i];
        if (out.empty() || out.back().comes != comes) out.push_back({r, comes});
        r = end;
      }
    }
    comes_[item] = std::make_shared<const std::vector<Stretch>>(std::move(out));
  }

  trace::Trace finish() {
    trace::Trace out;
    const trace::Trace& like = *std::ranges::max_element(traces_, {}, &trace::Trace::ranks);
    out.mpi = like.mpi;
    out.date = like.date;
    out.ranks = static_cast<std::uint64_t>(ranks_);
    out.symbolized = like.symbolized;
    out.options = like.options + (like.options.empty() ? "" : ", ") + "extrapolated from";
    for (std::size_t i = 0; i < program_.ranks.size(); ++i) {
      out.options += (i > 0 ? ", " : " ") + std::to_string(program_.ranks[i]);
    }
    out.options += " ranks";
    CallpathCopier callpaths(out);
    std::vector<std::uint32_t> call_of(program_.sites.size());
    for (const std::uint32_t s : program_.order) {
      const Site& site = program_.sites[s];
      call_of[s] = static_cast<std::uint32_t>(out.calls.size());
      out.calls.push_back({site.function, callpaths.copy(traces_[site.input], site.callpath),
                           std::move(columns_[s])});
    }
    out.root = compress::lay_out_items(program_.tree, trips_, call_of, out.streams());
    put_times(out, program_.times, call_of, time_point(program_.problem, ranks_));
    return out;
  }

  const Scalable& program_;
  std::span<const trace::Trace> traces_;
  Grids grids_;
  std::int64_t ranks_;
  std::vector<Value> trips_;                        // per item
  std::vector<Stretches> comes_;                    // per item: the ranks that take it
  std::vector<std::vector<Value>> columns_;         // per site
  std::vector<std::size_t> first_column_;           // per site: index of its parameter
  std::vector<std::vector<std::int64_t>> borders_;  // per item: where the trips of ranks change
  std::vector<bool> has_trips_;                     // per item: they are there
  std::vector<std::vector<std::int64_t>> depths_;   // [descents x ranks], or empty
  std::vector<bool> descending_;                    // per descent: it is sought, or there
  std::vector<std::int64_t> last_borders_;          // of the parameter before
  std::vector<bool> last_takes_;                    // whether it is more than 0 between them
  std::vector<std::int64_t> length_borders_;
  LocalValues local_;
  bool needs_places_;
  mutable Budget budget_;                        // steps of walks
  std::set<std::int64_t> whole_{trace::kWorld};  // communicators of all ranks in their order
};

}  // namespace

Result<trace::Trace> instantiate(const Scalable& program, std::span<const trace::Trace> traces,
                                 const Request& request) {
  return Instantiator(program, traces, request).run();
}

}  // namespace reprise::extrapolate
