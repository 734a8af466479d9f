#include "program/grid/choose_grid.hpp"

#include <algorithm>
#include <map>

#include "analyze/totals/memberships.hpp"
#include "program/conditions/streams.hpp"
#include "program/laws/numbers.hpp"
#include "program/values/cells.hpp"

namespace reprise::program {
namespace {

constexpr std::uint64_t kMostRanks = 4096;
constexpr std::size_t kMostLooked = 48;    // conditions, and as many peers
constexpr std::uint64_t kManyRanks = 512;  // from which on it is a third of that
constexpr std::size_t kMostTurns = 4;      // values of a peer that varies
constexpr Bits kMostTimes = 8;             // that the same counts again
constexpr Bits kGridBits = 24;             // of saying that there is one, beside its extents

// What is to be explained in a grid.
struct Evidence {
  // Those inside, of those that come by; how often they are met.
  std::map<std::pair<Streams, Streams>, Bits> sets;
  // Streams and their numbers; the same.
  using Numbers = std::map<std::vector<std::pair<std::uint64_t, std::int64_t>>, Bits>;
  Numbers peers;
  Numbers numbers;  // that communicators are made by
};

class Gatherer {
 public:
  explicit Gatherer(const trace::Trace& trace)
      : trace_(trace),
        executions_(trace),
        peers_(trace, executions_),
        nest_(trace, executions_),
        space_({trace.ranks, trace.threads}) {
    most_ = trace.ranks > kManyRanks ? kMostLooked / 3 : kMostLooked;
  }

  Evidence run() {
    add(trace_.root, first_streams(trace_.streams()));
    return std::move(found_);
  }

 private:
  void add(const trace::Item& item, const Streams& coming) {
    if (found_.sets.size() >= most_ && found_.peers.size() >= most_) return;
    const bool is_same = item.trips.is_constant();
    Streams inside = is_same ? coming : executions_.entering(item);
    if (inside.empty()) return;
    if (inside.size() < coming.size() && found_.sets.size() < most_)
      ++found_.sets[{inside, coming}];
    nest_.enter(item, analyze::trip_bounds(trace_, item, executions_).max > 1);
    if (item.is_call()) {
      add_call(item.call, inside);
    } else {
      for (const trace::Item& b : item.body) add(b, inside);
    }
    nest_.leave();
  }

  void add_call(std::uint32_t index, const Streams& inside) {
    const trace::Call& call = trace_.calls[index];
    const trace::Function& f = trace::function(call.function);
    if (inside.size() < 2) return;
    const bool has_color = std::ranges::any_of(
        f.scalars, [](const trace::Column& c) { return c.kind == trace::Kind::color; });
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      const trace::Value& v = call.columns[c];
      if (v.is_constant() && v.encoding == trace::Encoding::absolute) continue;
      const bool splits = f.scalars[c].kind == trace::Kind::color ||
                          (has_color && f.scalars[c].kind == trace::Kind::integer);
      if (splits) add_values(v, index, inside, found_.numbers);
      if (f.scalars[c].kind != trace::Kind::peer) continue;
      if (!peers_.is_like_world(index, inside)) return;
      add_values(v, index, inside, found_.peers);
    }
  }

  // The value of each stream; of those that vary the values in the first few iterations.
  void add_values(const trace::Value& v, std::uint32_t index, const Streams& inside,
                  Evidence::Numbers& out) {
    // Exchanges that go through masks are those of a butterfly, which needs no grid.
    const bool is_butterfly =
        v.encoding == trace::Encoding::exclusive_or && (v.is_constant() || v.classes.size() == 1);
    if (is_butterfly) return;
    const ValueSite site{std::make_shared<const Streams>(inside),
                         [&](std::uint64_t s) { return executions_.of(index, s); }, &nest_};
    Split values = split(v, site, v.encoding);
    decode(values, v.encoding, site, {true, {}}, static_cast<std::int64_t>(trace_.ranks),
           trace_.threads);
    const auto cells = values.series.empty() ? std::nullopt : cells_of(space_, values, site);
    std::vector<std::vector<std::pair<std::uint64_t, std::int64_t>>> by_turn;
    if (cells) {
      by_turn.resize(std::min(kMostTurns, cells->indices.size()));
      for (const Cell& c : cells->cells) {
        if (c.at < by_turn.size()) by_turn[c.at].emplace_back(c.stream, c.value);
      }
    } else if (values.series.empty()) {
      by_turn.emplace_back();
      for (const Sample& s : values.numbers) by_turn.back().emplace_back(s.stream, s.value);
    }
    for (auto& turn : by_turn) {
      if (out.size() >= most_) return;
      if (turn.size() > 1) ++out[std::move(turn)];
    }
  }

  const trace::Trace& trace_;
  analyze::Executions executions_;
  analyze::PeerRanges peers_;
  Nest nest_;
  Space space_;
  std::size_t most_;
  Evidence found_;
};

Bits bits_in(const Space& space, const Evidence& evidence) {
  Bits bits = 0;
  for (const auto& [set, times] : evidence.sets)
    bits += std::min(times, kMostTimes) * condition_of(space, set.first, set.second).bits;
  Conditions conditions(space);
  const auto add = [&](const Evidence::Numbers& all_numbers, const NumberOptions& options) {
    for (const auto& [numbers, times] : all_numbers) {
      std::vector<Sample> samples;
      Streams all;
      for (const auto& [stream, number] : numbers) {
        samples.push_back({stream, number});
        all.push_back(stream);
      }
      bits += std::min(times, kMostTimes) * explain_numbers(conditions, samples, all, options).bits;
    }
  };
  add(evidence.peers, {.is_peer = true, .is_world = true, .places = nullptr});
  add(evidence.numbers, {});
  return bits;
}

void add_factorisations(std::int64_t n, std::size_t dimensions, std::vector<std::int64_t>& begin,
                        std::vector<std::vector<std::int64_t>>& out) {
  if (dimensions == 1) {
    if (n < 2) return;
    out.push_back(begin);
    out.back().push_back(n);
    return;
  }
  for (std::int64_t d = 2; d <= n / 2; ++d) {
    if (n % d != 0) continue;
    begin.push_back(d);
    add_factorisations(n / d, dimensions - 1, begin, out);
    begin.pop_back();
  }
}

}  // namespace

std::vector<std::int64_t> choose_grid(const trace::Trace& trace) {
  if (trace.ranks < 4 || trace.ranks > kMostRanks) return {};
  const Evidence evidence = Gatherer(trace).run();
  if (evidence.sets.empty() && evidence.peers.empty() && evidence.numbers.empty()) return {};
  std::vector<std::vector<std::int64_t>> grids;
  for (const std::size_t dimensions : {std::size_t{2}, std::size_t{3}}) {
    std::vector<std::int64_t> begin;
    add_factorisations(static_cast<std::int64_t>(trace.ranks), dimensions, begin, grids);
  }
  std::vector<std::int64_t> best;
  Bits least = bits_in(Space({trace.ranks, trace.threads}), evidence);
  for (const std::vector<std::int64_t>& extents : grids) {
    Bits bits = kGridBits + bits_in(Space({trace.ranks, trace.threads}, extents, false), evidence);
    for (const std::int64_t d : extents) bits += bits_of(d);
    if (bits >= least) continue;
    least = bits;
    best = extents;
  }
  return best;
}

}  // namespace reprise::program
