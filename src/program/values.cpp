#include "program/values.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "analyze/recurrence.hpp"
#include "analyze/series_text.hpp"
#include "expr/program.hpp"
#include "program/law.hpp"
#include "program/sequence.hpp"
#include "trace/series_sum.hpp"

namespace reprise::program {

// Streams that have the same of something that varies.
struct Alike {
  trace::Series series;
  std::uint64_t length = 0;  // most values on one of the streams
  Streams streams;
  trace::Encoding encoding = trace::Encoding::absolute;
};

namespace {

using expr::Expr;
using trace::Encoding;
using trace::Series;

constexpr std::size_t kMostConditions = 16;       // cases that are told apart by conditions
constexpr std::uint64_t kMostLaws = 8;            // of an alternation
constexpr std::uint64_t kMostCompared = 4096;     // values of a series
constexpr std::uint64_t kMostElements = 1 << 16;  // of a list that are looked at

void add(std::vector<Alike>& groups, Alike group) {
  const auto same = std::ranges::find_if(groups, [&](const Alike& g) {
    return g.encoding == group.encoding && g.series == group.series;
  });
  if (same == groups.end()) return groups.push_back(std::move(group));
  same->length = std::max(same->length, group.length);
  const auto middle = std::ssize(same->streams);
  same->streams.insert(same->streams.end(), group.streams.begin(), group.streams.end());
  std::inplace_merge(same->streams.begin(), same->streams.begin() + middle, same->streams.end());
}

// What streams see of a value: one number for ever, or series.
struct Split {
  std::vector<Sample> numbers;
  std::vector<Alike> series;
};

Split split(const trace::Value& value, const Asking& asking, Encoding encoding) {
  Split out;
  if (value.classes.empty()) {
    trace::SeriesCursor by_stream(value.by_stream);
    std::uint64_t at = 0;
    for (const std::uint64_t s : *asking.streams) {
      if (!value.is_constant()) {
        for (; at < s; ++at) by_stream.next();
        ++at;
      }
      out.numbers.push_back({s, value.is_constant() ? by_stream.peek() : by_stream.next()});
    }
    return out;
  }
  std::vector<Alike> by_class(value.classes.size());
  trace::SeriesCursor by_stream(value.by_stream);
  std::uint64_t at = 0;
  for (const std::uint64_t s : *asking.streams) {
    std::size_t k = 0;
    if (value.classes.size() > 1) {
      for (; at < s; ++at) by_stream.next();
      ++at;
      k = static_cast<std::size_t>(by_stream.next());
      if (k >= by_class.size()) k = 0;
    }
    by_class[k].streams.push_back(s);
    by_class[k].length = std::max(by_class[k].length, asking.times(s));
  }
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    Alike& group = by_class[k];
    if (group.streams.empty()) continue;
    if (const auto only = only_value(value.classes[k], group.length)) {
      for (const std::uint64_t s : group.streams) out.numbers.push_back({s, *only});
      continue;
    }
    group.series = value.classes.size() == 1 ? value.classes[k]
                                             : analyze::refolded(value.classes[k], group.length);
    group.encoding = encoding;
    add(out.series, std::move(group));
  }
  std::ranges::sort(out.numbers, {}, &Sample::stream);
  return out;
}

Streams without(const Streams& all, const Streams& some) {
  Streams out;
  std::ranges::set_difference(all, some, std::back_inserter(out));
  return out;
}

// A series, and to which executions its first values belong.
struct Entered {
  Alike alike;
  Entry entry;
};

std::vector<Entered> entered(std::vector<Alike> groups, const Asking& asking) {
  std::vector<Entered> out;
  for (Alike& g : groups) {
    Entry entry = asking.nest->entry(g.streams, asking.times,
                                     [&](std::uint64_t, std::uint64_t period, std::uint64_t all) {
                                       return analyze::recurs(g.series, period, all);
                                     });
    g.series = analyze::refolded(g.series, entry.executions);
    out.push_back({std::move(g), std::move(entry)});
  }
  return out;
}

// The indices tell the executions in the same way.
bool same_indices(const Entry& a, const Entry& b) {
  if (!a.radices || !b.radices || a.radices->size() != b.radices->size()) return false;
  for (std::size_t i = 1; i < a.radices->size(); ++i) {
    if ((*a.radices)[i] != (*b.radices)[i]) return false;
  }
  return true;
}

// Streams that see less of the same are one group with those that see more.
std::vector<Entered> join_prefixes(std::vector<Entered> groups) {
  if (groups.size() > kMostConditions) return groups;
  std::ranges::stable_sort(groups, std::greater<>(),
                           [](const Entered& g) { return g.entry.executions; });
  std::vector<Entered> out;
  for (Entered& g : groups) {
    const std::uint64_t n = g.entry.executions;
    const auto longer = std::ranges::find_if(out, [&](const Entered& o) {
      return o.entry.scope == g.entry.scope && o.alike.encoding == g.alike.encoding &&
             n <= kMostCompared && analyze::refolded(o.alike.series, n) == g.alike.series;
    });
    if (longer == out.end()) {
      out.push_back(std::move(g));
      continue;
    }
    if (!same_indices(longer->entry, g.entry)) longer->entry.radices.reset();
    Streams both;
    std::ranges::merge(longer->alike.streams, g.alike.streams, std::back_inserter(both));
    longer->alike.streams = std::move(both);
  }
  return out;
}

// Contents with their streams, to cases whose conditions are tried in order. Those of most streams
// stand last; `rest`, if there is any, behind them.
class CaseList {
 public:
  CaseList(Conditions& conditions, const Streams& all) : conditions_(conditions), left_(all) {}

  void add(Streams streams, Content content) {
    parts_.push_back({std::move(streams), std::move(content)});
  }

  std::vector<Case> finish(const std::function<std::vector<Case>(const Streams& left)>& rest = {}) {
    std::ranges::stable_sort(parts_, {}, [](const Part& p) { return p.streams.size(); });
    const auto all_but_last = parts_.end() - (parts_.empty() ? 0 : 1);
    std::ranges::stable_sort(parts_.begin(), all_but_last, {},
                             [](const Part& p) { return p.streams.front(); });
    std::vector<Case> out;
    const bool few = parts_.size() <= kMostConditions;
    for (Part& p : parts_) {
      Who who;
      if (few) {
        who.condition = conditions_.of(p.streams, left_).expression;
        left_ = without(left_, p.streams);
      } else if (rest) {
        left_ = without(left_, p.streams);
      }
      who.streams = std::make_shared<const Streams>(std::move(p.streams));
      out.push_back({std::move(who), std::move(p.content)});
    }
    if (rest) std::ranges::move(rest(left_), std::back_inserter(out));
    return out;
  }

 private:
  struct Part {
    Streams streams;
    Content content;
  };

  Conditions& conditions_;
  Streams left_;
  std::vector<Part> parts_;
};

// Numbers whose meaning on a stream is not known: the communicator is not, or it varies.
void keep_written(const std::vector<Sample>& samples, Encoding encoding, const Asking& asking,
                  Split& out) {
  std::map<std::int64_t, Alike> by_number;
  for (const Sample& s : samples) {
    Alike& group = by_number[s.value];
    group.series = Series::constant(s.value);
    group.encoding = encoding;
    group.streams.push_back(s.stream);
    group.length = std::max(group.length, asking.times(s.stream));
  }
  for (auto& [number, group] : by_number) add(out.series, std::move(group));
}

// Turns numbers to ranks of the communicator where it is known.
Places decode(Split& split, Encoding encoding, const Asking& asking, const PeerMeaning& peers,
              std::int64_t ranks, std::uint64_t threads) {
  Places places;
  std::vector<Sample> known, unknown;
  for (Sample s : split.numbers) {
    trace::Membership m{static_cast<std::int64_t>(s.stream / threads), ranks};
    if (!peers.is_world) {
      const analyze::PeerRange range = peers.range(s.stream);
      m = range.sizes.empty() ? range.membership : trace::Membership{};
    }
    if (m.size <= 0 && encoding != Encoding::absolute && s.value >= 0) {
      unknown.push_back(s);
      continue;
    }
    s.value = trace::decode_rank(encoding, s.value, m.rank, m.size);
    known.push_back(s);
    places.push_back(m);
  }
  split.numbers = std::move(known);
  keep_written(unknown, encoding, asking, split);
  return places;
}

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

namespace {

// The lists of some streams.
struct Lists {
  Streams streams;
  std::vector<std::int64_t> each;  // the same in all executions, if it is short
  bool is_empty = false;
  Sequence sequence;
};

// The element at each position of a list, as an expression.
std::vector<Expr> laws_of_list(const std::vector<std::int64_t>& list) {
  std::vector<Expr> out;
  const Expr index = Expr::variable(kIndex), length = Expr::variable(kLength);
  const auto n = static_cast<std::int64_t>(list.size());
  // All that are pending, the oldest first.
  if (list.front() == n - 1) out.push_back(length - Expr(1) - index);
  out.emplace_back(list.front());
  if (n < 2) return out;
  std::int64_t step = 0;
  if (__builtin_sub_overflow(list[1], list[0], &step) || step == 0) return out;
  const Expr moved = step == 1 ? index : step == -1 ? Expr(0) - index : index * Expr(step);
  const Expr first(list.front());
  out.push_back(step == -1 ? first - index : list.front() == 0 ? moved : moved + first);
  return out;
}

bool holds(const Expr& e, const std::vector<std::int64_t>& list) {
  static const std::array<std::string, 2> names = {std::string(kIndex), std::string(kLength)};
  const auto program = expr::Program::compile(e, names);
  if (!program) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::array<std::int64_t, 2> slots = {static_cast<std::int64_t>(i),
                                               static_cast<std::int64_t>(list.size())};
    if (program->run(slots) != list[i]) return false;
  }
  return true;
}

// Whether each of the lists is the first one again.
bool repeats(const Series& s, std::uint64_t length, std::uint64_t total) {
  if (s.is_constant() || total <= length) return true;
  return length <= kMostElements && analyze::recurs(s, length, total);
}

Lists lists_of(const trace::Value& length, const trace::Value& elements, Encoding encoding,
               Streams streams, const Asking& asking) {
  Lists out;
  const std::uint64_t s = std::ranges::max(streams, {}, asking.times);
  const std::uint64_t times = asking.times(s);
  const auto total = static_cast<std::uint64_t>(trace::sum_of(length, s, times));
  const Series* lengths = length.series_of(s);
  const Series* given = elements.series_of(s);
  const Series all = given ? *given : Series::constant(elements.constant_of(s));
  const auto one =
      lengths ? only_value(*lengths, times) : std::optional<std::int64_t>(length.constant_of(s));
  out.is_empty = total == 0;
  if (one && *one > 0 && repeats(all, static_cast<std::uint64_t>(*one), total)) {
    const auto n = static_cast<std::uint64_t>(*one);
    out.sequence = {analyze::refolded(all, n), n, 0, true, encoding};
    if (n <= kMostElements && encoding == Encoding::absolute) {
      trace::SeriesCursor cursor(all);
      while (out.each.size() < n) out.each.push_back(cursor.next());
    }
  } else if (!out.is_empty) {
    const Entry entry = asking.nest->entry(
        streams, asking.times, [&](std::uint64_t stream, std::uint64_t period, std::uint64_t n) {
          const auto here = static_cast<std::uint64_t>(trace::sum_of(length, stream, period));
          const auto whole = static_cast<std::uint64_t>(trace::sum_of(length, stream, n));
          const Series* l = length.series_of(stream);
          return (!l || analyze::recurs(*l, period, n)) && analyze::recurs(all, here, whole);
        });
    const auto here = static_cast<std::uint64_t>(trace::sum_of(length, s, entry.executions));
    out.sequence = {analyze::refolded(all, here), here, entry.scope, false, encoding};
  }
  out.streams = std::move(streams);
  return out;
}

}  // namespace

Value Values::elements(const trace::Value& length, const trace::Value& elements,
                       const Asking& asking, bool is_rank, bool is_name) const {
  const Encoding encoding = is_rank ? elements.encoding : Encoding::absolute;
  // Streams with the same lengths and elements, however they are stored.
  std::map<std::pair<std::int64_t, std::int64_t>, Streams> stored;
  const bool one_length = length.classes.size() == 1 || length.is_constant();
  const bool one_content = elements.classes.size() == 1 || elements.is_constant();
  trace::SeriesCursor lengths(length.by_stream), contents(elements.by_stream);
  std::uint64_t at = 0;
  for (const std::uint64_t s : *asking.streams) {
    for (; at < s; ++at) {
      if (!one_length) lengths.next();
      if (!one_content) contents.next();
    }
    ++at;
    const std::int64_t l = one_length ? 0 : lengths.next();
    const std::int64_t c = one_content ? 0 : contents.next();
    stored[{l, c}].push_back(s);
  }
  std::vector<Lists> groups;
  for (auto& [key, streams] : stored)
    groups.push_back(lists_of(length, elements, encoding, std::move(streams), asking));
  // One expression for all of them, if there is one.
  const auto longest =
      std::ranges::max_element(groups, {}, [](const Lists& g) { return g.each.size(); });
  if (!longest->each.empty() && !is_name) {
    for (const Expr& e : laws_of_list(longest->each)) {
      const bool fits = std::ranges::all_of(groups, [&](const Lists& g) {
        return g.is_empty || (!g.each.empty() && holds(e, g.each));
      });
      if (fits) return {{{{asking.streams, Expr(1), {}, {}}, e}}, {}};
    }
  }
  std::vector<std::pair<Content, Streams>> contents_of;
  for (Lists& g : groups) {
    Content content = g.is_empty ? Content(Expr(0)) : Content(g.sequence);
    if (!g.each.empty() && !is_name) {
      for (const Expr& e : laws_of_list(g.each)) {
        if (!holds(e, g.each)) continue;
        content = e;
        break;
      }
    }
    // An empty list has the elements of any other.
    const auto same =
        std::ranges::find_if(contents_of, [&](const auto& c) { return c.first == content; });
    if (same == contents_of.end()) {
      contents_of.emplace_back(std::move(content), std::move(g.streams));
    } else {
      Streams both;
      std::ranges::merge(same->second, g.streams, std::back_inserter(both));
      same->second = std::move(both);
    }
  }
  CaseList cases(conditions_, *asking.streams);
  for (auto& [content, streams] : contents_of) cases.add(std::move(streams), std::move(content));
  return {cases.finish(), {}};
}

}  // namespace reprise::program
