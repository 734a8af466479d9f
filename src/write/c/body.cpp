#include "write/c/body.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/escape.hpp"
#include "write/c/data/exchanges.hpp"
#include "write/unwritable.hpp"
#include "write/uses.hpp"

namespace reprise::write::c {

using program::Node;
using program::Procedure;
using program::Value;
using program::Who;

namespace {

constexpr std::array<const char*, 6> kIndices = {"i", "j", "k", "l", "m", "n"};
constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();

bool is_place(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::freecomm:
    case ArgumentKind::committype:
    case ArgumentKind::freetype:
    case ArgumentKind::freeop:
    case ArgumentKind::freewin:
    case ArgumentKind::freefile:
    case ArgumentKind::freesession: return true;
    default: return makes_object(kind);
  }
}

// Whether some call wants the place of the object that a parameter is.
bool is_place_wanted(const program::Program& program, const std::vector<Node>& nodes,
                     std::size_t parameter) {
  return std::ranges::any_of(nodes, [&](const Node& n) {
    if (n.kind == Node::Kind::call) {
      const auto all = arguments(program.trace->calls[n.call].function);
      return std::ranges::any_of(all, [&](const Argument& a) {
        return a.column >= 0 && is_place(a.kind) &&
               n.arguments[static_cast<std::size_t>(a.column)].value.parameter == parameter;
      });
    }
    for (std::size_t i = 0; i < n.passed.size(); ++i) {
      const auto* v = std::get_if<Value>(&n.passed[i]);
      if (v && v->parameter == parameter &&
          is_place_wanted(program, program.procedures[n.procedure].body, i))
        return true;
    }
    return is_place_wanted(program, n.body, parameter);
  });
}

// Whether a parameter is the number of an object: of one whose place is wanted, or which the
// procedure itself may make before it uses it.
bool is_key(const program::Program& program, const program::Procedure& p, std::size_t parameter) {
  const auto& column = p.parameters[parameter].column;
  if (!column || !object_words(column->kind)) return false;
  if (is_place_wanted(program, p.body, parameter)) return true;
  const auto use = find_use(program, p.body, parameter);
  if (!use || use->role != Use::Role::value ||
      !may_be_made(program, p, parameter, object_words(column->kind)->first))
    return false;
  return any_call(program, p.body, [&](const Node& n) {
    const auto all = arguments(program.trace->calls[n.call].function);
    return std::ranges::any_of(all, [&](const Argument& a) {
      return a.column >= 0 && makes_object(a.kind) &&
             n.arguments[static_cast<std::size_t>(a.column)].column.kind == column->kind;
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

std::string type_of_trips(std::int64_t most) { return most > kMaxInt ? "long long" : "int"; }

// A variable that no statement assigns to may be asked for again and again.
bool is_steady(const Expression& trips) {
  if (literal(trips) || std::holds_alternative<Name>(trips->content)) return true;
  const auto* b = std::get_if<Binary>(&trips->content);
  return b && is_steady(b->left) && is_steady(b->right);
}

}  // namespace

BodyWriter::BodyWriter(const program::Program& program, Values& values, Names& names,
                       bool keeps_window_communicators, bool learns_place)
    : program_(program),
      values_(values),
      names_(names),
      calls_(program, values, names, keeps_window_communicators),
      learns_place_(learns_place),
      places_(*program.trace),
      procedures_(program.procedures.size()) {
  for (std::size_t p = 0; p < procedures_.size(); ++p)
    procedures_[p].name = names_.add(program.procedures[p].name);
  find_ends();
  find_main_loop();
  find_passed();
}

const std::string& BodyWriter::index_of(std::size_t depth) {
  while (indices_.size() <= depth) {
    const std::size_t d = indices_.size();
    std::string own = d < kIndices.size() ? kIndices[d] : names_.add("i" + std::to_string(d));
    // The trips of a loop may be in a variable as well.
    const std::string trips = "n_" + own;
    if (d < kIndices.size() || names_.add(trips) == trips) indices_.push_back(std::move(own));
  }
  return indices_[depth];
}

void BodyWriter::find_ends() {
  const auto& calls = program_.trace->calls;
  const std::function<void(const std::vector<Node>&)> visit = [&](const std::vector<Node>& nodes) {
    for (const Node& n : nodes) {
      std::vector<std::uint32_t> made = n.calls;
      if (n.kind == Node::Kind::call) made = {n.call};
      for (const std::uint32_t c : made) {
        const trace::Function& f = trace::function(calls[c].function);
        if (trace::begins_mpi(f) && !begins_) {
          begins_ = c;
          has_world_ = (f.traits & trace::traits::kInit) != 0;
        }
        if (has_world_ ? (f.traits & trace::traits::kFinalize) != 0 : trace::ends_mpi(f)) ends_ = c;
      }
      visit(n.body);
    }
  };
  visit(program_.body);
}

// The outermost loop, of the same trips on all ranks, that makes the most calls, and a good part of
// all.
void BodyWriter::find_main_loop() {
  constexpr std::int64_t kMany = 1 << 16;
  const bool is_open = program_.domain.has_value();
  std::optional<analyze::Executions> executions;
  if (!is_open) executions.emplace(*program_.trace);
  const std::function<std::uint64_t(const Node&)> calls_in = [&](const Node& n) {
    std::uint64_t out = 0;
    std::vector<std::uint32_t> made = n.calls;
    if (n.kind == Node::Kind::call) made = {n.call};
    for (const std::uint32_t c : made) {
      for (std::uint64_t s = 0; s < program_.trace->streams() && !is_open; ++s)
        out += executions->of(c, s);
    }
    if (is_open) out += made.size();
    for (const Node& b : n.body) out += calls_in(b);
    // How often others are gone through follows from the number of ranks.
    const auto trips = is_open && n.kind == Node::Kind::loop ? n.trips.constant() : 1;
    return out * static_cast<std::uint64_t>(std::clamp<std::int64_t>(trips.value_or(1), 0, kMany));
  };
  std::uint64_t most = 0, total = 0;
  for (const Node& n : program_.body) total += calls_in(n);
  const std::function<void(const std::vector<Node>&)> visit = [&](const std::vector<Node>& nodes) {
    for (const Node& n : nodes) {
      if (n.kind == Node::Kind::function) visit(n.body);
      if (n.kind != Node::Kind::loop || !n.trips.constant() || !n.who.is_everyone()) continue;
      const std::uint64_t calls = calls_in(n);
      if (calls > most) main_loop_ = &n, most = calls;
    }
  };
  visit(program_.body);
  if (4 * most < total) main_loop_ = nullptr;
}

bool BodyWriter::add_passed(const std::vector<Node>& nodes, Frame& frame) {
  bool is_more = false;
  for (const Node& n : nodes) {
    for (std::size_t i = 0; i < n.passed.size(); ++i) {
      const auto* v = std::get_if<Value>(&n.passed[i]);
      const Procedure& p = program_.procedures[n.procedure];
      if (!v || p.parameters[i].column || find_use(program_, p.body, i)) continue;
      std::int64_t& known = procedures_[n.procedure].most[i];
      const std::int64_t here = values_.most(*v, {frame});
      is_more = is_more || here > known;
      known = std::max(known, here);
    }
    const bool is_loop = n.kind == Node::Kind::loop;
    if (is_loop) frame.loops.push_back({.index = {}, .most = values_.most(n.trips, {frame})});
    is_more = add_passed(n.body, frame) || is_more;
    if (is_loop) frame.loops.pop_back();
  }
  return is_more;
}

// Takes as many iterations as procedures are nested, since they pass on what they are passed.
void BodyWriter::find_passed() {
  for (std::size_t p = 0; p < procedures_.size(); ++p)
    procedures_[p].most.resize(program_.procedures[p].parameters.size());
  for (bool is_more = true; is_more;) {
    Frame body;
    is_more = add_passed(program_.body, body);
    for (std::size_t p = 0; p < procedures_.size(); ++p) {
      Frame frame;
      frame.procedure = &program_.procedures[p];
      frame.most = procedures_[p].most;
      is_more = add_passed(program_.procedures[p].body, frame) || is_more;
    }
  }
}

Block BodyWriter::run() {
  Frame frame;
  names_.open_function(false);
  Block inside = nodes(program_.body, frame);
  names_.close_function();
  Block body;
  body.push_back(
      evaluate(c::call("begin", {address_of(name("benchmark")), name("argc"), name("argv")})));
  std::ranges::move(inside, std::back_inserter(body));
  body.push_back({Return{number(0)}});
  functions_.push_back(
      {Function{"int", "main", {{"int", "argc"}, {"char **", "argv"}}, std::move(body), false}});
  return std::move(functions_);
}

std::string BodyWriter::place(const Node& n) const {
  if (!n.frame) return {};
  return in_c_comment(places_.location(*n.frame));
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
    const bool is_branch = n.kind == Node::Kind::branch;
    if (!is_branch && n.who.is_everyone() && !n.who.parameter) {
      node(n, frame, out);
      continue;
    }
    Expression condition = values_.condition(n.who, {frame, &out});
    Block inside;
    if (is_branch) {
      inside = this->nodes(n.body, frame);
    } else {
      node(n, frame, inside);
    }
    out.push_back({If{{{std::move(condition), std::move(inside)}}}});
  }
  return out;
}

void BodyWriter::node(const Node& n, Frame& frame, Block& out) {
  switch (n.kind) {
    case Node::Kind::call: return call(n, frame, out);
    case Node::Kind::loop: return loop(n, frame, out);
    case Node::Kind::condition: {
      Expression condition = values_.condition(n.trips, {frame, &out});
      if (!frame.loops.empty()) ++frame.loops.back().conditions;
      out.push_back({If{{{std::move(condition), nodes(n.body, frame)}}}});
      if (!frame.loops.empty()) --frame.loops.back().conditions;
      return;
    }
    case Node::Kind::function: return function(n, frame, out);
    case Node::Kind::invocation: return invocation(n, frame, out);
    case Node::Kind::exchange: return exchange(n, frame, out);
    case Node::Kind::branch:
    case Node::Kind::otherwise: return;  // nodes() has them
  }
}

void BodyWriter::call(const Node& n, Frame& frame, Block& out) {
  const bool begins = begins_ == n.call, ends = ends_ == n.call;
  const Expression site = this->site({n.call}, frame);
  Block own = calls_.write(n, frame, site);
  Row row;
  if (begins) {
    std::ranges::move(own, std::back_inserter(row.statements));
    if (!has_world_) row.statements.push_back(evaluate(c::call("open_session")));
    row.statements.push_back(evaluate(c::call("start")));
    if (learns_place_) row.statements.push_back(evaluate(c::call("learn_place")));
    row.statements.push_back(evaluate(c::call("at", {site})));
    out.push_back({std::move(row), place(n)});
    return;
  }
  // Declarations and loops stand for themselves; simple statements in a row.
  row.statements.push_back(evaluate(c::call("at", {site})));
  if (ends) {
    row.statements.push_back(evaluate(c::call("report")));
    if (!has_world_) row.statements.push_back(evaluate(c::call("close_session")));
  }
  const auto is_plain = [](const Statement& s) {
    return std::holds_alternative<Evaluate>(s.content) || std::holds_alternative<Assign>(s.content);
  };
  if (std::ranges::all_of(own, is_plain)) {
    std::ranges::move(own, std::back_inserter(row.statements));
    out.push_back({std::move(row), place(n)});
    return;
  }
  out.push_back({std::move(row), place(n)});
  std::ranges::move(own, std::back_inserter(out));
}

void BodyWriter::loop(const Node& n, Frame& frame, Block& out) {
  Expression trips = values_.scalar(n.trips, kNumber, {frame, &out});
  if (&n == main_loop_) trips = c::call("iterations", {std::move(trips)});
  const std::int64_t most = values_.most(n.trips, {frame});
  frame.loops.push_back({.index = index_of(n.depth),
                         .most = most,
                         .type = type_of_trips(most),
                         .trips = "n_" + index_of(n.depth),
                         .same_trips = n.trips.constant()});
  Block inside = nodes(n.body, frame);
  LoopPlace place = std::move(frame.loops.back());
  frame.loops.pop_back();
  Block body = std::move(place.restarts);
  std::ranges::move(inside, std::back_inserter(body));
  const bool reads_index = names_in(body).contains(place.index);
  if (&n == main_loop_) {
    // What follows the recorded iterations begins anew, tables of times as well.
    const Expression recorded = c::call("again", {name("turn"), number(*n.trips.constant())});
    body.insert(body.begin(), reads_index ? declare("const " + place.type, place.index, recorded)
                                          : evaluate(recorded));
    place.index = "turn";
  }
  const bool is_once =
      &n != main_loop_ && (!is_steady(trips) || names_in(body).contains(place.trips));
  out.push_back({For{place.index, std::move(trips), is_once, std::move(body), place.type}});
}

std::vector<Parameter> BodyWriter::needed(const Block& body, const Frame& frame) {
  const std::set<std::string> used = names_in(body);
  std::vector<Parameter> out;
  const auto add = [&](const Parameter& p) {
    if (used.contains(p.name)) out.push_back(p);
  };
  if (frame.procedure) add({"int", "site"});
  for (const Parameter& p : frame.parameters) add(p);
  for (const LoopPlace& l : frame.loops) {
    add({l.type, l.index});
    add({l.type, l.trips});
  }
  return out;
}

bool BodyWriter::begins(const std::vector<Node>& nodes) const {
  return begins_ && std::ranges::any_of(nodes, [&](const Node& n) {
           const bool is_call = n.kind == Node::Kind::call;
           return is_call ? n.call == *begins_
                          : std::ranges::find(n.calls, *begins_) != n.calls.end() || begins(n.body);
         });
}

void BodyWriter::function(const Node& n, Frame& frame, Block& out) {
  if (begins(n.body)) {
    std::ranges::move(nodes(n.body, frame), std::back_inserter(out));
    return;
  }
  names_.open_function(true);
  Block body = nodes(n.body, frame);
  names_.close_function();
  if (calls_another(body)) {
    std::ranges::move(body, std::back_inserter(out));
    return;
  }
  const std::string wanted = n.entered ? places_.function(*n.entered) : "function";
  if (body.size() == 1 && std::holds_alternative<Row>(body.front().content)) {
    // A single call stands where the function is called.
    body.front().comment = in_c_comment(wanted) + " " + body.front().comment;
    out.push_back(std::move(body.front()));
    return;
  }
  const std::string name = names_.add(wanted);
  const std::vector<Parameter> parameters = needed(body, frame);
  functions_.push_back({Function{"void", name, parameters, std::move(body)}});
  std::vector<Expression> arguments;
  for (const Parameter& p : parameters) arguments.push_back(c::name(p.name));
  out.push_back(evaluate(c::call(name, std::move(arguments)), place(n)));
}

std::string BodyWriter::type_of(const Procedure& p, std::size_t parameter, bool is_key) const {
  const auto use = find_use(program_, p.body, parameter);
  if (is_key) return "int";
  if (!use) {
    const auto index = static_cast<std::size_t>(&p - program_.procedures.data());
    return type_of_trips(procedures_[index].most[parameter]);
  }
  const auto kind = use->argument->column.kind;
  const ObjectWords* words = object_words(kind);
  if (use->role == Use::Role::length) return "int";
  if (use->role == Use::Role::value) {
    if (words) return std::string(words->type);
    const bool is_wide = kind == trace::Kind::integer && use->argument->column.enumeration < 0;
    return is_wide ? "long long" : "int";
  }
  if (kind == trace::Kind::character) return "const char *";
  if (words) return "const " + std::string(words->type) + " *";
  const trace::Function& f = trace::function(program_.trace->calls[use->call].function);
  for (const Argument& a : arguments(program_.trace->calls[use->call].function)) {
    const bool is_it =
        a.is_list && a.column >= 0 && a.kind == ArgumentKind::aints &&
        f.lists[static_cast<std::size_t>(a.column)].name == use->argument->column.name;
    if (is_it) return "const MPI_Aint *";
  }
  return "const int *";
}

void BodyWriter::procedure(std::size_t index) {
  const Procedure& p = program_.procedures[index];
  Written& written = procedures_[index];
  written.is_written = true;
  Frame frame;
  frame.procedure = &p;
  frame.most = written.most;
  names_.open_function(false);
  for (std::size_t i = 0; i < p.parameters.size(); ++i) {
    const bool key = is_key(program_, p, i);
    frame.parameters.push_back({type_of(p, i, key), names_.add_local(p.parameters[i].name)});
    frame.are_keys.push_back(key);
  }
  Block inside = nodes(p.body, frame);
  names_.close_function();
  offsets_.erase(&frame);
  Block body = std::move(frame.restarts);
  std::ranges::move(inside, std::back_inserter(body));
  const std::set<std::string> used = names_in(body);
  std::vector<Parameter> parameters;
  written.uses_site = used.contains("site");
  if (written.uses_site) parameters.push_back({"int", "site"});
  for (const Parameter& parameter : frame.parameters) {
    written.used.push_back(used.contains(parameter.name));
    if (written.used.back()) parameters.push_back(parameter);
  }
  functions_.push_back({Function{"void", written.name, parameters, std::move(body)}});
}

void BodyWriter::exchange(const Node& n, Frame& frame, Block& out) {
  const std::string own = define_exchange(program_.exchanges[n.exchange], names_, exchanges_);
  out.push_back(
      evaluate(c::call("exchange_drawn", {site(n.calls, frame), address_of(name(own))}), place(n)));
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
    const std::string variable = names_.add_local("comm");
    out.push_back(declare("MPI_Comm", variable, values_.scalar(*v, *column, {frame, &out})));
    named.emplace(v, variable);
  }
  return named;
}

Expression BodyWriter::passed(const Node& n, std::size_t parameter, const Named& named,
                              Frame& frame, Block& out) {
  if (const auto* who = std::get_if<Who>(&n.passed[parameter])) {
    if (who->is_everyone() && !who->parameter) return number(1);
    return values_.condition(*who, {frame, &out});
  }
  const Value& value = std::get<Value>(n.passed[parameter]);
  const Procedure& p = program_.procedures[n.procedure];
  Place place{frame, &out};
  const auto use = find_use(program_, p.body, parameter);
  if (!use) return values_.scalar(value, p.parameters[parameter].column.value_or(kNumber), place);
  if (const Value* comm = from_outside(use->communicator, n)) {
    const auto known = named.find(comm);
    if (known != named.end()) {
      place.communicator = name(known->second);
    } else if (!has_table(*comm) && use->communicator_column.kind == trace::Kind::comm) {
      place.communicator =
          values_.scalar(values_.significant(*comm), use->communicator_column, {frame, &out});
    }
  }
  if (const auto known = named.find(&value); known != named.end()) return name(known->second);
  const trace::Column& column = use->argument->column;
  if (is_key(program_, p, parameter)) return values_.key(value, column, place);
  if (use->role == Use::Role::length) return values_.length(value, place);
  if (use->role == Use::Role::value) {
    const bool is_buffer = column.kind == trace::Kind::buffer;
    return values_.scalar(is_buffer ? value : values_.significant(value), column, place);
  }
  const Value* length = from_outside(use->length, n);
  if (column.kind == trace::Kind::character) {
    const auto length_once = [&]() -> Expression {
      Expression counted = values_.length(*length, place);
      if (!has_table(*length)) return counted;
      const std::string variable = names_.add_local("n_" + std::string(column.name));
      out.push_back(declare("const int", variable, std::move(counted)));
      return name(variable);
    };
    return values_.text(column, value, *length, length_once, place);
  }
  const std::string type = type_of(p, parameter, false);
  const std::string element = type.substr(6, type.size() - 8);  // "const int *" has ints
  return values_.list(column, value, *length, values_.length(*length, place), element, place);
}

void BodyWriter::invocation(const Node& n, Frame& frame, Block& out) {
  if (!procedures_[n.procedure].is_written) procedure(n.procedure);
  const Written& written = procedures_[n.procedure];
  const Named named = name_communicators(n, frame, out);
  std::vector<Expression> arguments;
  const Expression site = this->site(n.calls, frame);
  if (written.uses_site) arguments.push_back(site);
  for (std::size_t i = 0; i < written.used.size(); ++i) {
    if (written.used[i]) arguments.push_back(passed(n, i, named, frame, out));
  }
  out.push_back(evaluate(c::call(written.name, std::move(arguments)), place(n)));
}

}  // namespace reprise::write::c
