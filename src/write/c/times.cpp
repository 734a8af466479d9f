#include "write/c/times.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "program/program.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_map.hpp"
#include "write/c/spread.hpp"
#include "write/c/tables.hpp"
#include "write/rounded.hpp"
#include "write/series_terms.hpp"

namespace reprise::write::c {
namespace {

using program::Streams;
using trace::Bin;
using trace::DeltaTimes;
using trace::Path;

// Of what a stream computes in all: from which share on it notices a difference.
constexpr double kNoticed = 0.001;
// Groups of executions that explain less of the variation are no better than drawing from all.
constexpr double kOfModes = 0.5;
// From this concordance on, the same executions are long on all streams.
constexpr double kSame = 0.9;
// Noise evens out in part.
constexpr double kOfNoise = 0.5;
constexpr double kUnits = 1000;  // of shares
// Where nothing of the trace came before, and any other place: START and ANYWHERE.
constexpr std::int64_t kStart = -1, kAnywhere = -2;

using Numbers = std::vector<std::int64_t>;  // by stream of the trace
using Paths = std::vector<const Path*>;

// Distributions around the mean.
struct Draws {
  std::vector<std::size_t> spreads;  // those that streams of the call draw from
  Numbers which = {};                // by stream: one of them
  double draws = 0;                  // executions that share one
  Numbers draws_of = {};             // by stream, if they differ
  bool together = false;
};

struct Row {
  std::int64_t site = 0, from = kAnywhere;
  double ns = 0;
  Numbers by_rank = {};
  std::optional<trace::Value> by_execution = {};
  std::uint64_t executions = 0;  // of that
  Numbers shares = {};
  std::optional<Draws> drawn = {};
};

// What a stream draws from, null: it never comes there; and how much of its deviation is the
// stream's own [ns].
struct Drawn {
  const trace::Histogram* from;
  double deviation;
};

class Writer {
 public:
  Writer(const trace::Trace& trace, const std::vector<std::uint32_t>& sites, Names& names)
      : trace_(trace), sites_(sites), names_(names), site_of_(trace.calls.size(), kStart) {
    for (std::size_t i = 0; i < sites.size(); ++i)
      site_of_[sites[i]] = static_cast<std::int64_t>(i);
    // A sum for each of a few streams tells enough.
    const std::uint64_t step = std::max<std::uint64_t>(1, trace.streams() / 64);
    for (std::uint64_t s = 0; s < trace.streams(); s += step) {
      double sum = 0;
      for (const trace::CallTimes& t : trace.times) {
        for (const Path& p : t.paths) {
          if (p.compute.count_of(s) > 0) sum += p.compute.sum_of(s);
        }
      }
      budget_ = std::max(budget_, sum);
    }
    // Beside the run as a whole, what is computed in a moment is not seen.
    budget_ = std::max(budget_, 1e3 * static_cast<double>(trace.duration));
  }

  TimeRows run() {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      if (sites_[i] >= trace_.times.size()) continue;
      if (trace::begins_mpi(trace::function(trace_.calls[sites_[i]].function))) continue;
      for (Row& row : rows_of(sites_[i])) {
        row.site = static_cast<std::int64_t>(i);
        rows.push_back(std::move(row));
      }
    }
    TimeRows out;
    out.rows = rows.size();
    define_rows(rows, out.definitions);
    out.overlaps = define_overlaps(out.definitions);
    return out;
  }

 private:
  double noticed() const { return kNoticed * budget_; }
  bool matters(double ns) const { return ns > noticed(); }
  bool is_noise_noticed(std::uint64_t executions, double deviation) const {
    return matters(kOfNoise * static_cast<double>(executions) * deviation);
  }

  // --- what is told

  std::vector<std::uint64_t> counts_of(const std::vector<const DeltaTimes*>& times) const {
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t s : streams_) {
      counts.push_back(0);
      for (const DeltaTimes* t : times) counts.back() += t->count_of(s);
    }
    return counts;
  }

  std::uint64_t most_of(const DeltaTimes& times) const {
    return std::ranges::max(counts_of({&times}));
  }

  static std::vector<const DeltaTimes*> times_of(const Paths& paths) {
    std::vector<const DeltaTimes*> out;
    for (const Path* p : paths) out.push_back(&p->compute);
    return out;
  }

  // By stream of the trace; those that do not ask have what the one before has.
  Numbers spread_out(const Numbers& of_call) const {
    Numbers out;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      out.resize(streams_[i], out.empty() ? of_call[i] : out.back());
      out.push_back(of_call[i]);
    }
    return out;
  }

  std::vector<Row> rows_of(std::uint32_t call) {
    streams_.clear();
    Paths paths;
    Bin all;
    for (const Path& p : trace_.times[call].paths) {
      const Bin total = p.compute.total();
      if (total.count == 0) continue;
      all.add(total);
      paths.push_back(&p);
    }
    if (paths.empty()) return {};
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      if (std::ranges::any_of(paths, [&](const Path* p) { return p->compute.count_of(s) > 0; }))
        streams_.push_back(s);
    }
    if (streams_.empty()) return {};
    if (paths.size() == 1) return {of_path(*paths[0])};
    std::ranges::stable_sort(paths, {}, [](const Path* p) { return p->compute.total().count; });
    bool differ = false, matter = false;
    for (const Path* p : paths) {
      const auto n = static_cast<double>(most_of(p->compute));
      differ |= matters(n * std::abs(p->compute.total().mean() - all.mean()));
      matter |= matters(n * all.mean());
      differ = differ || (!p->modes.empty() && groups(*p).differ);
    }
    if (!differ) {
      if (matter) return {of_delta(times_of(paths))};
      return {{.ns = rounded(all.mean(), 4)}};
    }
    // Those that nobody tells apart are one, which comes last.
    const Paths same = alike(paths);
    if (same.size() > 1) {
      std::erase_if(paths, [&](const Path* p) { return std::ranges::find(same, p) != same.end(); });
      paths.push_back(same.back());
    }
    std::vector<Row> out;
    for (const Path* p : paths) {
      const bool is_last = p == paths.back();
      Row row = is_last && same.size() > 1 ? of_delta(times_of(same)) : of_path(*p);
      if (!is_last) row.from = p->from < site_of_.size() ? site_of_[p->from] : kStart;
      out.push_back(std::move(row));
    }
    return out;
  }

  // What each stream takes in all is known: of what a class varies by, that of a stream's own [ns].
  double own_deviation(const DeltaTimes& times, const trace::Histogram& of_class) const {
    const Bin total = of_class.total();
    double streams = 0, between = 0;  // squared distances of their means [ns^2]
    for (const std::uint64_t s : streams_) {
      if (times.class_for(s) != &of_class) continue;
      const auto n = static_cast<double>(times.count_of(s));
      const double apart = times.sum_of(s) / n - total.mean();
      between += n * apart * apart;
      ++streams;
    }
    const auto n = static_cast<double>(total.count);
    if (n <= streams) return total.deviation();
    return std::min(total.deviation(),
                    std::sqrt(std::max(0.0, total.squares - between) / (n - streams)));
  }

  // Of several deltas as of one.
  Row of_delta(const std::vector<const DeltaTimes*>& times) {
    Row out;
    Bin all;
    for (const DeltaTimes* t : times) all.add(t->total());
    if (all.count == 0) return out;
    const DeltaTimes& most =
        **std::ranges::max_element(times, {}, [](const DeltaTimes* t) { return t->total().count; });
    const std::vector<std::uint64_t> counts = counts_of(times);
    std::map<const trace::Histogram*, double> deviations;
    for (const trace::Histogram& h : most.classes) deviations[&h] = own_deviation(most, h);
    std::vector<Drawn> drawn;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const trace::Histogram* h = most.class_for(streams_[i]);
      const double left = 1 - 1 / static_cast<double>(std::max<std::uint64_t>(1, counts[i]));
      drawn.push_back({h, h ? std::sqrt(left) * deviations[h] : 0});
    }
    out.drawn = draws(drawn, counts, most.concordance > 0.5);
    out.ns = rounded(all.mean(), 4);
    out.by_rank = by_rank(times, all.mean());
    return out;
  }

  // The mean of each stream; empty: nobody tells them apart.
  Numbers by_rank(const std::vector<const DeltaTimes*>& times, double mean) const {
    Numbers means;
    bool differ = false;
    for (const std::uint64_t s : streams_) {
      double n = 0, sum = 0;
      for (const DeltaTimes* t : times) {
        if (t->count_of(s) == 0) continue;
        n += static_cast<double>(t->count_of(s));
        sum += t->sum_of(s);
      }
      const double own = n > 0 ? sum / n : mean;
      differ |= matters(n * std::abs(own - mean));
      means.push_back(static_cast<std::int64_t>(rounded(own, 3)));
    }
    return differ ? spread_out(means) : Numbers{};
  }

  // The modes of a path, by stream of the call.
  struct Groups {
    Streams models;                          // whose modes they are
    std::vector<std::vector<double>> means;  // by mode [ns]
    std::vector<double> sums;                // what a stream takes if all take the mean [ns]
    double left = 0;      // of the variance within modes, beside what the sums of streams tell
    bool differ = false;  // enough to be told
  };

  // The stream whose modes stand for those of each of the call. Where the same executions are long
  // on all, those that follow a pattern of their own owe it to noise.
  Streams models(const Path& path) const {
    if (path.compute.concordance < kSame || path.mode_of.classes.size() < 2) return streams_;
    std::map<std::pair<std::int64_t, std::uint64_t>, Streams> by_pattern;
    for (const std::uint64_t s : streams_)
      by_pattern[{path.mode_of.by_stream.at(s), path.compute.count_of(s)}].push_back(s);
    const auto most = std::ranges::max_element(
        by_pattern, {}, [](const auto& streams) { return streams.second.size(); });
    Streams out;
    for (const std::uint64_t s : streams_) {
      const bool same = path.mode_of.by_stream.at(s) == most->first.first ||
                        path.compute.count_of(s) != most->first.second;
      out.push_back(same ? s : most->second.front());
    }
    return out;
  }

  Groups groups(const Path& path) const {
    Groups out;
    out.models = models(path);
    std::vector<bool> by_class;
    double within = 0, between = 0;  // squared distances from means [ns^2]
    for (const DeltaTimes& mode : path.modes) {
      for (const trace::Histogram& h : mode.classes) within += h.total().squares;
      const double mean = mode.total().mean();
      by_class.push_back(std::ranges::any_of(out.models, [&](std::uint64_t s) {
        const trace::Histogram* h = mode.class_for(s);
        return h &&
               matters(static_cast<double>(mode.count_of(s)) * std::abs(h->total().mean() - mean));
      }));
    }
    double told = 0;  // of the distances within, by what streams take in all
    for (const std::uint64_t s : out.models) {
      std::vector<double>& means = out.means.emplace_back();
      double n = 0, sum = 0, squares = 0;
      for (std::size_t m = 0; m < path.modes.size(); ++m) {
        const trace::Histogram* h = path.modes[m].class_for(s);
        const auto times = static_cast<double>(path.modes[m].count_of(s));
        means.push_back(!h ? 0 : by_class[m] ? h->total().mean() : path.modes[m].total().mean());
        n += times;
        sum += times * means.back();
        squares += times * means.back() * means.back();
      }
      out.sums.push_back(sum);
      if (sum <= 0) continue;
      const double apart = squares - sum * sum / n;
      between += apart;
      out.differ |= matters(std::sqrt(std::max(0.0, n * apart)));
      const double share = path.compute.sum_of(streams_[out.sums.size() - 1]) / sum - 1;
      told += squares * share * share;
    }
    out.left = std::clamp(1 - told / std::max(1.0, within), 0.0, 1.0);
    out.differ &= between > kOfModes * (between + within);
    return out;
  }

  // The mean of the mode of each execution [ns].
  trace::Value group_means(const Path& path, const Groups& groups) const {
    const std::uint64_t most = most_of(path.compute);
    std::map<std::pair<std::int64_t, std::vector<double>>, std::int64_t> known;
    std::vector<std::int64_t> class_of(trace_.streams());
    trace::Value out;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const std::uint64_t s = groups.models[i];
      if (path.compute.count_of(s) == 0) continue;
      const trace::Series* series = path.mode_of.series_of(s);
      const std::int64_t pattern =
          path.mode_of.by_stream.empty() ? 0 : path.mode_of.by_stream.at(s);
      const auto [found, is_new] = known.try_emplace({pattern, groups.means[i]},
                                                     static_cast<std::int64_t>(out.classes.size()));
      class_of[streams_[i]] = found->second;
      if (!is_new) continue;
      const auto mean = [&](std::int64_t mode) {
        const auto m = static_cast<std::size_t>(mode);
        return static_cast<std::int64_t>(m < groups.means[i].size() ? rounded(groups.means[i][m], 4)
                                                                    : 0);
      };
      out.classes.push_back(series ? trace::map_values(*series, most, mean)
                                   : trace::Series::constant(mean(pattern)));
    }
    trace::SeriesFolder fold;
    for (const std::int64_t c : class_of) fold.append(c);
    out.by_stream = fold.finish();
    return out;
  }

  // The factor that each stream takes beside these means; empty: nobody tells them apart.
  Numbers shares(const Path& path, const Groups& groups) const {
    Numbers factors;
    bool differ = false;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const double expected = groups.sums[i];
      const double own = expected > 0 ? path.compute.sum_of(streams_[i]) : 0;
      differ |= matters(std::abs(own - expected));
      factors.push_back(expected > 0 ? std::llround(kUnits * own / expected) : 0);
    }
    return differ ? spread_out(factors) : Numbers{};
  }

  Row of_path(const Path& path) {
    if (path.modes.empty()) return of_delta({&path.compute});
    const Groups found = groups(path);
    if (!found.differ) return of_delta({&path.compute});
    Row out;
    out.ns = rounded(path.compute.total().mean(), 4);
    out.by_execution = group_means(path, found);
    out.executions = most_of(path.compute);
    out.shares = shares(path, found);
    // A stream draws from the mode that takes most of what it takes.
    std::vector<Drawn> drawn;
    for (const std::uint64_t s : found.models) {
      const DeltaTimes& most = *std::ranges::max_element(
          path.modes, {}, [&](const DeltaTimes& m) { return m.count_of(s) > 0 ? m.sum_of(s) : 0; });
      const trace::Histogram* h = most.class_for(s);
      drawn.push_back({h, h ? std::sqrt(found.left) * h->total().deviation() : 0});
    }
    out.drawn = draws(drawn, counts_of({&path.compute}), false);
    return out;
  }

  // Those of the paths whose times nobody tells apart, on the way of all of them.
  Paths alike(Paths paths) const {
    std::uint64_t executions = 0;
    for (const Path* p : paths) executions += most_of(p->compute);
    std::erase_if(paths, [&](const Path* p) {
      const bool varies = std::ranges::any_of(p->compute.classes, [&](const trace::Histogram& h) {
        return is_noise_noticed(executions, h.total().deviation());
      });
      return varies || (!p->modes.empty() && groups(*p).differ);
    });
    while (!paths.empty()) {
      Bin all;
      for (const Path* p : paths) all.add(p->compute.total());
      const auto apart = [&](const Path* p) {
        return static_cast<double>(most_of(p->compute)) *
               std::abs(p->compute.total().mean() - all.mean());
      };
      double sum = 0;
      for (const Path* p : paths) sum += apart(p);
      if (!matters(sum)) break;
      paths.erase(std::ranges::max_element(paths, {}, apart));
    }
    return paths;
  }

  // What executions take of the mean; none if nobody notices. By stream of the call: what it draws
  // from, and how many executions it has.
  std::optional<Draws> draws(const std::vector<Drawn>& drawn,
                             const std::vector<std::uint64_t>& counts, bool together) {
    double deviation = 0, most = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (counts[i] > 1 && is_noise_noticed(counts[i], drawn[i].deviation))
        deviation = std::max(deviation, drawn[i].deviation);
    }
    if (deviation <= 0) return std::nullopt;
    std::map<const trace::Histogram*, std::size_t> known;
    std::size_t usual = 0;  // for who would notice neither the one nor the other
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const Drawn& d = drawn[i];
      if (!d.from || !is_noise_noticed(counts[i], deviation)) continue;
      const Bin total = d.from->total();
      if (total.mean() <= 0) continue;
      const auto [spread, is_new] = known.try_emplace(d.from);
      const double wide = total.deviation();
      if (is_new) spread->second = spread_like(Spread(*d.from, wide > 0 ? d.deviation / wide : 0));
      if (static_cast<double>(total.sum) <= most) continue;
      most = static_cast<double>(total.sum);
      usual = spread->second;
    }
    if (known.empty()) return std::nullopt;
    Draws out;
    out.together = together;
    Numbers which;
    for (const Drawn& d : drawn) {
      const auto own = known.find(d.from);
      const std::size_t spread = own == known.end() ? usual : own->second;
      const auto at = std::ranges::find(out.spreads, spread);
      which.push_back(at - out.spreads.begin());
      if (at == out.spreads.end()) out.spreads.push_back(spread);
    }
    out.which = spread_out(which);
    count_draws(out, counts, deviation);
    return out;
  }

  void count_draws(Draws& out, const std::vector<std::uint64_t>& counts, double deviation) const {
    out.draws = static_cast<double>(std::ranges::max(counts));
    Numbers numbers;
    bool differ = false;
    for (const std::uint64_t n : counts) {
      const auto own = static_cast<double>(n);
      // So much may be missing where a stream takes but some of the draws.
      differ |= matters(deviation * std::sqrt(own * (1 - own / out.draws)));
      numbers.push_back(static_cast<std::int64_t>(n > 0 ? own : out.draws));
    }
    if (differ) out.draws_of = spread_out(numbers);
  }

  // Those that are alike are one, of which the one with most executions tells.
  std::size_t spread_like(Spread spread) {
    for (std::size_t i = 0; i < spreads_.size(); ++i) {
      if (!spread.resembles(spreads_[i])) continue;
      if (spread.executions() > spreads_[i].executions()) spreads_[i] = std::move(spread);
      return i;
    }
    spreads_.push_back(std::move(spread));
    return spreads_.size() - 1;
  }

  // --- how it is written

  static Expression whole(double ns) { return number(std::llround(ns)); }

  static Expression terms(const Numbers& numbers) {
    trace::SeriesFolder folder;
    for (const std::int64_t n : numbers) folder.append(n);
    return plain_terms(folder.finish(), numbers.size());
  }

  void define_rows(const std::vector<Row>& rows, Block& out) {
    if (rows.empty()) return;
    for (const Spread& s : spreads_) {
      spread_names_.push_back(names_.add("SPREAD"));
      std::vector<Expression> all;
      for (const std::int64_t n : s.table()) all.push_back(number(n));
      out.push_back(
          {Declare{"static const int", spread_names_.back(), "[]", list(std::move(all))}});
    }
    std::vector<Expression> all;
    for (const Row& row : rows) all.push_back(row_of(row, out));
    out.push_back({Declare{"static struct computation", "computations", "[]", list(all)}});
  }

  Expression row_of(const Row& row, Block& out) {
    std::vector<Entry> members = {{"site", number(row.site)}};
    members.push_back({"from", row.from == kAnywhere ? name("ANYWHERE")
                               : row.from == kStart  ? name("START")
                                                     : number(row.from)});
    if (row.by_execution) {
      members.push_back({"by_execution", address_of(name(executions_table(row, out)))});
    } else if (row.by_rank.empty()) {
      members.push_back({"ns", whole(row.ns)});
    } else {
      members.push_back({"by_rank", terms(row.by_rank)});
    }
    if (!row.shares.empty()) members.push_back({"shares", terms(row.shares)});
    if (row.drawn) add_draws(*row.drawn, members);
    return initializer(std::move(members));
  }

  std::string executions_table(const Row& row, Block& out) {
    const trace::Value& v = *row.by_execution;
    std::vector<Streams> streams(v.classes.size());
    for (std::uint64_t s = 0; s < trace_.streams(); ++s)
      streams[static_cast<std::size_t>(v.by_stream.at(s))].push_back(s);
    std::vector<StreamTerms> all;
    for (std::size_t c = 0; c < v.classes.size(); ++c)
      all.push_back({std::move(streams[c]), plain_terms(v.classes[c], row.executions)});
    std::string own = names_.add("TIMES_" + std::to_string(row.site));
    out.push_back(
        {Declare{"static struct table", own, "", initializer({{"terms", terms_by_case(all)}})}});
    return own;
  }

  void add_draws(const Draws& draws, std::vector<Entry>& members) const {
    std::vector<Expression> spreads;
    for (const std::size_t s : draws.spreads) spreads.push_back(name(spread_names_[s]));
    members.push_back({"spreads", compound("const int *const[]", std::move(spreads))});
    if (draws.spreads.size() > 1) members.push_back({"which", terms(draws.which)});
    if (draws.draws_of.empty()) {
      members.push_back({"draws", whole(draws.draws)});
    } else {
      members.push_back({"draws_of", terms(draws.draws_of)});
    }
    if (draws.together) members.push_back({"together", number(1)});
  }

  // The call that most often comes next on a path with computation that matters.
  std::size_t define_overlaps(Block& out) const {
    std::vector<Expression> rows;
    for (std::size_t i = 0; i < sites_.size() && !trace_.times.empty(); ++i) {
      const std::uint32_t traits = trace::function(trace_.calls[sites_[i]].function).traits;
      if (!(traits & trace::traits::kComplete) || (traits & trace::traits::kPoll)) continue;
      std::optional<std::uint32_t> best;
      double most = 0, mean = 0;
      for (std::uint32_t c = 0; c < trace_.times.size(); ++c) {
        const Path* p = trace_.times[c].path_from(sites_[i]);
        if (!p || p->from != sites_[i]) continue;
        const Bin total = p->compute.total();
        const auto sum = static_cast<double>(total.sum);
        if (sum <= most || !matters(sum / static_cast<double>(trace_.streams()))) continue;
        most = sum;
        mean = total.mean();
        best = c;
      }
      if (best && site_of_[*best] >= 0)
        rows.push_back(list({number(static_cast<std::int64_t>(i)), number(site_of_[*best]),
                             whole(rounded(mean, 4))}));
    }
    const std::size_t n = rows.size();
    if (n > 0)
      out.push_back({Declare{"static const struct overlap", "overlaps", "[]", list(rows)}});
    return n;
  }

  const trace::Trace& trace_;
  const std::vector<std::uint32_t>& sites_;
  Names& names_;
  std::vector<std::int64_t> site_of_;  // by call
  double budget_ = 0;                  // what a stream computes in all, at most [ns]
  Streams streams_;                    // of the call that is looked at
  std::vector<Spread> spreads_;
  std::vector<std::string> spread_names_;
};

}  // namespace

TimeRows time_rows(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
                   Names& names) {
  return Writer(trace, sites, names).run();
}

}  // namespace reprise::write::c
