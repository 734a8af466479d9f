#include "write/json/program.hpp"

#include "trace/calls/places.hpp"
#include "write/json/numbers.hpp"
#include "write/json/values.hpp"

namespace reprise::write {

using nlohmann::ordered_json;
using program::Node;
using trace::Trace;

namespace {

ordered_json frame_json(const Trace& t, const trace::Places& places, std::uint32_t frame) {
  const trace::Frame& f = t.frames[frame];
  ordered_json out{{"function", t.texts[f.function]}};
  if (const std::string name = places.function(frame);
      f.function != 0 && name != t.texts[f.function])
    out["name"] = name;
  if (f.line != 0) {
    out["file"] = t.texts[f.file];
    out["line"] = f.line;
  } else if (f.module < t.modules.size()) {
    out["module"] = t.modules[f.module].path;
    out["offset"] = f.offset;
  }
  if (places.is_wrapper(frame)) out["wrapper"] = true;
  return out;
}

const char* kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::call: return "call";
    case Node::Kind::loop: return "loop";
    case Node::Kind::condition: return "condition";
    case Node::Kind::branch: return "branch";
    case Node::Kind::otherwise: return "otherwise";
    case Node::Kind::function: return "function";
    case Node::Kind::invocation: return "invocation";
    case Node::Kind::exchange: return "exchange";
  }
  return "";
}

// The nodes of the program, or of a procedure.
class NodeJson {
 public:
  NodeJson(const program::Program& program, const program::Procedure* procedure,
           const trace::Places& places)
      : program_(program), places_(places), values_(program, procedure) {}

  ordered_json nodes(const std::vector<Node>& nodes) const {
    ordered_json out = ordered_json::array();
    for (const Node& n : nodes) out.push_back(node(n));
    return out;
  }

 private:
  ordered_json node(const Node& n) const {
    ordered_json out{{"kind", kind_name(n.kind)}};
    if (!n.who.is_everyone() || n.who.parameter) out["who"] = values_.who(n.who);
    switch (n.kind) {
      case Node::Kind::call: add_call(n, out); break;
      case Node::Kind::loop:
        out["index"] = program::loop_index(n.depth);
        out["trips"] = values_.value(n.trips, kPlainNumber);
        break;
      case Node::Kind::condition: out["taken"] = values_.value(n.trips, kPlainNumber); break;
      case Node::Kind::invocation: add_invocation(n, out); break;
      case Node::Kind::function:
        out["function"] = n.entered ? places_.function(*n.entered) : std::string("?");
        break;
      case Node::Kind::branch:
      case Node::Kind::otherwise:
      case Node::Kind::exchange: break;
    }
    for (const std::uint32_t f : n.between) out["between"].push_back(places_.function(f));
    if (n.frame) out["at"] = frame_json(*program_.trace, places_, *n.frame);
    if (n.kind != Node::Kind::call && n.kind != Node::Kind::invocation) out["body"] = nodes(n.body);
    return out;
  }

  void add_call(const Node& n, ordered_json& out) const {
    const trace::Call& call = program_.trace->calls[n.call];
    out["function"] = trace::function(call.function).name;
    out["call"] = n.call;
    out["callpath"] = call.callpath;
    out["arguments"] = ordered_json::array();
    for (const program::Argument& a : n.arguments) {
      ordered_json argument{{"name", a.column.name}};
      if (a.length) argument["length"] = values_.value(*a.length, kPlainNumber);
      argument[a.length ? "elements" : "value"] = values_.value(a.value, a.column);
      out["arguments"].push_back(std::move(argument));
    }
  }

  void add_invocation(const Node& n, ordered_json& out) const {
    const program::Procedure& p = program_.procedures[n.procedure];
    out["procedure"] = p.name;
    out["passed"] = ordered_json::array();
    for (std::size_t k = 0; k < n.passed.size(); ++k) {
      ordered_json passed{{"name", p.parameters[k].name}};
      if (const auto* value = std::get_if<program::Value>(&n.passed[k])) {
        passed["value"] = values_.value(*value, p.parameters[k].column.value_or(kPlainNumber));
      } else {
        passed["who"] = values_.who(std::get<program::Who>(n.passed[k]));
      }
      out["passed"].push_back(std::move(passed));
    }
    out["calls"] = n.calls;
  }

  const program::Program& program_;
  const trace::Places& places_;
  ValueJson values_;
};

ordered_json grid_json(const program::Grid& grid) {
  ordered_json coordinates = ordered_json::object();
  for (std::size_t d = 0; d < grid.coordinates.size(); ++d)
    coordinates[std::string(program::coordinate(d))] =
        expression_json(kPlainNumber, grid.coordinates[d]);
  ordered_json extents = ordered_json::array();
  for (const expr::Expr& e : grid.extents) extents.push_back(expression_json(kPlainNumber, e));
  ordered_json out{{"extents", std::move(extents)}, {"coordinates", std::move(coordinates)}};
  if (grid.rule) out["rule"] = grid.rule->describe();
  if (!grid.prefix.empty()) out["prefix"] = grid.prefix;
  if (grid.of_communicator) out["of_communicator"] = true;
  return out;
}

const char* shape_name(program::NumberClass::Shape shape) {
  using Shape = program::NumberClass::Shape;
  switch (shape) {
    case Shape::any: return "any";
    case Shape::square: return "square";
    case Shape::twice_square: return "twice_square";
    case Shape::oblong: return "oblong";
    case Shape::cube: return "cube";
    case Shape::power_of_two: return "power_of_two";
  }
  return "";
}

ordered_json range_json(const program::Range& range) {
  return {{"least", range.least},
          {"most", range.most},
          {"multiple_of", range.numbers.multiple_of},
          {"shape", shape_name(range.numbers.shape)}};
}

// What a program of any number of ranks has besides.
void add_domain(const program::Program& program, ordered_json& out) {
  ordered_json sizes = ordered_json::array();
  for (std::size_t k = 0; k < program.sizes.size(); ++k) {
    sizes.push_back(
        {{"name", program.sizes[k]}, {"numbers", range_json(program.domain->parameters.at(k))}});
  }
  out["domain"] = {{"ranks", range_json(program.domain->ranks)}, {"sizes", std::move(sizes)}};
  out["recursions"] = ordered_json::array();
  for (const program::Recursion& r : program.recursions) {
    out["recursions"].push_back({{"call", r.call},
                                 {"first", expression_json(kPlainNumber, r.first)},
                                 {"goes_on", expression_json(kPlainNumber, r.goes_on)}});
  }
  out["computation"] = ordered_json::array();
  for (const auto& curve : program.computation) {
    out["computation"].push_back(curve ? curve_json(*curve, program.sizes) : ordered_json(nullptr));
  }
  out["other_grids"] = ordered_json::array();
  for (const program::Grid& g : program.other_grids) out["other_grids"].push_back(grid_json(g));
}

ordered_json parameters_json(const program::Procedure& p) {
  ordered_json out = ordered_json::array();
  for (const program::Parameter& q : p.parameters) out.push_back(q.name);
  return out;
}

}  // namespace

ordered_json header_json(const Trace& t) {
  const trace::Places places(t);
  ordered_json callpaths = ordered_json::array();
  for (const auto& path : t.callpaths) {
    ordered_json frames = ordered_json::array();
    for (auto f = path.rbegin(); f != path.rend(); ++f) frames.push_back(frame_json(t, places, *f));
    callpaths.push_back(std::move(frames));
  }
  return {{"program", t.program},
          {"mpi", t.mpi},
          {"ranks", t.ranks},
          {"threads", t.threads},
          {"callpaths", std::move(callpaths)}};
}

ordered_json program_json(const program::Program& program) {
  const trace::Places places(*program.trace);
  ordered_json out = ordered_json::object();
  if (program.domain) add_domain(program, out);
  if (program.grid) out["grid"] = grid_json(*program.grid);
  out["groups"] = ordered_json::array();
  for (const program::Group& g : program.groups) {
    if (!g.condition)
      out["groups"].push_back({{"name", g.name}, {"streams", set_json(*g.streams)}});
  }
  out["procedures"] = ordered_json::array();
  for (const program::Procedure& p : program.procedures) {
    out["procedures"].push_back({{"name", p.name},
                                 {"parameters", parameters_json(p)},
                                 {"body", NodeJson(program, &p, places).nodes(p.body)}});
  }
  for (const std::uint32_t f : program.around) out["around"].push_back(places.function(f));
  if (program.frame) out["function"] = places.function(*program.frame);
  out["body"] = NodeJson(program, nullptr, places).nodes(program.body);
  return out;
}

ordered_json event_json(const Trace& t, const trace::Event& event) {
  const trace::Function& f = *event.function;
  ordered_json parameters = ordered_json::object();
  for (std::size_t i = 0; i < f.scalars.size(); ++i)
    parameters[std::string(f.scalars[i].name)] = number_json(f.scalars[i], event.scalars[i]);
  for (std::size_t i = 0; i < f.lists.size(); ++i) {
    ordered_json& list = parameters[std::string(f.lists[i].name)] = ordered_json::array();
    for (const std::int64_t v : event.lists[i]) list.push_back(number_json(f.lists[i], v));
  }
  return {{"function", f.name},
          {"callpath", t.calls[event.call].callpath},
          {"parameters", std::move(parameters)}};
}

}  // namespace reprise::write
