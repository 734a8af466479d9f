// Lists of calls: their elements (values.hpp).
#include <algorithm>
#include <array>
#include <map>

#include "analyze/text/recurrence.hpp"
#include "analyze/text/series_text.hpp"
#include "expr/program.hpp"
#include "program/conditions/case_list.hpp"
#include "program/conditions/streams.hpp"
#include "program/laws/sequence.hpp"
#include "program/values/values.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise::program {

using expr::Expr;
using trace::Encoding;
using trace::Series;

namespace {

constexpr std::uint64_t kMostElements = 1 << 16;  // of a list that are looked at

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
  const Expr moved = step == 1 ? index : index * Expr(step);
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
               Streams streams, const ValueSite& site) {
  Lists out;
  const std::uint64_t s = std::ranges::max(streams, {}, site.times);
  const std::uint64_t times = site.times(s);
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
    const Entry entry = site.nest->entry(
        streams, site.times, [&](std::uint64_t stream, std::uint64_t period, std::uint64_t n) {
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
                       const ValueSite& site, bool is_rank, bool is_name) const {
  const Encoding encoding = is_rank ? elements.encoding : Encoding::absolute;
  // Streams with the same lengths and elements, however they are stored.
  std::map<std::pair<std::int64_t, std::int64_t>, Streams> stored;
  const bool one_length = length.classes.size() == 1 || length.is_constant();
  const bool one_content = elements.classes.size() == 1 || elements.is_constant();
  trace::SeriesCursor lengths(length.by_stream), contents(elements.by_stream);
  std::uint64_t at = 0;
  for (const std::uint64_t s : *site.streams) {
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
    groups.push_back(lists_of(length, elements, encoding, std::move(streams), site));
  // One expression for all of them, if there is one.
  const auto longest =
      std::ranges::max_element(groups, {}, [](const Lists& g) { return g.each.size(); });
  if (!longest->each.empty() && !is_name) {
    for (const Expr& e : laws_of_list(longest->each)) {
      const bool fits = std::ranges::all_of(groups, [&](const Lists& g) {
        return g.is_empty || (!g.each.empty() && holds(e, g.each));
      });
      if (fits) return {{{{site.streams, Expr(1), {}, {}}, e}}, {}};
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
    // Lists with the same elements are one case.
    const auto same =
        std::ranges::find_if(contents_of, [&](const auto& c) { return c.first == content; });
    if (same == contents_of.end()) {
      contents_of.emplace_back(std::move(content), std::move(g.streams));
    } else {
      same->second = joined(same->second, g.streams);
    }
  }
  CaseList cases(conditions_, *site.streams);
  for (auto& [content, streams] : contents_of) cases.add(std::move(streams), std::move(content));
  return {cases.finish(), {}};
}

}  // namespace reprise::program
