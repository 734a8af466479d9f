#include "program/values/values.hpp"

#include <algorithm>
#include <map>

#include "program/conditions/case_list.hpp"
#include "program/conditions/streams.hpp"
#include "program/laws/joint.hpp"
#include "program/laws/law.hpp"
#include "program/laws/sequence.hpp"
#include "program/values/by_iteration.hpp"

namespace reprise::program {

namespace {

using expr::Expr;
using trace::Encoding;

constexpr Bits kCaseBits = 12;  // of a condition on streams, about
// Fewer streams have neighbors in common by chance.
constexpr std::size_t kLeastOfLaws = 3;

// What a relative rank of MPI_COMM_WORLD stands for.
Expr offset_of(std::int64_t written, const Space& space) {
  const auto ranks = static_cast<std::int64_t>(space.ranks());
  const Expr rank = Expr::variable(expr::kRank), all = Expr::variable(expr::kRanks);
  if (written < 0 || written >= ranks) return written;
  if (written > ranks / 2) return (rank - Expr(ranks - written)) % all;
  return (rank + Expr(written)) % all;
}

void keep_cheaper(std::optional<Law>& law, std::optional<Law> other) {
  if (other && (!law || other->bits < law->bits)) law = std::move(other);
}

// What holds where a case's expression does, which differ between streams, as one condition: by &&
// and || if all streams beside those of a few cases have the same. None: it reads better apart.
std::optional<Expr> one_condition(Conditions& conditions, const std::vector<Case>& cases,
                                  const Streams& all) {
  constexpr std::size_t kMostJoined = 2;  // cases of expressions
  std::optional<bool> others;             // what the rest has
  std::vector<const Case*> joined;
  for (const Case& c : cases) {
    const auto* e = std::get_if<Expr>(&c.content);
    if (!e) return std::nullopt;
    if (!e->is_constant()) {
      joined.push_back(&c);
      continue;
    }
    const bool holds = !e->is_constant(0);
    if (others && *others != holds) return std::nullopt;
    others = holds;
  }
  if (!others || joined.empty() || joined.size() > kMostJoined) return std::nullopt;
  std::optional<Expr> out;
  for (const Case* c : joined) {
    const Streams some = *others ? without(all, *c->who.streams) : *c->who.streams;
    const auto where = conditions.of(some, all).expression;
    if (!where) return std::nullopt;
    const Expr one = Expr::make(*others ? expr::Op::logical_or : expr::Op::logical_and, *where,
                                std::get<Expr>(c->content));
    out = out ? Expr::make(*others ? expr::Op::logical_and : expr::Op::logical_or, *out, one) : one;
  }
  return out;
}

}  // namespace

Who Values::who(const StreamSet& some, const Streams& all) const {
  return {some, conditions_.of(*some, all).expression, {}, {}};
}

Value Values::scalar(const trace::Value& value, const ValueSite& site, const PeerMeaning* peers,
                     Meaning meaning) const {
  const Encoding encoding = peers ? value.encoding : Encoding::absolute;
  const Space& space = conditions_.space();
  if (value.is_constant() && encoding == Encoding::absolute)
    return {{{{site.streams, Expr(1), {}, {}}, Expr(value.by_stream.at(0))}}, {}};
  if (value.is_constant() && encoding == Encoding::relative && peers->is_world &&
      site.streams->size() > kMostStreams)
    return {{{{site.streams, Expr(1), {}, {}}, offset_of(value.by_stream.at(0), space)}}, {}};
  Split seen = split(value, site, encoding);
  NumberOptions options;
  Places places;
  const bool same = std::ranges::all_of(
      seen.numbers, [&](const Sample& s) { return s.value == seen.numbers.front().value; });
  if (peers && (encoding != Encoding::absolute || !same)) {
    places = decode(seen, encoding, site, *peers, static_cast<std::int64_t>(space.ranks()),
                    space.threads());
    options = {.is_peer = true, .is_world = peers->is_world, .places = nullptr};
    const bool are_known = std::ranges::all_of(places, [](const auto& m) { return m.size > 0; });
    if (!peers->is_world && are_known) options.places = &places;
  }
  const bool is_world = peers && peers->is_world;
  std::optional<Law> joint;
  if (!seen.series.empty() && is_world) joint = alternation_of(space, seen, site);
  const bool is_number = meaning == Meaning::number && (!peers || is_world);
  const bool differs = seen.series.size() > 1 || !seen.numbers.empty() || is_world;
  if (!seen.series.empty() && is_number && differs)
    keep_cheaper(joint, joint_law_of(space, seen, site));
  if (!seen.series.empty() && is_number && seen.series.size() + seen.numbers.size() > 1)
    keep_cheaper(joint,
                 iteration_law_of(space, seen, site, is_world ? Entries::peers : Entries::numbers));
  if (!seen.series.empty() && meaning == Meaning::number && !peers && differs)
    keep_cheaper(joint, conditional_law_of(conditions_, seen, site));
  std::optional<Expr> by_iteration;
  if (meaning == Meaning::condition && seen.series.size() > 1)
    by_iteration = iteration_condition_of(conditions_, seen, site);
  options.is_name = meaning == Meaning::name;
  CaseList cases(conditions_, *site.streams);
  const auto world = is_world ? std::optional<std::int64_t>(space.ranks()) : std::nullopt;
  Bits bits = 0;
  for (Entered& g : join_prefixes(entered(std::move(seen.series), site))) {
    ExplainedSeries e = explain_series(g.alike.series, g.entry, g.alike.encoding, meaning, world);
    if (is_world && std::holds_alternative<Sequence>(e.content) &&
        g.alike.streams.size() >= kLeastOfLaws) {
      if (auto laws = alternation_of(space, g, site); laws && laws->bits < e.bits)
        e = {std::move(laws->content), laws->bits};
    }
    bits += e.bits + (bits == 0 ? 0 : kCaseBits);
    cases.add(std::move(g.alike.streams), std::move(e.content));
  }
  std::vector<Case> out =
      seen.numbers.empty() ? cases.finish() : cases.finish([&](const Streams& left) {
        Explained numbers = explain_numbers(conditions_, seen.numbers, left, options);
        bits += numbers.bits + (bits == 0 ? 0 : kCaseBits);
        return std::move(numbers.cases);
      });
  if (joint && joint->bits < bits)
    return {{{{site.streams, Expr(1), {}, {}}, std::move(joint->content)}}, {}};
  if (meaning == Meaning::condition) {
    if (by_iteration && bits_of(*by_iteration) < bits)
      return {{{{site.streams, Expr(1), {}, {}}, std::move(*by_iteration)}}, {}};
    if (auto one = one_condition(conditions_, out, *site.streams))
      return {{{{site.streams, Expr(1), {}, {}}, std::move(*one)}}, {}};
  }
  return {std::move(out), {}};
}

}  // namespace reprise::program
