#include "program/values.hpp"

#include <algorithm>
#include <map>

#include "analyze/recurrence.hpp"
#include "program/case_list.hpp"
#include "program/law.hpp"
#include "program/sequence.hpp"

namespace reprise::program {

namespace {

using expr::Expr;
using trace::Encoding;

constexpr std::uint64_t kMostLaws = 8;  // of an alternation

// What a relative rank of MPI_COMM_WORLD stands for.
Expr offset_of(std::int64_t written, const Space& space) {
  const auto ranks = static_cast<std::int64_t>(space.ranks());
  const Expr rank = Expr::variable(expr::kRank), all = Expr::variable(expr::kRanks);
  if (written < 0 || written >= ranks) return written;
  if (written > ranks / 2) return (rank - Expr(ranks - written)) % all;
  return (rank + Expr(written)) % all;
}

}  // namespace

// Peers that go through the same few laws on all streams, one execution after the other.
std::optional<Alternation> Values::alternation(const std::vector<Alike>& groups,
                                               const Asking& asking) const {
  const Space& space = conditions_.space();
  std::map<std::uint64_t, const Alike*> group_of;
  for (const Alike& g : groups) {
    for (const std::uint64_t s : g.streams) group_of[s] = &g;
  }
  const Entry entry = asking.nest->entry(
      *asking.streams, asking.times, [&](std::uint64_t s, std::uint64_t period, std::uint64_t all) {
        return analyze::recurs(group_of.at(s)->series, period, all);
      });
  if (entry.executions > kMostLaws) return std::nullopt;
  Alternation out{{}, entry.scope};
  for (std::uint64_t k = 0; k < entry.executions; ++k) {
    std::vector<Sample> samples;
    for (const std::uint64_t s : *asking.streams) {
      const Alike& g = *group_of.at(s);
      // Streams that come to fewer executions in an entry would go on elsewhere.
      if (asking.times(s) < entry.executions) return std::nullopt;
      samples.push_back({s, trace::decode_rank(g.encoding, g.series.at(k), space.rank(s),
                                               static_cast<std::int64_t>(space.ranks()))});
    }
    const auto law = law_of(space, samples, {.is_peer = true, .is_world = true, .places = nullptr});
    if (!law) return std::nullopt;
    if (const auto* e = std::get_if<Expr>(&law->content)) {
      out.laws.emplace_back(*e);
    } else {
      out.laws.emplace_back(std::get<Neighbor>(law->content));
    }
  }
  return out;
}

Who Values::who(const StreamSet& some, const Streams& all) const {
  return {some, conditions_.of(*some, all).expression, {}, {}};
}

Value Values::scalar(const trace::Value& value, const Asking& asking, const PeerMeaning* peers,
                     Meaning meaning) const {
  const Encoding encoding = peers ? value.encoding : Encoding::absolute;
  const Space& space = conditions_.space();
  if (value.is_constant() && encoding == Encoding::absolute)
    return {{{{asking.streams, Expr(1), {}, {}}, Expr(value.by_stream.at(0))}}, {}};
  if (value.is_constant() && encoding == Encoding::relative && peers->is_world &&
      asking.streams->size() > kMostStreams)
    return {{{{asking.streams, Expr(1), {}, {}}, offset_of(value.by_stream.at(0), space)}}, {}};
  Split seen = split(value, asking, encoding);
  NumberOptions options;
  Places places;
  const bool same = std::ranges::all_of(
      seen.numbers, [&](const Sample& s) { return s.value == seen.numbers.front().value; });
  if (peers && (encoding != Encoding::absolute || !same)) {
    places = decode(seen, encoding, asking, *peers, static_cast<std::int64_t>(space.ranks()),
                    space.threads());
    options = {.is_peer = true, .is_world = peers->is_world, .places = nullptr};
    const bool are_known = std::ranges::all_of(places, [](const auto& m) { return m.size > 0; });
    if (!peers->is_world && are_known) options.places = &places;
  }
  if (seen.numbers.empty() && peers && peers->is_world && seen.series.size() > 1) {
    if (auto in_turn = alternation(seen.series, asking)) {
      return {{{{asking.streams, Expr(1), {}, {}}, std::move(*in_turn)}}, {}};
    }
  }
  options.is_name = meaning == Meaning::name;
  CaseList cases(conditions_, *asking.streams);
  for (Entered& g : join_prefixes(entered(std::move(seen.series), asking))) {
    ExplainedSeries e = explain_series(g.alike.series, g.entry, g.alike.encoding, meaning);
    cases.add(std::move(g.alike.streams), std::move(e.content));
  }
  if (seen.numbers.empty()) return {cases.finish(), {}};
  return {cases.finish([&](const Streams& left) {
            return explain_numbers(conditions_, seen.numbers, left, options).cases;
          }),
          {}};
}

}  // namespace reprise::program
