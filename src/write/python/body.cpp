#include "write/python/body.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "write/python/constants.hpp"
#include "write/python/text.hpp"
#include "write/unwritable.hpp"
#include "write/uses.hpp"

namespace reprise::write::python {

using program::Node;
using program::Procedure;
using program::Value;
using program::Who;

namespace {

constexpr std::array<const char*, 6> kIndices = {"i", "j", "k", "l", "m", "n"};
const trace::Column kNumber{"", trace::Kind::integer, -1};

std::string index_of(std::size_t depth) {
  return depth < kIndices.size() ? kIndices[depth] : "i" + std::to_string(depth);
}

// Whether a call makes the object that a parameter is.
bool is_made(const program::Program& program, const std::vector<Node>& nodes,
             std::size_t parameter) {
  return std::ranges::any_of(nodes, [&](const Node& n) {
    if (n.kind == Node::Kind::call) {
      const MethodCall& method = method_call(program.trace->calls[n.call].function);
      return std::ranges::any_of(method.results, [&](int column) {
        return column >= 0 &&
               n.arguments[static_cast<std::size_t>(column)].value.parameter == parameter;
      });
    }
    for (std::size_t i = 0; i < n.passed.size(); ++i) {
      const auto* v = std::get_if<Value>(&n.passed[i]);
      if (v && v->parameter == parameter &&
          is_made(program, program.procedures[n.procedure].body, i))
        return true;
    }
    return is_made(program, n.body, parameter);
  });
}

// Whether a parameter is the number of an object: of one that a call makes, or which the procedure
// itself may make before it uses it.
bool is_key(const program::Program& program, const program::Procedure& p, std::size_t parameter) {
  if (is_made(program, p.body, parameter)) return true;
  const auto use = find_use(program, p.body, parameter);
  const auto& column = p.parameters[parameter].column;
  const auto objects = column ? objects_of(column->kind) : std::nullopt;
  if (!use || use->role != Use::Role::value || !objects ||
      !may_be_made(program, p, parameter, objects->first))
    return false;
  return any_call(program, p.body, [&](const Node& n) {
    const MethodCall& method = method_call(program.trace->calls[n.call].function);
    return std::ranges::any_of(method.results, [&](int made) {
      return made >= 0 && n.arguments[static_cast<std::size_t>(made)].column.kind == column->kind;
    });
  });
}

// Whether all that is done is a call of another function, under a condition or not.
bool calls_another(const Block& body) {
  if (body.size() != 1) return false;
  if (const auto* branches = std::get_if<If>(&body.front().content))
    return branches->branches.size() == 1 && calls_another(branches->branches.front().body);
  return std::holds_alternative<Evaluate>(body.front().content);
}

}  // namespace

BodyWriter::BodyWriter(const program::Program& program, Values& values, Names& names, Parts& parts,
                       bool keeps_window_communicators)
    : program_(program),
      values_(values),
      names_(names),
      calls_(program, values, parts, keeps_window_communicators),
      places_(*program.trace),
      is_written_(program.procedures.size(), false) {
  for (const program::Procedure& p : program.procedures)
    procedure_names_.push_back(names_.add(p.name));
}

Block BodyWriter::run() {
  Frame frame;
  Block body = nodes(program_.body, frame);
  functions_.push_back({python::Function{"main", {}, std::move(body)}});
  return std::move(functions_);
}

std::string BodyWriter::place(const Node& n) const {
  if (!n.frame) return {};
  return comment_text(places_.location(*n.frame));
}

Expression BodyWriter::site(const std::vector<std::uint32_t>& calls, Frame& frame) {
  if (!frame.procedure) {
    const std::size_t first = sites_.size();
    sites_.insert(sites_.end(), calls.begin(), calls.end());
    return number(static_cast<std::int64_t>(first));
  }
  std::size_t& offset = offsets_[&frame];
  Expression out = name("site");
  if (offset > 0)
    out = binary(Operator::add, std::move(out), number(static_cast<std::int64_t>(offset)));
  offset += calls.size();
  return out;
}

Block BodyWriter::nodes(const std::vector<Node>& nodes, Frame& frame) {
  Block out;
  for (const Node& n : nodes) {
    if (n.kind == Node::Kind::otherwise) {
      auto* before = out.empty() ? nullptr : std::get_if<If>(&out.back().content);
      if (!before) throw Unwritable{"it has an else without a condition"};
      Block body = this->nodes(n.body, frame);
      auto* only = body.size() == 1 ? std::get_if<If>(&body.front().content) : nullptr;
      if (only) {
        std::ranges::move(only->branches, std::back_inserter(before->branches));
      } else {
        before->branches.push_back({nullptr, std::move(body)});
      }
      continue;
    }
    if (n.kind == Node::Kind::branch) {
      Expression condition = values_.condition(n.who, {frame});
      out.push_back({If{{{std::move(condition), this->nodes(n.body, frame)}}}});
      continue;
    }
    if (n.who.is_everyone() && !n.who.parameter) {
      node(n, frame, out);
      continue;
    }
    Expression condition = values_.condition(n.who, {frame});
    Block inside;
    node(n, frame, inside);
    out.push_back({If{{{std::move(condition), std::move(inside)}}}});
  }
  return out;
}

void BodyWriter::node(const Node& n, Frame& frame, Block& out) {
  switch (n.kind) {
    case Node::Kind::call: return call(n, frame, out);
    case Node::Kind::loop: return loop(n, frame, out);
    case Node::Kind::condition: {
      Expression condition = values_.condition(n.trips, {frame});
      out.push_back({If{{{std::move(condition), nodes(n.body, frame)}}}});
      return;
    }
    case Node::Kind::function: return function(n, frame, out);
    case Node::Kind::invocation: return invocation(n, frame, out);
    case Node::Kind::exchange: throw Unwritable{"its messages are drawn"};
    case Node::Kind::branch:
    case Node::Kind::otherwise: return;  // nodes() has them
  }
}

void BodyWriter::call(const Node& n, Frame& frame, Block& out) {
  const trace::Function& f = trace::function(program_.trace->calls[n.call].function);
  const bool is_init = f.traits & trace::traits::kInit;
  Statement computation = evaluate(python::call("at", {site({n.call}, frame)}));
  if (!is_init) out.push_back(computation);
  std::ranges::move(calls_.write(n, frame, place(n)), std::back_inserter(out));
  if (!is_init) return;
  // What is computed before the first call hangs on the rank, which only MPI tells.
  out.push_back(evaluate(python::call("start")));
  out.push_back(std::move(computation));
}

void BodyWriter::loop(const Node& n, Frame& frame, Block& out) {
  Expression trips = values_.scalar(n.trips, kNumber, {frame});
  frame.loops.push_back({index_of(n.depth)});
  Block inside = nodes(n.body, frame);
  LoopPlace place = std::move(frame.loops.back());
  frame.loops.pop_back();
  Block body = std::move(place.restarts);
  std::ranges::move(inside, std::back_inserter(body));
  const bool is_used = names_in(body).contains(place.index);
  out.push_back({For{is_used ? place.index : "_", python::call("range", {std::move(trips)}),
                     std::move(body)}});
}

std::vector<std::string> BodyWriter::needed(const Block& body, const Frame& frame) {
  const std::set<std::string> used = names_in(body);
  std::vector<std::string> out;
  const auto add = [&](const std::string& n) {
    if (used.contains(n)) out.push_back(n);
  };
  if (frame.procedure) add("site");
  for (const std::string& p : frame.parameters) add(p);
  for (const LoopPlace& l : frame.loops) add(l.index);
  return out;
}

void BodyWriter::function(const Node& n, Frame& frame, Block& out) {
  Block body = nodes(n.body, frame);
  // A single call stands where the function is called.
  const bool is_one_call = n.body.size() == 1 && n.body.front().kind == Node::Kind::call;
  if (is_one_call || calls_another(body)) {
    std::ranges::move(body, std::back_inserter(out));
    return;
  }
  const std::string name = names_.add(n.entered ? places_.function(*n.entered) : "function");
  const std::vector<std::string> parameters = needed(body, frame);
  functions_.push_back({python::Function{name, parameters, std::move(body)}});
  std::vector<Expression> arguments;
  for (const std::string& p : parameters) arguments.push_back(python::name(p));
  out.push_back(evaluate(python::call(name, std::move(arguments)), place(n)));
}

void BodyWriter::procedure(std::size_t index) {
  const Procedure& p = program_.procedures[index];
  is_written_[index] = true;
  Frame frame;
  frame.procedure = &p;
  Names own = names_;  // parameters may be named like those of other procedures
  for (std::size_t i = 0; i < p.parameters.size(); ++i) {
    frame.parameters.push_back(own.add(p.parameters[i].name));
    frame.are_keys.push_back(is_key(program_, p, i));
  }
  Block inside = nodes(p.body, frame);
  offsets_.erase(&frame);
  Block body = std::move(frame.restarts);
  std::ranges::move(inside, std::back_inserter(body));
  std::vector<std::string> parameters = {"site"};
  parameters.insert(parameters.end(), frame.parameters.begin(), frame.parameters.end());
  functions_.push_back({python::Function{procedure_names_[index], parameters, std::move(body)}});
}

// Communicators that are passed and are not the same each time get names: ranks may be told by
// them.
BodyWriter::Named BodyWriter::name_communicators(const Node& n, Frame& frame, Block& out) {
  Named named;
  const Procedure& p = program_.procedures[n.procedure];
  for (std::size_t i = 0; i < n.passed.size(); ++i) {
    const auto* v = std::get_if<Value>(&n.passed[i]);
    const auto& column = p.parameters[i].column;
    const bool is_table = v && column && column->kind == trace::Kind::comm && has_table(*v) &&
                          !is_key(program_, p, i);
    if (!is_table) continue;
    const std::string variable =
        named.empty() ? "comm" : "comm_" + std::to_string(named.size() + 1);
    out.push_back(assign(name(variable), values_.scalar(*v, *column, {frame})));
    named.emplace(v, variable);
  }
  return named;
}

Expression BodyWriter::passed(const Node& n, std::size_t parameter, const Named& named,
                              Frame& frame) {
  if (const auto* who = std::get_if<Who>(&n.passed[parameter])) {
    if (who->is_everyone() && !who->parameter) return name("True");
    return values_.condition(*who, {frame});
  }
  const Value& value = std::get<Value>(n.passed[parameter]);
  const Procedure& p = program_.procedures[n.procedure];
  Place place{frame};
  const auto use = find_use(program_, p.body, parameter);
  if (!use) return values_.scalar(value, p.parameters[parameter].column.value_or(kNumber), place);
  if (const Value* comm = from_outside(use->communicator, n)) {
    const auto known = named.find(comm);
    if (known != named.end()) {
      place.communicator = name(known->second);
    } else if (!has_table(*comm)) {
      place.communicator = values_.object(*comm, use->communicator_column, {frame});
    }
  }
  if (const auto known = named.find(&value); known != named.end()) return name(known->second);
  const trace::Column& column = use->argument->column;
  if (is_key(program_, p, parameter)) return values_.key(value, column, place);
  if (use->role != Use::Role::elements)
    return values_.scalar(values_.significant(value),
                          use->role == Use::Role::value ? column : kNumber, place);
  const Value* length = from_outside(use->length, n);
  if (column.kind == trace::Kind::request) return values_.ages(column, value, *length, place);
  if (column.kind == trace::Kind::character) return values_.text(column, value, *length, place);
  return values_.list(column, value, *length, place);
}

void BodyWriter::invocation(const Node& n, Frame& frame, Block& out) {
  if (!is_written_[n.procedure]) procedure(n.procedure);
  const Procedure& p = program_.procedures[n.procedure];
  const Named named = name_communicators(n, frame, out);
  std::vector<Argument> arguments = {{{}, site(n.calls, frame)}};
  for (std::size_t i = 0; i < p.parameters.size(); ++i)
    arguments.push_back({{}, passed(n, i, named, frame)});
  out.push_back(
      evaluate(python::call(name(procedure_names_[n.procedure]), std::move(arguments)), place(n)));
}

}  // namespace reprise::write::python
