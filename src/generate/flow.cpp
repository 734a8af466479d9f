#include "generate/flow.hpp"

#include <algorithm>
#include <optional>

#include "generate/plain_condition.hpp"

namespace reprise::generate {

using trace::Item;

namespace {

class Builder {
 public:
  Builder(const trace::Trace& trace, analyze::Executions& executions)
      : trace_(trace), executions_(executions) {}

  std::vector<Statement> run() {
    std::vector<Statement> out;
    items({&trace_.root, 1}, Place::once(), 0, out);
    return out;
  }

 private:
  void items(std::span<const Item> all, const Place& place, std::size_t depth,
             std::vector<Statement>& out) {
    Streams before;  // whom an `otherwise` would leave out
    for (std::size_t k = 0; k < all.size();) {
      const Streams coming = executions_.coming(all[k]), inside = executions_.entering(all[k]);
      if (inside.empty()) {
        ++k;
        continue;
      }
      if (inside.size() == coming.size()) {
        before.clear();
        item(all[k], coming, place, depth, out);
        ++k;
        continue;
      }
      const bool is_else = !before.empty() && is_complement(before, inside, coming);
      before = is_else ? Streams() : inside;
      Statement branch;
      branch.kind = is_else ? Statement::Kind::otherwise : Statement::Kind::branch;
      branch.coming = coming;
      branch.inside = inside;
      for (; k < all.size(); ++k) {
        const Streams next = executions_.entering(all[k]);
        if (next.empty()) continue;
        if (next != inside || executions_.coming(all[k]) != coming) break;
        item(all[k], inside, place, depth, branch.body);
      }
      out.push_back(std::move(branch));
    }
  }

  // `streams` are all that pass by and enter.
  void item(const Item& i, const Streams& streams, const Place& place, std::size_t depth,
            std::vector<Statement>& out) {
    const Seen seen =
        seen_by(i.trips, streams, [&](std::uint64_t s) { return executions_.of(i, s); });
    const bool same = seen.distinct.size() == 1 && seen.is_constant_each();
    if (same && seen.distinct[0].at(0) == 1) return contents(i, streams, place, depth, out);
    Statement loop;
    const analyze::Bounds bounds = analyze::trip_bounds(trace_, i, executions_);
    const bool is_if = bounds.min >= 0 && bounds.max <= 1;
    loop.kind = is_if ? Statement::Kind::condition : Statement::Kind::loop;
    loop.item = &i;
    loop.coming = loop.inside = streams;
    loop.place = place;
    loop.depth = depth;
    const Place within = same ? place.within(loop.index(), seen.distinct[0].at(0))
                         : seen.is_constant_each() ? place.within_varying(loop.index())
                                                   : Place::counted();
    std::optional<std::int64_t> every;
    if (is_if && place.is_known() && seen.distinct.size() == 1)
      every = distance_of_ones(seen.distinct[0], seen.length[0]);
    contents(i, streams,
             !is_if  ? within
             : every ? place.every(*every)
                     : Place::counted(),
             is_if ? depth : depth + 1, loop.body);
    if (!loop.body.empty()) out.push_back(std::move(loop));
  }

  void contents(const Item& i, const Streams& streams, const Place& place, std::size_t depth,
                std::vector<Statement>& out) {
    if (!i.is_call()) return items(i.body, place, depth, out);
    Statement call;
    call.item = &i;
    call.coming = call.inside = streams;
    call.place = place;
    out.push_back(std::move(call));
  }

  static bool is_complement(const Streams& a, const Streams& b, const Streams& all) {
    Streams both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return both.empty() && a.size() + b.size() == all.size();
  }

  const trace::Trace& trace_;
  analyze::Executions& executions_;
};

}  // namespace

std::vector<Statement> statements_of(const trace::Trace& trace, analyze::Executions& executions) {
  return Builder(trace, executions).run();
}

}  // namespace reprise::generate
