#include "analyze/listing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/list_text.hpp"
#include "analyze/streams_text.hpp"
#include "trace/predefined.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Column;
using trace::Item;
using trace::Kind;
using trace::Trace;
using trace::Value;

namespace {

bool says_nothing(const Column& column, const Value& v) {
  if (!v.is_constant()) return false;
  const std::int64_t n = v.by_stream.at(0);
  switch (column.kind) {
    case Kind::polls:
    case Kind::buffer: return n == 0 || n == trace::kNone;
    case Kind::comm: return n == trace::kWorld && column.name == "comm";
    default: return n == trace::kNone;
  }
}

std::string ordinal(std::uint64_t n) {
  const char* end = n % 100 >= 11 && n % 100 <= 13 ? "th"
                    : n % 10 == 1                  ? "st"
                    : n % 10 == 2                  ? "nd"
                    : n % 10 == 3                  ? "rd"
                                                   : "th";
  return fmt::format("{}{}", n, end);
}

// "every 5th time" for 0 0 0 0 1 again and again, n values in all of which the last may be missing;
// empty if that is not what it is.
std::string every_nth(const trace::Series& s, std::uint64_t n) {
  constexpr std::uint64_t kMostLooks = 4096;
  if (s.empty()) return {};
  const trace::Term& t = s.terms().front();
  const bool repeats = s.terms().size() == 1 && !t.is_run() && t.step == 0 &&
                       t.count == trace::kUnbounded && trace::sum_of(s, t.period) == 1;
  std::uint64_t period = repeats ? t.period : 1;
  while (!repeats && period <= std::min(n / 2, kMostLooks) && s.at(period - 1) == 0) ++period;
  if (s.at(period - 1) != 1 || period < 2 || n < 2 * period) return {};
  const std::uint64_t passes = n / period;
  if (!repeats) {
    if (passes > kMostLooks || trace::sum_of(s, n) != static_cast<std::int64_t>(passes)) return {};
    for (std::uint64_t k = 1; k <= passes; ++k) {
      if (s.at(k * period - 1) != 1) return {};
    }
  }
  return fmt::format("every {} time", ordinal(period));
}

// Streams in order; what an `if` by rank is of.
using Streams = std::vector<std::uint64_t>;

class Lister {
 public:
  explicit Lister(const Trace& trace)
      : trace_(trace), executions_(trace), peers_(trace, executions_) {}

  std::vector<ListingLine> run() {
    item(trace_.root, times(trace_.root), 0);
    return std::move(lines_);
  }

 private:
  void item(const Item& i, const std::string& condition, std::size_t depth) {
    loops_.enter(i);
    if (i.is_call()) {
      const trace::Call& c = trace_.calls[i.call];
      lines_.push_back({depth, condition, call(i.call), c.callpath});
    } else if (!i.body.empty()) {  // no call is known: nothing to say
      if (!condition.empty()) lines_.push_back({depth++, condition, {}, {}});
      body(i.body, depth);
    }
    loops_.leave();
  }

  void body(const std::vector<Item>& items, std::size_t depth) {
    Streams before;  // whom an `else` would leave out
    for (std::size_t k = 0; k < items.size();) {
      const Streams inside = guard(items[k]);
      if (inside.empty()) {
        before.clear();
        item(items[k], times(items[k]), depth);
        ++k;
        continue;
      }
      const bool is_else = !before.empty() && is_complement(before, inside, items[k]);
      const std::string text = is_else ? "else" : "if rank " + inside_text(inside);
      before = is_else ? Streams() : inside;
      std::size_t end = k + 1;
      while (end < items.size() && guard(items[end]) == inside) ++end;
      if (end == k + 1) {
        const std::string inner = times(items[k]);
        item(items[k], inner.empty() ? text : text + ": " + inner, depth);
      } else {
        lines_.push_back({depth, text, {}, {}});
        for (std::size_t j = k; j < end; ++j) item(items[j], times(items[j]), depth + 1);
      }
      k = end;
    }
  }

  // The streams that ever pass the item; none if all do that come by it, or nobody does.
  Streams guard(const Item& i) {
    if (i.trips.is_constant()) return {};
    Streams inside = executions_.entering(i);
    return inside.size() == executions_.coming(i).size() ? Streams() : inside;
  }

  // All that come by the item are in one of them, and none is in both.
  bool is_complement(const Streams& a, const Streams& b, const Item& i) {
    Streams both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return both.empty() && a.size() + b.size() == executions_.coming(i).size();
  }

  std::string inside_text(const Streams& streams) const {
    const bool one = trace_.threads == 1 && streams.size() == 1;
    return (one ? "is " : "in ") + streams_text(trace_, streams);
  }

  // "100 times", "if {0 1}", "every 5th time", of the streams that ever pass the item.
  std::string times(const Item& i) {
    if (i.trips == Value::constant(1)) return {};
    const Streams inside = executions_.entering(i);
    const Times times{[&](std::uint64_t s) {
                        return std::ranges::binary_search(inside, s) ? executions_.of(i, s) : 0;
                      },
                      executions_.busiest(i), loops_};
    const std::string text = value_text(trace_, i.trips, {}, times);
    if (text == "1") return {};
    if (const trace::Series* s = shared_series(i.trips, inside)) {
      const std::uint64_t stream = executions_.busiest(i);
      const std::uint64_t all = executions_.of(i, stream);
      const std::uint64_t passes = loops_.executions_shown(
          stream, all, [&](std::uint64_t executions) { return recurs(*s, executions, all); });
      if (const std::string nth = every_nth(*s, passes); !nth.empty()) return nth;
    }
    const Bounds bounds = trip_bounds(trace_, i, executions_);
    return bounds.min >= 0 && bounds.max <= 1 ? "if " + text : text + " times";
  }

  // Which all of the streams follow; else null.
  static const trace::Series* shared_series(const Value& v, const Streams& streams) {
    if (streams.empty()) return nullptr;
    const trace::Series* first = v.series_of(streams.front());
    const bool shared =
        std::ranges::all_of(streams, [&](std::uint64_t s) { return v.series_of(s) == first; });
    return shared ? first : nullptr;
  }

  std::string call(std::uint32_t index) {
    const trace::Call& c = trace_.calls[index];
    const trace::Function& f = trace::function(c.function);
    const Times times{[&](std::uint64_t s) { return executions_.of(index, s); },
                      executions_.busiest(index), loops_};
    ValueMeaning meaning{.world = peers_.is_world(c) ? static_cast<std::int64_t>(trace_.ranks) : 0,
                         .peers = [&](std::uint64_t s) { return peers_.of(index, s); }};
    std::string out;
    const auto put = [&out](std::string_view name, const std::string& text) {
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, text);
    };
    for (std::size_t i = 0; i < f.scalars.size(); ++i) {
      if (says_nothing(f.scalars[i], c.columns[i])) continue;
      meaning.column = f.scalars[i];
      put(f.scalars[i].name, value_text(trace_, c.columns[i], meaning, times));
    }
    for (std::size_t i = 0; i < f.lists.size(); ++i) {
      const Value& length = c.columns[f.scalars.size() + 2 * i];
      const Value& elements = c.columns[f.scalars.size() + 2 * i + 1];
      if (length == Value::constant(0)) continue;
      meaning.column = f.lists[i];
      put(f.lists[i].name, list_text(trace_, length, elements, meaning, times));
    }
    return fmt::format("{}({})", f.name, out);
  }

  const Trace& trace_;
  Executions executions_;
  PeerRanges peers_;
  SurroundingLoops loops_;  // around the item that is being listed
  std::vector<ListingLine> lines_;
};

}  // namespace

std::vector<ListingLine> list_program(const Trace& trace) { return Lister(trace).run(); }

}  // namespace reprise::analyze
