#include "program/laws/numbers.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "program/conditions/streams.hpp"
#include "program/laws/law.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

constexpr std::size_t kMostCases = 12;  // values that are told apart by conditions
constexpr std::size_t kMostSets = 2;    // of these, that no simple condition tells
constexpr Bits kSetBits = 40;           // of looking up ranks in one, beside its length
constexpr int kMostLaws = 2;            // laws before the rest is cases or a table

using Samples = std::vector<Sample>;

Streams streams_of(const Samples& samples) {
  Streams out;
  for (const Sample& s : samples) out.push_back(s.stream);
  return out;
}

class Explainer {
 public:
  Explainer(Conditions& conditions, const NumberOptions& options)
      : conditions_(conditions), space_(conditions.space()), options_(options) {}

  Explained run(const Samples& samples, const Places* places, const Streams& all, int laws) const {
    const bool same = std::ranges::all_of(
        samples, [&](const Sample& s) { return s.value == samples.front().value; });
    if (same) {
      const std::int64_t v = samples.front().value;
      return one(samples, all, Expr(v), bits_of(v));
    }
    Explained best = table(samples, all);
    const auto offer = [&best](Explained e) {
      if (e.bits < best.bits) best = std::move(e);
    };
    if (samples.size() <= kMostStreams) offer(cases(samples, all));
    if (options_.is_name || samples.size() > kMostStreams) return best;
    NumberOptions options = options_;
    options.places = places;
    if (const auto law = law_of(space_, samples, options))
      offer(one(samples, all, law->content, law->bits));
    if (laws > 0) offer_pieces(samples, places, all, laws, offer);
    return best;
  }

 private:
  Who who(Streams streams, const Streams& all, Bits& bits) const {
    const Condition c = conditions_.of(streams, all);
    bits += c.bits + (c.expression ? 0 : kSetBits);
    return {std::make_shared<const Streams>(std::move(streams)), c.expression, {}, {}};
  }

  Explained one(const Samples& samples, const Streams& all, Content content, Bits bits) const {
    Explained out{{}, bits};
    Who w = who(streams_of(samples), all, out.bits);
    out.cases.push_back({std::move(w), std::move(content)});
    return out;
  }

  Explained table(const Samples& samples, const Streams& all) const {
    trace::SeriesFolder folder;
    for (const Sample& s : samples) folder.append(s.value);
    ByStream values{folder.finish()};
    const Bits bits = kTableBits + bits_of(values.values);
    return one(samples, all, std::move(values), bits);
  }

  // A case for each value, the one of most streams last.
  Explained cases(const Samples& samples, const Streams& all) const {
    std::map<std::int64_t, Streams> by_value;
    for (const Sample& s : samples) {
      by_value[s.value].push_back(s.stream);
      if (by_value.size() > kMostCases) return {{}, kNever};
    }
    std::vector<std::pair<std::int64_t, Streams>> groups(by_value.begin(), by_value.end());
    std::ranges::stable_sort(groups, {}, [](const auto& g) { return g.second.size(); });
    std::ranges::stable_sort(groups.begin(), groups.end() - 1, {},
                             [](const auto& g) { return g.second.front(); });
    Explained out;
    std::size_t sets = 0;
    Streams left = all;
    for (auto& [value, streams] : groups) {
      out.bits += 2 + bits_of(value);
      const bool is_last = &streams == &groups.back().second;
      Streams here = is_last && all.size() == samples.size() ? left : streams;
      Who w = who(here, left, out.bits);
      // A reader looks up each rank of a set, or of "rank == 3 || rank == 48": a table by rank says
      // the same in one place.
      const bool is_list = !w.condition || w.condition->op() == expr::Op::logical_or;
      sets += is_list && !is_last;
      if (sets > kMostSets) return {{}, kNever};
      left = without(left, here);
      out.cases.push_back({std::move(w), Expr(value)});
    }
    return out;
  }

  struct Part {
    Samples samples;
    Places places;
  };

  // The samples for which `holds` is true, and the others.
  static std::pair<Part, Part> split(const Samples& samples, const Places* places,
                                     const std::function<bool(std::size_t)>& holds) {
    std::pair<Part, Part> out;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Part& part = holds(i) ? out.first : out.second;
      part.samples.push_back(samples[i]);
      if (places) part.places.push_back((*places)[i]);
    }
    return out;
  }

  // The commonest value, or the commonest distance from the rank, on some streams, and what
  // explains the rest.
  template <class Offer>
  void offer_pieces(const Samples& samples, const Places* places, const Streams& all, int laws,
                    const Offer& offer) const {
    const auto by = [&](const std::function<std::int64_t(std::size_t)>& key) {
      std::map<std::int64_t, std::size_t> counts;
      for (std::size_t i = 0; i < samples.size(); ++i) ++counts[key(i)];
      const auto most =
          std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
      if (counts.size() < 2 || most->second < 2) return;
      auto [part, rest] =
          split(samples, places, [&](std::size_t i) { return key(i) == most->first; });
      // What is left over is told first: it is the exception.
      const Streams exceptions = streams_of(rest.samples);
      Explained first = run(rest.samples, places ? &rest.places : nullptr, all, laws - 1);
      const Streams left = without(all, exceptions);
      Explained second = run(part.samples, places ? &part.places : nullptr, left, 0);
      first.bits += second.bits + 4;
      std::ranges::move(second.cases, std::back_inserter(first.cases));
      offer(std::move(first));
    };
    by([&](std::size_t i) { return samples[i].value; });
    if (!options_.is_peer) return;
    by([&](std::size_t i) {
      return trace::wrapping_sub(samples[i].value, space_.rank(samples[i].stream));
    });
    if (places)
      by([&](std::size_t i) { return trace::wrapping_sub(samples[i].value, (*places)[i].rank); });
  }

  Conditions& conditions_;
  const Space& space_;
  const NumberOptions& options_;
};

}  // namespace

Explained explain_numbers(Conditions& conditions, const std::vector<Sample>& samples,
                          const Streams& all, const NumberOptions& options) {
  return Explainer(conditions, options).run(samples, options.places, all, kMostLaws);
}

}  // namespace reprise::program
