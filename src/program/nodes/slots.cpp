#include "program/nodes/slots.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"

namespace reprise::program {
namespace {

constexpr std::int64_t kMostTrips = 64;  // of a loop whose iterations are looked at one by one

// The loops of the function that are around a node, if there is but one.
struct Around {
  std::size_t loops = 0;
  std::optional<std::size_t> depth = {};  // of that one
  std::int64_t trips = 0;
  bool is_once = true;  // the node is executed once for each time that the function is
};

// Whether a condition holds in just one iteration of the loop around it.
bool is_one_iteration(const Value& taken, const Around& around) {
  const expr::Expr* e = taken.expression();
  if (!e || around.loops != 1 || around.trips > kMostTrips) return false;
  std::int64_t times = 0;
  for (std::int64_t i = 0; i < around.trips; ++i) {
    const std::vector<expr::Value> index = {{loop_index(*around.depth), i}};
    const auto holds = expr::evaluate(*e, index);
    if (!holds) return false;
    times += *holds != 0;
  }
  return times == 1;
}

Around inside(const Node& n, const Around& around) {
  Around out = around;
  if (n.kind == Node::Kind::loop) {
    ++out.loops;
    out.depth = n.depth;
    out.trips = n.trips.constant().value_or(kMostTrips + 1);
    out.is_once = false;
  } else if (n.kind == Node::Kind::condition) {
    out.is_once = is_one_iteration(n.trips, around);
    // What is below is not in every iteration any more.
    out.loops = 2;
  }
  return out;
}

void visit_nodes(std::vector<Node>& nodes, const Around& around,
                 const std::function<void(const Slot&)>& visit) {
  const bool is_once = around.is_once;
  for (Node& n : nodes) {
    const auto show = [&](Value* value, Who* who, std::string name) {
      Slot slot;
      slot.value = value;
      slot.who = who;
      slot.name = std::move(name);
      slot.is_once = is_once;
      if (around.loops == 1 && around.trips <= kMostTrips) slot.trips = around.trips;
      return slot;
    };
    visit(show(nullptr, &n.who, "active"));
    const bool varies = n.kind == Node::Kind::loop || n.kind == Node::Kind::condition;
    if (varies) visit(show(&n.trips, nullptr, n.kind == Node::Kind::loop ? "trips" : "taken"));
    for (Argument& a : n.arguments) {
      const std::string name(a.column.name);
      const bool is_text = a.column.kind == trace::Kind::character;
      if (a.length) {
        // MPI calls the number of requests so.
        const bool is_count = a.column.kind == trace::Kind::request;
        Slot length = show(&*a.length, nullptr, is_count ? "count" : name + "_length");
        length.is_text_length = is_text;
        visit(length);
      }
      Slot slot = show(&a.value, nullptr, name);
      slot.column = a.column;
      slot.is_list = a.length.has_value();
      visit(slot);
    }
    for (std::size_t k = 0; k < n.passed.size(); ++k) {
      Slot slot = show(std::get_if<Value>(&n.passed[k]), std::get_if<Who>(&n.passed[k]), "active");
      slot.invocation = &n;
      slot.parameter = k;
      visit(slot);
    }
    visit_nodes(n.body, inside(n, around), visit);
  }
}

std::uint64_t hash_of(const Streams& streams) {
  return hash_bytes(streams.data(), streams.size() * sizeof(streams[0]));
}

std::string loop_text(const std::optional<ByLoop>& by) {
  if (!by) return "in order";
  return fmt::format("by {} / {} from {}{}", loop_index(by->loop), by->per, by->first,
                     by->is_partial ? " only" : "");
}

struct ContentText {
  const Case& of;

  std::string operator()(const expr::Expr& e) const { return expr::print(e); }
  std::string operator()(const Neighbor& n) const {
    std::string out = n.has_borders ? "step" : "inner step";
    for (std::size_t d = 0; d < n.steps.size(); ++d)
      out += fmt::format(" {}{}", n.steps[d], n.wraps[d] ? "w" : "");
    return out;
  }
  std::string operator()(const Sequence& s) const {
    return fmt::format("series {:x} {} {} {} {} {}", s.values.hash(), s.length, s.scope,
                       s.each_time, static_cast<int>(s.encoding), loop_text(s.by_loop));
  }
  std::string operator()(const Alternation& a) const {
    std::string out = fmt::format("in turn {} {}:", a.scope, loop_text(a.by_loop));
    for (const auto& law : a.laws) {
      const auto* e = std::get_if<expr::Expr>(&law);
      out += " " + (e ? (*this)(*e) : (*this)(std::get<Neighbor>(law))) + ",";
    }
    return out;
  }
  std::string operator()(const Pattern& p) const {
    return fmt::format("pattern {}: {}", static_cast<int>(p.encoding), (*this)(p.terms));
  }
  std::string operator()(const std::vector<PatternTerm>& terms) const {
    std::string out;
    for (const PatternTerm& t : terms)
      out += fmt::format("{} step {} x {} ({}), ", expr::print(t.value), expr::print(t.step),
                         expr::print(t.count), (*this)(t.body));
    return out;
  }
  std::string operator()(const Drawn& d) const {
    std::string out = "drawn";
    for (const fit::Curve& c : d.quantiles) {
      for (std::size_t t = 0; t < c.terms.size(); ++t) {
        out += fmt::format(" {}", c.coefficients[t]);
        for (const fit::Factor& f : c.terms[t])
          out += fmt::format(" {}^{} {}", f.variable, f.exponent, f.logs);
      }
    }
    return out;
  }
  std::string operator()(const ByStream& t) const {
    return fmt::format("table {:x} {:x}", t.values.hash(), hash_of(*of.who.streams));
  }
};

std::string frame_text(const trace::Trace& trace, const std::optional<std::uint32_t>& frame) {
  if (!frame) return "?";
  const trace::Frame& f = trace.frames[*frame];
  if (f.line != 0) return fmt::format("{}:{}:{}", f.function, f.file, f.line);
  return fmt::format("{}+{}", f.module, f.offset);
}

}  // namespace

void for_each_slot(std::vector<Node>& nodes, const std::function<void(const Slot&)>& visit) {
  visit_nodes(nodes, {}, visit);
}

std::string signature(const Who& who) {
  if (who.parameter) return fmt::format("#{}", *who.parameter);
  if (who.condition) return expr::print(*who.condition);
  return fmt::format("set {:x}", hash_of(*who.streams));
}

std::string signature(const Value& value) {
  if (value.parameter) return fmt::format("#{}", *value.parameter);
  std::string out = value.distance ? fmt::format("at #{}: ", *value.distance) : "";
  for (const Case& c : value.cases)
    out += std::visit(ContentText{c}, c.content) + " if " + signature(c.who) + "; ";
  return out;
}

std::string shape(const trace::Trace& trace, const std::vector<Node>& nodes) {
  std::string out = "{";
  for (const Node& n : nodes) {
    out += fmt::format("{} {}", static_cast<int>(n.kind), frame_text(trace, n.frame));
    if (n.kind == Node::Kind::call)
      out += fmt::format(" call {}", static_cast<int>(trace.calls[n.call].function));
    if (n.kind == Node::Kind::invocation) out += fmt::format(" procedure {}", n.procedure);
    if (n.kind == Node::Kind::exchange) out += fmt::format(" exchange {}", n.exchange);
    // The functions between are said of all places that a procedure is called from.
    for (const std::uint32_t f : n.between)
      out += fmt::format(" by {} {}", trace.frames[f].function, trace.frames[f].file);
    for (const Argument& a : n.arguments) out += a.length ? " []" : " -";
    out += n.body.empty() ? "" : shape(trace, n.body);
    out += ",";
  }
  return out + "}";
}

std::size_t lines_of(const std::vector<Node>& nodes) {
  std::size_t lines = 0;
  for (const Node& n : nodes) lines += 1 + (n.body.size() > 1 ? lines_of(n.body) : 0);
  return lines;
}

}  // namespace reprise::program
