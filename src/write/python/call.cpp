#include "write/python/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "expr/expr.hpp"
#include "trace/values/special.hpp"
#include "write/python/constants.hpp"
#include "write/unwritable.hpp"
#include "write/uses.hpp"

namespace reprise::write::python {

using program::Value;
using trace::Column;
using trace::Kind;

namespace {

// "MPI.File" as an expression.
Expression dotted(std::string_view path) {
  Expression out;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::string part(path.substr(0, dot));
    out = out ? attribute(std::move(out), std::move(part)) : name(std::move(part));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return out;
}

// One call.
class OneCall {
 public:
  OneCall(const program::Program& program, Values& values, Parts& parts, const program::Node& call,
          Frame& frame)
      : values_(values),
        parts_(parts),
        call_(call),
        function_(trace::function(program.trace->calls[call.call].function)),
        method_(method_call(program.trace->calls[call.call].function)),
        place_{frame, &call, nullptr, nullptr, nullptr} {}

  Block run(const std::string& comment, bool keeps_window_communicators) {
    if (!method_.reason.empty())
      throw Unwritable{fmt::format("{} ({})", function_.name, method_.reason)};
    count_uses();
    name_communicator();
    std::vector<Argument> arguments;
    for (const Word& w : method_.words) arguments.push_back({std::string(w.keyword), word(w)});
    Expression made = attribute(receiver(), std::string(method_.method));
    if (method_.until) {
      parts_.insert(RuntimePart::others);
      arguments.insert(arguments.begin(), {{}, std::move(made)});
      made = python::call(name("until"), std::move(arguments));
    } else {
      made = python::call(std::move(made), std::move(arguments));
    }
    finish(std::move(made), comment);
    if (keeps_window_communicators) keep_communicator();
    return std::move(out_);
  }

 private:
  const program::Argument& scalar_argument(int column) const {
    return call_.arguments[static_cast<std::size_t>(column)];
  }
  const program::Argument& list_argument(int column) const {
    return call_.arguments[function_.scalars.size() + static_cast<std::size_t>(column)];
  }

  static bool is_list(const Word& w) {
    return w.form == Form::list || w.form == Form::text || w.form == Form::ranges ||
           w.form == Form::weights || w.form == Form::places;
  }

  void use(const program::Argument& a) { ++uses_[&a]; }

  // A table must be asked once for each execution.
  void count_uses() {
    for (const Word& w : method_.words) {
      if (w.column >= 0 && w.form != Form::message)
        use(is_list(w) ? list_argument(w.column) : scalar_argument(w.column));
      if (w.part == trace::Part::own) use(sent_buffer()), use(sent_buffer());
      if (w.form != Form::message && w.form != Form::target && w.form != Form::half &&
          w.form != Form::places)
        continue;
      if (w.count >= 0) {
        const bool many = w.blocks == Blocks::listed;
        use(many ? list_argument(w.count) : scalar_argument(w.count));
      }
      if (w.datatype >= 0)
        use(w.typed_each ? list_argument(w.datatype) : scalar_argument(w.datatype));
    }
  }

  void name_communicator() {
    if (function_.communicator < 0) return;
    const program::Argument& a = scalar_argument(function_.communicator);
    const Value& v = values_.significant(a.value);
    if (!has_table(v)) return;
    if (a.column.kind == Kind::window) {
      out_.push_back(assign(name("window"), values_.key(v, a.column, place_)));
      place_.window = name("window");
      return;
    }
    out_.push_back(assign(name("comm"), values_.scalar(v, a.column, place_)));
    place_.communicator = name("comm");
  }

  // The argument once; under a name if it is asked for several times and is not the same each time.
  Expression asked(const program::Argument& a, const std::function<Expression()>& written) {
    const bool changes = has_table(a.value) || (a.length && has_table(*a.length));
    if (!changes || uses_[&a] < 2) return written();
    const auto [known, is_new] = named_.try_emplace(&a);
    if (is_new) {
      known->second = std::string(a.column.name);
      if (known->second == "comm" || known->second == "request") known->second += "_";
      out_.push_back(assign(name(known->second), written()));
    }
    return name(known->second);
  }

  Expression scalar(int column) {
    const program::Argument& a = scalar_argument(column);
    if (column == function_.communicator && place_.communicator) return place_.communicator;
    if (column == function_.communicator && place_.window)
      return subscript(name("windows"), place_.window);
    return asked(a, [&] { return values_.scalar(values_.significant(a.value), a.column, place_); });
  }

  // The counts, displacements or datatypes of a message's blocks. Without neighbors that may be
  // none: a list that has nothing does not count.
  Expression blocks_list(int column) {
    const program::Argument& a = list_argument(column);
    if (function_.traits & trace::traits::kNeighbor) return list(column);
    const Value& elements = values_.significant(a.value);
    const Value& length = values_.significant(*a.length, 0);
    const bool is_simple = elements.cases.size() == 1 && !has_table(elements);
    if (!is_simple) return list(column);
    return values_.list(a.column, elements, length, place_);
  }

  Expression list(int column) {
    const program::Argument& a = list_argument(column);
    return asked(a, [&] { return values_.list(a.column, a.value, *a.length, place_); });
  }

  Expression receiver() {
    if (method_.receiver_column >= 0) {
      Expression object = scalar(method_.receiver_column);
      if (method_.receiver.empty()) return object;
      return python::call(dotted(method_.receiver), {{{}, std::move(object)}});
    }
    if (method_.receiver == "pending") parts_.insert(RuntimePart::requests);
    if (method_.receiver == "messages") {
      parts_.insert(RuntimePart::messages);
      parts_.insert(RuntimePart::buffers);
    }
    return dotted(method_.receiver);
  }

  Expression word(const Word& w) {
    switch (w.form) {
      case Form::scalar: return scalar(w.column);
      case Form::list: return of_requests(w) ? ages(list_argument(w.column)) : list(w.column);
      case Form::text: return text(w);
      case Form::ranges: return ranges(w);
      case Form::weights: return weights(w);
      case Form::places: return places(w);
      case Form::message: return message(w);
      case Form::target: return tuple({scalar(w.column), count(w), datatype(w)});
      case Form::half: return first_half(w);
      case Form::other_half: return call_files("second_half", {});
      case Form::memory: return memory(w);
      case Form::callback: parts_.insert(RuntimePart::others); return name("nothing");
      case Form::info:
        if (!(function_.traits & trace::traits::kState)) return constant_of_mpi("INFO_NULL");
        parts_.insert(RuntimePart::others);
        return python::call("hints");
    }
    return name("None");
  }

  Expression ages(const program::Argument& a) {
    return values_.ages(a.column, a.value, *a.length, place_);
  }

  bool of_requests(const Word& w) const {
    return list_argument(w.column).column.kind == Kind::request;
  }

  Expression text(const Word& w) {
    const program::Argument& a = list_argument(w.column);
    Expression bytes = values_.text(a.column, a.value, *a.length, place_);
    if (a.column.name != "filename") return bytes;
    parts_.insert(RuntimePart::files);
    return python::call("file_name",
                        {std::move(bytes), name(makes_file(call_) ? "True" : "False")});
  }

  Expression ranges(const Word& w) {
    const Expression all_ranks = list(w.column);
    const auto* flat = std::get_if<List>(&all_ranks->content);
    if (!flat) throw Unwritable{fmt::format("{} (its ranges differ)", function_.name)};
    std::vector<Expression> all;
    for (std::size_t i = 0; i + 2 < flat->elements.size(); i += 3)
      all.push_back(tuple({flat->elements[i], flat->elements[i + 1], flat->elements[i + 2]}));
    return python::list(std::move(all));
  }

  // MPI's word for no weights stands alone.
  Expression weights(const Word& w) {
    const program::Argument& a = list_argument(w.column);
    const Value& first = a.value;
    if (first.cases.size() == 1) {
      const program::Case& c = first.cases.front();
      const auto* s = std::get_if<program::Sequence>(&c.content);
      const auto* e = std::get_if<expr::Expr>(&c.content);
      std::optional<std::int64_t> v;
      if (s && s->values.is_constant()) v = s->values.at(0);
      if (e && e->is_constant()) v = e->value();
      if (v == trace::kUnweighted) return name("None");
      if (v && trace::is_special(*v)) return constant(a.column, *v);
    }
    return list(w.column);
  }

  Expression places(const Word& w) {
    const auto written = [&] { return list(w.column); };
    const Expression all = written();
    const auto* listed = std::get_if<List>(&all->content);
    const bool are_addresses = listed && !listed->elements.empty() &&
                               is_same(listed->elements.front(), constant_of_mpi("BOTTOM"));
    if (!are_addresses) return all;
    parts_.insert(RuntimePart::addresses);
    parts_.insert(RuntimePart::buffers);
    std::vector<Expression> apart(listed->elements.begin() + 1, listed->elements.end());
    const Expression n = number(static_cast<std::int64_t>(apart.size()));
    const auto many = [&](bool is_list, int column) {
      if (is_list) return list(column);
      return binary(Operator::multiply, python::list({scalar(column)}), n);
    };
    Expression counts = many(w.blocks == Blocks::listed, w.count);
    Expression types = many(w.typed_each, w.datatype);
    return python::call("addresses",
                        {python::list(std::move(apart)), std::move(counts), std::move(types)});
  }

  Expression memory(const Word& w) {
    const program::Argument& a = scalar_argument(w.column);
    if (a.value.constant() == trace::kBottom) return constant_of_mpi("BOTTOM");
    return python::call("bytearray", {scalar(w.count)});
  }

  Expression call_files(std::string_view function, std::vector<Expression> more) {
    parts_.insert(RuntimePart::files);
    more.insert(more.begin(), scalar(method_.receiver_column));
    return python::call(function, std::move(more));
  }

  Expression first_half(const Word& w) { return call_files("first_half", {message(w)}); }

  Expression count(const Word& w) { return w.count < 0 ? number(1) : scalar(w.count); }
  Expression datatype(const Word& w) {
    return w.typed_each ? blocks_list(w.datatype) : scalar(w.datatype);
  }

  // How many blocks of its count a buffer has; null: one.
  Expression blocks(const Word& w) {
    const auto of_communicator = [&](const char* what) {
      return attribute(values_.communicator(place_), what);
    };
    switch (w.blocks) {
      case Blocks::members: {
        if (w.part == trace::Part::own && values_.significant(sent_buffer().value).constant() == 0)
          return nullptr;
        const Expression comm = values_.communicator(place_);
        if (is_same(comm, name("world"))) return name("RANKS");
        parts_.insert(RuntimePart::ranks);
        return python::call("size_of", {comm});
      }
      case Blocks::sources: return of_communicator("indegree");
      case Blocks::destinations: return of_communicator("outdegree");
      default: return nullptr;
    }
  }

  Expression ordinary_message(const Word& w, Expression at) {
    parts_.insert(RuntimePart::buffers);
    const bool is_list = w.blocks == Blocks::listed && w.displacements >= 0;
    std::vector<Argument> arguments;
    if (is_list) {
      arguments = {
          {{}, blocks_list(w.count)}, {{}, blocks_list(w.displacements)}, {{}, datatype(w)}};
    } else if (w.blocks == Blocks::listed) {
      arguments = {{{}, of_all(w)}, {{}, datatype(w)}};
    } else {
      arguments = {{{}, count(w)}, {{}, datatype(w)}};
      if (Expression many = blocks(w)) arguments.push_back({"blocks", std::move(many)});
    }
    if (at) arguments.push_back({"at", std::move(at)});
    // Requests have memory of their own until they are over.
    const bool stays = method_.makes_request;
    const char* function = is_list ? (w.is_sent ? "outgoing_blocks"
                                      : stays   ? "arriving_blocks"
                                                : "incoming_blocks")
                                   : (w.is_sent ? "outgoing"
                                      : stays   ? "arriving"
                                                : "incoming");
    return python::call(name(function), std::move(arguments));
  }

  const program::Argument& sent_buffer() const {
    const auto sent = std::ranges::find_if(method_.words, [](const Word& w) { return w.is_sent; });
    return scalar_argument(sent->column);
  }

  // Of counts in a list without displacements: their sum, or the one of this process.
  Expression of_all(const Word& w) {
    Expression counts = list(w.count);
    Expression sum = python::call("sum", {counts});
    if (w.part != trace::Part::own) return sum;
    Expression own = subscript(
        std::move(counts),
        python::call(attribute(values_.communicator(place_), "Get_rank"), std::vector<Argument>()));
    // In place, what is reduced is there as well.
    const program::Argument& buffer = sent_buffer();
    Expression sent = asked(buffer, [&] {
      return values_.scalar(values_.significant(buffer.value), buffer.column, place_);
    });
    if (literal(sent)) return own;
    if (is_same(sent, constant_of_mpi("IN_PLACE"))) return sum;
    return conditional(std::move(sum),
                       binary(Operator::is, std::move(sent), constant_of_mpi("IN_PLACE")),
                       std::move(own));
  }

  // The buffer says whether there is one: 0, MPI_IN_PLACE or MPI_BOTTOM, or none that counts.
  Expression message(const Word& w) {
    const program::Argument& a = scalar_argument(w.column);
    const auto of = [&](std::int64_t v) -> Expression {
      if (v == 0) return ordinary_message(w, nullptr);
      if (v == trace::kBottom)
        return python::list({constant_of_mpi("BOTTOM"), count(w), datatype(w)});
      return constant(a.column, v);
    };
    // Where a buffer does not count, MPI does not look at it.
    const Value& buffer = values_.significant(a.value);
    if (const auto v = buffer.constant()) return of(*v);
    if (!are_constants(buffer))
      return ordinary_message(w,
                              asked(a, [&] { return values_.scalar(buffer, a.column, place_); }));
    Expression out;
    for (auto c = buffer.cases.rbegin(); c != buffer.cases.rend(); ++c) {
      Expression here = of(std::get<expr::Expr>(c->content).value());
      if (out && is_same(out, here)) continue;
      out = out ? conditional(std::move(here), values_.condition(c->who, place_), std::move(out))
                : std::move(here);
    }
    return out;
  }

  // What a call makes gets its place, and requests are pending.
  void finish(Expression made, const std::string& comment) {
    const bool has_objects = std::ranges::any_of(method_.results, [&](int column) {
      return column < 0 || objects_of(scalar_argument(column).column.kind);
    });
    if (!method_.makes_request && !has_objects)
      return out_.push_back(evaluate(std::move(made), comment));
    if (method_.makes_request) parts_.insert(RuntimePart::requests);
    const auto add = [](Expression request) {
      return python::call(attribute(name("pending"), "add"), {{{}, std::move(request)}});
    };
    if (method_.results.size() == 1 && method_.makes_request)
      return out_.push_back(evaluate(add(std::move(made)), comment));
    Assign all{{}, std::move(made)};
    for (const int column : method_.results) {
      if (column < 0) {
        // It has no column: a request, or what nobody needs.
        all.targets.push_back(name(method_.makes_request ? "request" : "_"));
        continue;
      }
      all.targets.push_back(object(scalar_argument(column)));
    }
    out_.push_back({std::move(all), comment});
    if (method_.makes_request) out_.push_back(evaluate(add(name("request"))));
  }

  Expression object(const program::Argument& a) {
    // A communicator's number is never used again: ranks that get none may have the key as well.
    const Value& v = a.column.kind == Kind::comm ? values_.significant(a.value, trace::kNull)
                                                 : values_.significant(a.value);
    const Objects objects = *objects_of(a.column.kind);
    Expression key = values_.key(v, a.column, place_);
    if (a.column.kind == Kind::window && has_table(v)) {
      // It is asked for again, for the communicator.
      out_.push_back(assign(name("window"), std::move(key)));
      key = made_window_ = name("window");
    }
    return subscript(name(std::string(objects.dictionary)), std::move(key));
  }

  void keep_communicator() {
    for (const int column : method_.results) {
      if (column < 0 || scalar_argument(column).column.kind != Kind::window) continue;
      const program::Argument& a = scalar_argument(column);
      for (const program::Argument& comm : call_.arguments) {
        if (comm.column.kind != Kind::comm) continue;
        out_.push_back(
            assign(subscript(name("comm_of_window"),
                             made_window_ ? made_window_ : values_.key(a.value, a.column, place_)),
                   values_.scalar(comm.value, comm.column, place_)));
        return;
      }
    }
  }

  Values& values_;
  Parts& parts_;
  const program::Node& call_;
  const trace::Function& function_;
  const MethodCall& method_;
  Place place_;
  Expression made_window_;  // the key of the window that is made, if it has a name
  std::map<const program::Argument*, std::size_t> uses_;
  std::map<const program::Argument*, std::string> named_;
  Block out_;
};

}  // namespace

Block CallWriter::write(const program::Node& call, Frame& frame, const std::string& comment) {
  return OneCall(program_, values_, parts_, call, frame).run(comment, keeps_window_communicators_);
}

}  // namespace reprise::write::python
