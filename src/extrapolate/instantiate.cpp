#include "extrapolate/instantiate.hpp"

#include <algorithm>
#include <memory>

#include "compress/rank_columns.hpp"
#include "compress/stream_values.hpp"
#include "compress/tidy.hpp"
#include "extrapolate/callpaths.hpp"
#include "extrapolate/evaluate.hpp"
#include "extrapolate/trip_distribution.hpp"
#include "trace/predefined.hpp"

namespace reprise::extrapolate {
namespace {

using compress::LoopTree;
using trace::Encoding;
using trace::Series;
using trace::Value;

bool is_uniform(const Value& value) { return value.is_constant() || value.classes.size() == 1; }

Value uniform(Encoding encoding, Series series) {
  if (series.is_constant())
    return {.encoding = encoding, .by_stream = std::move(series), .classes = {}};
  return {.encoding = encoding, .by_stream = {}, .classes = {std::move(series)}};
}

// Puts the series of all ranks together.
class Collector {
 public:
  Collector(Encoding encoding, bool reencode, std::int64_t ranks)
      : encoding_(encoding), ranks_(ranks), forms_(reencode ? 3 : 1) {}

  void add(std::int64_t rank, const Series& series) {
    if (forms_.size() > 1 && !series.empty() && !series.is_constant()) forms_.resize(1);
    for (std::size_t f = 0; f < forms_.size(); ++f) {
      if (f == 0 || series.empty()) {
        forms_[f].add(series, 1);
        continue;
      }
      const auto e = static_cast<Encoding>(f);
      forms_[f].add(Series::constant(trace::encode_rank(e, series.at(0), rank, ranks_)), 1);
    }
  }

  Value finish() const {
    Value best = forms_.front().finish(encoding_);
    for (std::size_t f = 1; f < forms_.size(); ++f) {
      Value other = forms_[f].finish(static_cast<Encoding>(f));
      if (size_of(other) < size_of(best)) best = std::move(other);
    }
    return best;
  }

 private:
  static std::size_t size_of(const Value& value) {
    ByteWriter out;
    value.encode(out);
    return out.size();
  }

  Encoding encoding_;
  std::int64_t ranks_;
  std::vector<compress::SharedSeries> forms_;
};

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
        columns_(program.sites.size()) {}

  Result<trace::Trace> run() {
    for (const Parameter& p : program_.parameters) {
      auto value = evaluate(p);
      if (!value) return value.error();
      if (p.slot.is_trips()) {
        trips_[p.slot.item] = std::move(*value);
        note_who_comes(p.slot.item);
      } else {
        columns_[p.slot.site].push_back(std::move(*value));
      }
    }
    return finish();
  }

 private:
  Result<Value> evaluate(const Parameter& p) {
    if (p.law.form == Law::Form::distribution) return draw(p);
    const Law law = substitute(p.law, program_.problem.bindings_wanted());
    auto values = LawValues::make(law, p.shape, grids_, ranks_);
    if (!values) return named(p, values.error());
    const bool walks = p.law.form == Law::Form::indexed;
    if (!values->is_of_rank() && (!walks || chain_is_uniform(p))) {
      auto series = values->series(0, [&] { return walk(p, 0); });
      if (!series) return named(p, no_value());
      return uniform(p.law.encoding, series->empty() ? Series::constant(0) : std::move(*series));
    }
    const std::vector<bool>* comes = comes_of(p.slot).get();
    Collector out(p.law.encoding, may_reencode(p), ranks_);
    for (std::int64_t r = 0; r < ranks_; ++r) {
      if (comes != nullptr && !(*comes)[static_cast<std::size_t>(r)]) {
        out.add(r, Series());
        continue;
      }
      const auto series = values->series(r, [&] { return walk(p, r); });
      if (!series) return named(p, no_value());
      out.add(r, *series);
    }
    return out.finish();
  }

  // Trips that depend on the data, the same on all ranks.
  Result<Value> draw(const Parameter& p) const {
    if (!chain_is_uniform(p)) {
      return named(p, Error{"ranks come by differently often, and would draw different trips"});
    }
    std::uint64_t passes = 0;
    for (SlotWalk w = walk(p, 0); w.next();) ++passes;
    const std::vector<double> point = time_point(program_.problem, ranks_);
    return uniform(p.law.encoding, draw_trips(p.law, point, passes, p.slot.item));
  }

  static Error no_value() {
    return Error{"its law has no value at this number of ranks; choose another"};
  }

  Error named(const Parameter& p, const Error& error) const {
    const SlotName name = name_of(p.slot, program_.tree, program_.sites, traces_);
    return Error{"the " + name.parameter + " of " + name.function + " in " + name.place +
                 " cannot be extrapolated (" + print(p.law) + "): " + error.message};
  }

  // Absolute ranks of the world may be written otherwise.
  bool may_reencode(const Parameter& p) const {
    if (p.slot.is_trips() || p.law.encoding != Encoding::absolute) return false;
    const trace::Function& f = trace::function(program_.sites[p.slot.site].function);
    if (!compress::holds_ranks(f, p.slot.column)) return false;
    const auto where = static_cast<std::size_t>(f.communicator);
    return where < columns_[p.slot.site].size() &&
           columns_[p.slot.site][where] == Value::constant(trace::kWorld);
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
    if (!p.shape.is_element) return {p.shape, std::move(chain)};
    return {p.shape, std::move(chain), NumberCursor(columns_[p.slot.site].back(), stream)};
  }

  // The ranks that pass by a slot; null: all.
  using Comes = std::shared_ptr<const std::vector<bool>>;
  Comes comes_of(const Slot& slot) const {
    return slot.is_trips() && slot.item == 0 ? nullptr
           : slot.is_trips()                 ? comes_[program_.tree.items[slot.item].parent]
                                             : comes_[slot.item];
  }

  // Who takes an item at all, given who passes by it.
  void note_who_comes(std::uint32_t item) {
    const Comes above = item == 0 ? nullptr : comes_[program_.tree.items[item].parent];
    const Value& trips = trips_[item];
    if (is_uniform(trips)) {
      comes_[item] = above;
      return;
    }
    const auto none = Series::constant(0);
    std::vector<bool> takes;
    for (const Series& s : trips.classes) takes.push_back(s != none);
    std::vector<bool> out(static_cast<std::size_t>(ranks_));
    trace::SeriesCursor stream(trips.by_stream);
    for (std::size_t r = 0; r < out.size(); ++r) {
      const std::int64_t v = stream.next();
      const bool taken = takes.empty() ? v != 0 : takes[static_cast<std::size_t>(v)];
      out[r] = taken && (above == nullptr || (*above)[r]);
    }
    comes_[item] = std::make_shared<const std::vector<bool>>(std::move(out));
  }

  trace::Trace finish() {
    trace::Trace out;
    const trace::Trace& like = *std::ranges::max_element(traces_, {}, &trace::Trace::ranks);
    out.mpi = like.mpi;
    out.date = like.date;
    out.ranks = static_cast<std::uint64_t>(ranks_);
    out.symbolised = like.symbolised;
    out.options = like.options + (like.options.empty() ? "" : ", ") + "extrapolated from";
    for (std::size_t i = 0; i < program_.ranks.size(); ++i) {
      out.options += (i > 0 ? ", " : " ") + std::to_string(program_.ranks[i]);
    }
    out.options += " ranks";
    CallpathCopier callpaths(out);
    std::vector<std::uint32_t> call_of(program_.sites.size());
    for (const std::uint32_t s : program_.graph.order()) {
      const Site& site = program_.sites[s];
      call_of[s] = static_cast<std::uint32_t>(out.calls.size());
      out.calls.push_back({site.function, callpaths.copy(traces_[site.input], site.callpath),
                           std::move(columns_[s])});
    }
    out.root = compress::lay_out_items(program_.tree, std::move(trips_), call_of);
    put_times(out, program_.times, call_of, time_point(program_.problem, ranks_));
    return out;
  }

  const Scalable& program_;
  std::span<const trace::Trace> traces_;
  Grids grids_;
  std::int64_t ranks_;
  std::vector<Value> trips_;                 // per item
  std::vector<Comes> comes_;                 // per item: the ranks that take it; null: all
  std::vector<std::vector<Value>> columns_;  // per site
};

}  // namespace

Result<trace::Trace> instantiate(const Scalable& program, std::span<const trace::Trace> traces,
                                 const Request& request) {
  return Instantiator(program, traces, request).run();
}

}  // namespace reprise::extrapolate
