#include "analyze/text/source_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analyze/totals/executions.hpp"

namespace reprise::analyze {
namespace {

using trace::Item;
using trace::Series;
using trace::Trace;

constexpr std::uint64_t kMostPasses = 4096;  // looked at one by one

// After how many values a series comes again; 0: that is not known.
std::uint64_t period_of(const Series& series) {
  if (series.is_constant()) return 1;
  const auto& terms = series.terms();
  const bool is_repeat = terms.size() == 1 && !terms[0].is_run() && terms[0].step == 0;
  return is_repeat ? terms[0].period : 0;
}

// Whether both are other than 0 at one index below n; also true if that cannot be decided.
bool may_meet(const Series& a, const Series& b, std::uint64_t n) {
  if (n > kMostPasses) {
    const std::uint64_t p = period_of(a), q = period_of(b);
    if (p == 0 || q == 0 || p > kMostPasses || q > kMostPasses) return true;
    n = std::min(n, std::lcm(p, q));
    if (n > kMostPasses) return true;
  }
  trace::SeriesCursor x(a), y(b);
  for (std::uint64_t k = 0; k < n; ++k) {
    const bool first = x.next() != 0, second = y.next() != 0;
    if (first && second) return true;
  }
  return false;
}

class Orderer {
 public:
  explicit Orderer(const Trace& trace) : trace_(trace), executions_(trace) {}

  // The item with its bodies in order.
  Item ordered(const Item& item) {
    Item out;
    out.trips = item.trips;
    out.call = item.call;
    std::vector<const Item*> body;
    for (const Item& i : item.body) {
      auto at = body.end();
      while (at != body.begin() && must_precede(i, **(at - 1))) --at;
      body.insert(at, &i);
    }
    for (const Item* i : body) out.body.push_back(ordered(*i));
    return out;
  }

 private:
  bool must_precede(const Item& later, const Item& earlier) {
    return stands_before(later, earlier) && exclude_each_other(later, earlier);
  }

  const Item& first_call(const Item& item) const {
    const Item* i = &item;
    while (!i->is_call() && !i->body.empty()) i = &i->body.front();
    return *i;
  }

  // Whether the first call of an item is on an earlier line than that of another one, in the
  // function where their call paths part.
  bool stands_before(const Item& a, const Item& b) const {
    const Item &x = first_call(a), &y = first_call(b);
    if (!x.is_call() || !y.is_call()) return false;
    const auto& p = trace_.callpaths[trace_.calls[x.call].callpath];
    const auto& q = trace_.callpaths[trace_.calls[y.call].callpath];
    for (std::size_t k = 1; k <= std::min(p.size(), q.size()); ++k) {
      const trace::Frame& f = trace_.frames[p[p.size() - k]];
      const trace::Frame& g = trace_.frames[q[q.size() - k]];
      if (f == g) continue;
      const bool same_place = f.function != 0 && f.function == g.function && f.file == g.file;
      if (!same_place || f.line == 0 || g.line == 0) return false;
      if (f.line != g.line) return f.line < g.line;
    }
    return false;
  }

  bool exclude_each_other(const Item& a, const Item& b) {
    return std::ranges::all_of(executions_.representatives(), [&](std::uint64_t s) {
      return !may_meet(trips(a, s), trips(b, s), executions_.of(a, s));
    });
  }

  static Series trips(const Item& item, std::uint64_t stream) {
    const Series* series = item.trips.series_of(stream);
    return series ? *series : Series::constant(item.trips.constant_of(stream));
  }

  const Trace& trace_;
  Executions executions_;
};

}  // namespace

void put_in_source_order(Trace& trace) { trace.root = Orderer(trace).ordered(trace.root); }

}  // namespace reprise::analyze
