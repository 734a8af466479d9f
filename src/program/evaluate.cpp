#include "program/evaluate.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "expr/print.hpp"
#include "expr/program.hpp"
#include "trace/values/special.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

struct Stop {};

// A running procedure, or the body of the program.
struct Frame {
  const Node* invocation = nullptr;  // null: the body of the program
  Frame* caller = nullptr;
  std::uint64_t number = 0;                    // of the invocation
  std::vector<std::uint64_t> indices = {};     // of the loops around
  std::vector<std::uint64_t> iterations = {};  // their iterations, numbered over all
  std::vector<std::int64_t> trips = {};        // their trip counts
};

// Where in its table a place is.
struct Progress {
  trace::SeriesCursor cursor;
  std::size_t position = 0;  // in an alternation
  std::uint64_t entry = ~std::uint64_t{0};
  std::uint64_t invocation = ~std::uint64_t{0};
  std::int64_t last = 0;
};

class Executor {
 public:
  Executor(const Program& p, std::uint64_t stream, const Execution& x)
      : program_(p),
        stream_(stream),
        execution_(x),
        rank_(static_cast<std::int64_t>(stream / p.trace->threads)),
        ranks_(p.domain ? x.ranks : static_cast<std::int64_t>(p.trace->ranks)) {
    known_ = {{std::string(expr::kRank), rank_},
              {std::string(expr::kRanks), ranks_},
              {std::string(kThread), static_cast<std::int64_t>(stream % p.trace->threads)}};
    known_.insert(known_.end(), x.sizes.begin(), x.sizes.end());
    if (p.grid) {
      extents_ = extents_of(*p.grid, ranks_);
      add_grid(*p.grid, extents_, rank_, known_);
    }
    for (const Grid& g : p.other_grids) {
      if (!g.of_communicator) add_grid(g, extents_of(g, ranks_), rank_, known_);
    }
  }

  void run() {
    Frame frame;
    body(program_.body, frame);
  }

 private:
  struct ListPlace {
    std::int64_t index = 0, length = 0;
  };

  void body(const std::vector<Node>& nodes, Frame& frame) {
    bool before = false;
    for (const Node& n : nodes) {
      const bool is_in = n.kind == Node::Kind::otherwise ? !before : holds(n.who, frame);
      before = is_in;
      if (is_in) node(n, frame);
    }
  }

  void node(const Node& n, Frame& frame) {
    switch (n.kind) {
      case Node::Kind::call: return call(n, frame);
      case Node::Kind::loop:
      case Node::Kind::condition: return loop(n, frame);
      case Node::Kind::branch:
      case Node::Kind::otherwise:
      case Node::Kind::function: return body(n.body, frame);
      case Node::Kind::exchange: return;  // its calls are those of its draw
      case Node::Kind::invocation: {
        Frame inner{&n, &frame, ++invocations_, {}, {}, {}};
        return body(program_.procedures[n.procedure].body, inner);
      }
    }
  }

  void loop(const Node& n, Frame& frame) {
    const std::int64_t trips = value(n.trips, frame, {}, {});
    if (n.kind == Node::Kind::condition) {
      if (trips != 0) body(n.body, frame);
      return;
    }
    frame.indices.push_back(0);
    frame.iterations.push_back(0);
    frame.trips.push_back(trips);
    for (std::int64_t i = 0; i < trips; ++i) {
      frame.indices.back() = static_cast<std::uint64_t>(i);
      frame.iterations.back() = ++iterations_;
      body(n.body, frame);
    }
    frame.indices.pop_back();
    frame.iterations.pop_back();
    frame.trips.pop_back();
  }

  void call(const Node& n, Frame& frame) {
    const trace::Membership m = execution_.membership(n.call);
    if (execution_.made) made_ = execution_.made(n.call);
    const trace::Function& f = trace::function(program_.trace->calls[n.call].function);
    trace::Event event;
    event.call = n.call;
    event.function = &f;
    for (const Argument& a : n.arguments) {
      if (!a.length) {
        event.scalars.push_back(value(a.value, frame, m, {}));
        continue;
      }
      ListPlace at{0, value(*a.length, frame, m, {})};
      std::vector<std::int64_t>& list = event.lists.emplace_back();
      for (; at.index < at.length; ++at.index) list.push_back(value(a.value, frame, m, at));
    }
    if (!execution_.call(event)) throw Stop{};
  }

  bool holds(const Who& who, Frame& frame) {
    if (who.parameter) {
      const auto& passed = frame.invocation->passed[*who.parameter];
      return holds(std::get<Who>(passed), *frame.caller);
    }
    if (who.condition) return evaluate(*who.condition, frame, {}, {}) != 0;
    return std::ranges::binary_search(*who.streams, stream_);
  }

  std::int64_t value(const Value& v, Frame& frame, trace::Membership m,
                     const std::optional<ListPlace>& list) {
    if (v.parameter) {
      const auto& passed = frame.invocation->passed[*v.parameter];
      return passed_value(std::get<Value>(passed), frame, m, list);
    }
    return cases(v, frame, frame.number, m, list, false);
  }

  // Of what the caller passes, a table goes on once an invocation.
  std::int64_t passed_value(const Value& v, Frame& frame, trace::Membership m,
                            const std::optional<ListPlace>& list) {
    if (v.parameter) return value(v, *frame.caller, m, list);
    return cases(v, *frame.caller, frame.number, m, list, true);
  }

  std::int64_t cases(const Value& v, Frame& frame, std::uint64_t invocation, trace::Membership m,
                     const std::optional<ListPlace>& list, bool is_passed) {
    std::int64_t distance = 1;
    if (v.distance) {
      const auto& passed = frame.invocation->passed[*v.distance];
      distance = passed_value(std::get<Value>(passed), frame, m, list);
    }
    for (const Case& c : v.cases) {
      if (!holds(c.who, frame)) continue;
      if (const auto* e = std::get_if<Expr>(&c.content)) return evaluate(*e, frame, m, list);
      if (const auto* n = std::get_if<Neighbor>(&c.content)) return neighbor(*n, distance);
      if (const auto* s = std::get_if<Sequence>(&c.content))
        return trace::decode_rank(s->encoding, next(*s, frame, invocation, list, is_passed), m);
      if (const auto* a = std::get_if<Alternation>(&c.content)) {
        const std::size_t at = position(*a, frame, invocation, is_passed);
        if (const auto* e = std::get_if<Expr>(&a->laws[at])) return evaluate(*e, frame, m, list);
        return neighbor(std::get<Neighbor>(a->laws[at]), distance);
      }
      if (const auto* p = std::get_if<Pattern>(&c.content))
        return trace::decode_rank(p->encoding, next(*p, frame, invocation, list, is_passed), m);
      if (std::holds_alternative<Drawn>(c.content))
        throw std::invalid_argument("a number is drawn from a distribution");
      const auto& table = std::get<ByStream>(c.content);
      const auto at = std::ranges::lower_bound(*c.who.streams, stream_);
      return table.values.at(static_cast<std::uint64_t>(at - c.who.streams->begin()));
    }
    throw std::invalid_argument("no case holds");
  }

  std::int64_t next(const Sequence& s, Frame& frame, std::uint64_t invocation,
                    const std::optional<ListPlace>& list, bool is_passed) {
    Progress& p = progress_[&s];
    if (s.each_time) {
      if (list->index == 0) p.cursor = trace::SeriesCursor(s.values);
      return p.cursor.next();
    }
    if (s.by_loop && !list) return s.values.at(place_by(*s.by_loop, frame));
    if (is_passed && !list && p.invocation == invocation) return p.last;
    const std::uint64_t entry = entry_of(s.scope, frame);
    if (p.entry != entry) {
      p.cursor = trace::SeriesCursor(s.values);
      p.entry = entry;
    }
    p.invocation = invocation;
    p.last = p.cursor.next();
    return p.last;
  }

  std::int64_t next(const Pattern& pattern, Frame& frame, std::uint64_t invocation,
                    const std::optional<ListPlace>& list, bool is_passed) {
    trace::Series& series = patterns_[&pattern];
    if (series.empty()) series = trace::Series(terms(pattern.terms, frame));
    Progress& p = progress_[&pattern];
    if (is_passed && !list && p.invocation == invocation) return p.last;
    const std::uint64_t entry = entry_of(0, frame);
    if (p.entry != entry) p.cursor = trace::SeriesCursor(series);
    p.entry = entry;
    p.invocation = invocation;
    p.last = p.cursor.next();
    return p.last;
  }

  std::vector<trace::Term> terms(const std::vector<PatternTerm>& pattern, const Frame& frame) {
    std::vector<trace::Term> out;
    for (const PatternTerm& t : pattern) {
      trace::Term term;
      term.body = terms(t.body, frame);
      if (!t.body.empty()) {
        term.period = 0;
        for (const trace::Term& b : term.body) term.period += b.count * b.period;
      }
      const std::int64_t count = evaluate(t.count, frame, {}, {});
      // A pass that ranks do not have at all.
      if (!t.count.is_constant(0) && (count <= 0 || term.period == 0)) continue;
      term.value = t.body.empty() ? evaluate(t.value, frame, {}, {}) : 0;
      term.step = evaluate(t.step, frame, {}, {});
      term.count = static_cast<std::uint64_t>(count);
      out.push_back(std::move(term));
    }
    return out;
  }

  std::size_t position(const Alternation& a, Frame& frame, std::uint64_t invocation,
                       bool is_passed) {
    if (a.by_loop) return place_by(*a.by_loop, frame);
    Progress& p = progress_[&a];
    if (is_passed && p.invocation == invocation) return static_cast<std::size_t>(p.last);
    const std::uint64_t entry = entry_of(a.scope, frame);
    if (p.entry != entry) p.position = 0;
    p.entry = entry;
    p.invocation = invocation;
    p.last = static_cast<std::int64_t>(p.position);
    p.position = (p.position + 1) % a.laws.size();
    return static_cast<std::size_t>(p.last);
  }

  static std::uint64_t place_by(const ByLoop& by, const Frame& frame) {
    const std::uint64_t behind = frame.indices[by.loop] - static_cast<std::uint64_t>(by.first);
    return behind / static_cast<std::uint64_t>(by.per);
  }

  static std::uint64_t entry_of(std::size_t scope, const Frame& frame) {
    return scope == 0 ? frame.number + (std::uint64_t{1} << 62) : frame.iterations[scope - 1];
  }

  std::int64_t neighbor(const Neighbor& n, std::int64_t distance) const {
    std::int64_t rank = rank_, out = 0, stride = 1;
    for (std::size_t d = 0; d < n.steps.size(); ++d) {
      const std::int64_t extent = extents_[d];
      const std::int64_t to = rank % extent + distance * n.steps[d];
      rank /= extent;
      if ((to < 0 || to >= extent) && !n.wraps[d]) return trace::kProcNull;
      out += (to % extent + extent) % extent * stride;
      stride *= extent;
    }
    return out;
  }

  std::int64_t evaluate(const Expr& e, const Frame& frame, trace::Membership m,
                        const std::optional<ListPlace>& list) const {
    if (e.is_constant()) return e.value();
    std::vector<expr::Value> known = known_;
    known.push_back({std::string(kCommRank), m.rank});
    known.push_back({std::string(kCommSize), m.size});
    for (const Grid& g : program_.other_grids) {
      if (g.of_communicator && m.size > 0) add_grid(g, extents_of(g, m.size), m.rank, known);
    }
    for (std::size_t i = 0; i < frame.indices.size(); ++i) {
      known.push_back({loop_index(i), static_cast<std::int64_t>(frame.indices[i])});
      known.push_back({loop_trips(i), frame.trips[i]});
    }
    if (execution_.made) {
      known.push_back({std::string(kNewRank), made_.rank});
      known.push_back({std::string(kNewSize), made_.size});
    }
    if (list) {
      known.push_back({std::string(kIndex), list->index});
      known.push_back({std::string(kLength), list->length});
    }
    const auto value = expr::evaluate(e, known);
    if (!value) throw std::invalid_argument(value.error().message);
    return *value;
  }

  // Empty if there is no such grid.
  static std::vector<std::int64_t> extents_of(const Grid& grid, std::int64_t ranks) {
    if (grid.rule) return grid.rule->extents(ranks).value_or(std::vector<std::int64_t>());
    std::vector<std::int64_t> out;
    for (const Expr& e : grid.extents) out.push_back(e.value());
    return out;
  }

  static void add_grid(const Grid& grid, const std::vector<std::int64_t>& extents,
                       std::int64_t rank, std::vector<expr::Value>& known) {
    for (std::size_t d = 0; d < extents.size(); ++d) {
      known.push_back({grid.prefix + std::string(coordinate(d)), rank % extents[d]});
      known.push_back({grid.prefix + std::string(extent(d)), extents[d]});
      rank /= extents[d];
    }
  }

  const Program& program_;
  std::uint64_t stream_;
  const Execution& execution_;
  std::int64_t rank_, ranks_;
  std::vector<std::int64_t> extents_;  // of the grid of all ranks
  std::vector<expr::Value> known_;     // variables that the rank has everywhere
  trace::Membership made_ = {};        // in what the current call makes
  std::map<const Pattern*, trace::Series> patterns_;
  std::map<const void*, Progress> progress_;
  std::uint64_t invocations_ = 0, iterations_ = 0;
};

}  // namespace

void execute(const Program& program, std::uint64_t stream, const Execution& execution) {
  try {
    Executor(program, stream, execution).run();
  } catch (const Stop&) {
  }
}

}  // namespace reprise::program
