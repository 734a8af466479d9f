#include "write/c/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "trace/special.hpp"
#include "write/series_terms.hpp"
#include "write/unwritable.hpp"
#include "write/uses.hpp"

namespace reprise::write::c {

using program::Value;
using trace::Column;
using trace::Kind;

namespace {

using K = ArgumentKind;

constexpr std::int64_t kMaxNumber = std::numeric_limits<int>::max();
const Column kNumber{"", Kind::integer, -1};

bool is_buffer(const Argument& a) {
  return a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf;
}

bool is_simple(const Expression& e) {
  return std::holds_alternative<Name>(e->content) || std::holds_alternative<Number>(e->content);
}

bool has_large(const std::vector<trace::Term>& terms) {
  return std::ranges::any_of(terms, [](const trace::Term& t) {
    if (!t.is_run()) return has_large(t.body);
    return !trace::is_special(t.value) && (t.value > kMaxNumber || t.value < -kMaxNumber);
  });
}

bool has_large(const Value& v) {
  return std::ranges::any_of(v.cases, [](const program::Case& c) {
    if (const auto* s = std::get_if<program::Sequence>(&c.content))
      return has_large(s->values.terms());
    if (const auto* s = std::get_if<program::ByStream>(&c.content))
      return has_large(s->values.terms());
    const auto* e = std::get_if<expr::Expr>(&c.content);
    return e && e->is_constant() && !trace::is_special(e->value()) && e->value() > kMaxNumber;
  });
}

// One call.
class Writer {
 public:
  Writer(const program::Program& program, Values& values, Names& names, const program::Node& call,
         Frame& frame, Expression site, bool keeps_window_communicators, PendingAt& pending)
      : program_(program),
        values_(values),
        names_(names),
        call_(call),
        function_(trace::function(program.trace->calls[call.call].function)),
        arguments_(arguments(program.trace->calls[call.call].function)),
        site_(std::move(site)),
        keeps_window_communicators_(keeps_window_communicators),
        pending_(pending),
        place_{frame, &before_, &call, nullptr, nullptr},
        texts_(arguments_.size()),
        counts_(arguments_.size()),
        lists_(arguments_.size()) {}

  Block run() {
    if (const auto why = why_unwritable(function_.name); !why.empty())
      throw Unwritable{fmt::format("{} ({})", function_.name, why)};
    name_communicator();
    // Sizes before the buffers that have them.
    for (const bool buffers : {false, true}) {
      for (std::size_t i = 0; i < arguments_.size(); ++i) {
        if ((is_buffer(arguments_[i]) || arguments_[i].kind == K::base) == buffers) need(i);
      }
    }
    if (has(K::message)) fit();
    finish(c::call(function_.name, passed()));
    if (keeps_window_communicators_) keep_communicator();
    Block out = std::move(before_);
    std::ranges::move(after_, std::back_inserter(out));
    return out;
  }

 private:
  const program::Argument& scalar_argument(const Argument& a) const {
    return call_.arguments[static_cast<std::size_t>(a.column)];
  }
  const program::Argument& list_argument(const Argument& a) const {
    return call_.arguments[function_.scalars.size() + static_cast<std::size_t>(a.column)];
  }
  bool has(K kind) const { return std::ranges::count(arguments_, kind, &Argument::kind) > 0; }

  // The expression, or a variable of the call that has its value.
  Expression named(Expression e, const std::string& type, std::string_view wanted) {
    if (is_simple(e)) return e;
    for (const auto& [known, variable] : variables_) {
      if (is_same(known, e)) return name(variable);
    }
    const std::string own = names_.add(wanted);
    variables_.emplace_back(e, own);
    before_.push_back(declare(type, own, std::move(e)));
    return name(own);
  }

  // A table must be asked once for each execution.
  Expression once(const Value& v, Expression e, const std::string& type, std::string_view wanted) {
    return has_table(v) ? named(std::move(e), type, wanted) : e;
  }

  // The same of what is passed to a macro, which takes the commas of an array for its own.
  Expression once_in_macro(const Value& v, Expression e, const std::string& type,
                           std::string_view wanted) {
    return has_table(v) || has_choice_by_loop(v) ? named(std::move(e), type, wanted) : e;
  }

  void name_communicator() {
    if (function_.communicator < 0) return;
    // One that is freed is asked for where it is.
    const bool is_asked = std::ranges::any_of(arguments_, [&](const Argument& a) {
      return (a.kind == K::comm || a.kind == K::win) && a.column == function_.communicator;
    });
    if (!is_asked) return;
    const program::Argument& a = call_.arguments[static_cast<std::size_t>(function_.communicator)];
    const Value& v = values_.significant(a.value);
    if (!has_table(v)) return;
    if (a.column.kind == Kind::window) {
      // Its communicator is asked for by those that name ranks.
      if (!has(K::target) && !has(K::rank)) return;
      place_.window = named(values_.key(v, a.column, place_), "const int", "window_number");
    } else if (a.column.kind == Kind::comm) {
      place_.communicator = named(values_.scalar(v, a.column, place_), "MPI_Comm", "comm");
    }
  }

  Expression need(std::size_t i) {
    if (!texts_[i]) texts_[i] = written(i);
    return texts_[i];
  }

  Expression scalar(const Argument& a) {
    const program::Argument& own = scalar_argument(a);
    if (a.column == function_.communicator && place_.communicator) return place_.communicator;
    if (a.column == function_.communicator && place_.window)
      return object_of_key(own.column.kind, place_.window);
    Expression out = values_.scalar(values_.significant(own.value), own.column, place_);
    if (!is_repeated()) return out;
    const ObjectWords* words = object_words(own.column.kind);
    return once(own.value, std::move(out), words ? std::string(words->type) : "const long long",
                a.name);
  }

  bool is_repeated() const {
    return has(K::flag) || (function_.traits & trace::traits::kPoll) != 0;
  }

  Expression object_of_key(Kind kind, const Expression& key) {
    return subscript(name(std::string(object_words(kind)->array)), key);
  }

  // Counts that change with the messages that are probed for are theirs.
  bool is_of_message(const Argument& a) const {
    return has(K::message) && !scalar_argument(a).value.constant();
  }

  static std::string_view scaling(const Argument& a) {
    switch (a.scale) {
      case Scale::none: return {};
      case Scale::sent: return "sent";
      case Scale::received: return "received";
      case Scale::all: return "scaled";
    }
    return {};
  }

  Expression count(std::size_t i) {
    const Argument& a = arguments_[i];
    if (is_of_message(a)) return number(0);
    counts_[i] = once_in_macro(scalar_argument(a).value, scalar(a), "const int", a.name);
    const auto n = literal(counts_[i]);
    // A scalar stays one.
    if (has(K::message) || scaling(a).empty() || n == 0 || n == 1) return counts_[i];
    if (a.scale == Scale::received) return c::call("received", {counts_[i], need(i + 1)});
    return c::call(scaling(a), {counts_[i]});
  }

  Expression datatype(const Argument& a) {
    return once_in_macro(scalar_argument(a).value, scalar(a), "MPI_Datatype", a.name);
  }

  // How long a list is, by its column.
  Expression length_of(const Argument& a) {
    const program::Argument& own = list_argument(a);
    const auto [known, is_new] = lengths_.try_emplace(a.column);
    if (is_new) {
      Expression n = values_.length(*own.length, place_);
      known->second =
          has_table(*own.length) || !is_simple(n)
              ? named(std::move(n), "const int", std::string("n_") + std::string(own.column.name))
              : n;
    }
    return known->second;
  }

  Expression list(std::size_t i, const std::string& type) {
    const Argument& a = arguments_[i];
    const program::Argument& own = list_argument(a);
    const Expression length = length_of(a);
    Expression array = values_.list(own.column, own.value, *own.length, length, type, place_);
    lists_[i] = {array, length};
    return array;
  }

  // A list that is passed and asked for its sizes as well.
  Expression named_list(std::size_t i, const std::string& type) {
    const Expression array = list(i, type);
    lists_[i].array =
        is_name(array, "NULL") ? array : named(array, "const " + type + " *", arguments_[i].name);
    return lists_[i].array;
  }

  Expression counts(std::size_t i) {
    Expression array = named_list(i, "int");
    if (arguments_[i].scale != Scale::all || is_name(array, "NULL")) return array;
    array = named(c::call("all_scaled", {lists_[i].length, array}), "const int *",
                  std::string("scaled_") + std::string(arguments_[i].name));
    return lists_[i].array = array;
  }

  // The length of the list that a length belongs to.
  Expression length(const Argument& a) {
    if (!a.is_list) return a.column < 0 ? number(0) : scalar(a);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Argument& other = arguments_[i];
      if (&other == &a || !other.is_list || other.column != a.column || other.kind == K::length)
        continue;
      need(i);
      return lists_[i].length;
    }
    return number(0);
  }

  Expression ranges(std::size_t i) {
    const Argument& a = arguments_[i];
    const program::Argument& own = list_argument(a);
    const Expression n = length_of(a);
    const auto all = literal(n);
    if (!all) throw Unwritable{fmt::format("{} (its ranges differ)", function_.name)};
    lists_[i].length = number(*all / 3);
    Expression out = values_.cases(own.value, place_, [&](const program::Case& c) {
      const Expression flat = values_.elements(c, own.column, n, "int", place_);
      const auto* elements = std::get_if<Compound>(&flat->content);
      if (!elements) throw Unwritable{fmt::format("{} (its ranges differ)", function_.name)};
      std::vector<Expression> rows;
      for (std::size_t k = 0; k + 2 < elements->elements.size(); k += 3)
        rows.push_back(
            c::list({elements->elements[k], elements->elements[k + 1], elements->elements[k + 2]}));
      return compound("int[][3]", std::move(rows));
    });
    return lists_[i].array = out;
  }

  // The special value that is the first element of a list, if it is one.
  std::optional<std::int64_t> first_of(const Argument& a) const {
    const Value& v = list_argument(a).value;
    if (v.cases.size() != 1) return std::nullopt;
    const program::Case& c = v.cases.front();
    const auto* s = std::get_if<program::Sequence>(&c.content);
    const auto* e = std::get_if<expr::Expr>(&c.content);
    if (s && !s->values.terms().empty()) return s->values.at(0);
    if (e && e->is_constant()) return e->value();
    return std::nullopt;
  }

  Expression weights(std::size_t i) {
    const Argument& a = arguments_[i];
    const auto first = first_of(a);
    const bool is_word = first && (first == trace::kUnweighted || first == trace::kEmptyWeights);
    if (!is_word) return list(i, "int");
    lists_[i].length = number(0);
    return c::call("hidden", {constant(list_argument(a).column, *first)});
  }

  Expression places(std::size_t i) {
    const Argument& a = arguments_[i];
    if (first_of(a) != trace::kBottom) return named_list(i, "MPI_Aint");
    // Addresses: the list begins with a word for that.
    const Expression all = list(i, "MPI_Aint");
    const auto* elements = std::get_if<Compound>(&all->content);
    if (!elements || elements->elements.empty())
      throw Unwritable{"a datatype of addresses differs from rank to rank"};
    const Expression n = number(std::ssize(elements->elements) - 1);
    lists_[i].length = n;
    Expression apart =
        compound("MPI_Aint[]", {elements->elements.begin() + 1, elements->elements.end()});
    Expression lengths = name("NULL"), types = name("NULL");
    bool each_length = false, each_type = false;
    for (std::size_t j = 0; j < arguments_.size(); ++j) {
      const Argument& other = arguments_[j];
      if (j == i || other.kind == K::length) continue;
      need(j);
      if (other.kind == K::counts) lengths = texts_[j], each_length = true;
      if (other.name == "blocklength") lengths = compound("int[]", {texts_[j]});
      if (other.kind == K::datatypes) types = texts_[j], each_type = true;
      if (other.kind == K::datatype) types = compound("MPI_Datatype[]", {texts_[j]});
    }
    // Both are lists, or neither.
    if (each_length && !each_type && !is_name(types, "NULL"))
      types = c::call("each_type", {n, std::get<Compound>(types->content).elements.front()});
    if (each_type && !each_length && !is_name(lengths, "NULL"))
      lengths = c::call("each", {n, std::get<Compound>(lengths->content).elements.front()});
    return c::call("placed", {n, std::move(apart), std::move(lengths), std::move(types),
                              number(each_length || each_type ? 1 : 0)});
  }

  Expression text(const Argument& a) {
    const program::Argument& own = list_argument(a);
    Expression bytes = values_.text(own.value, *own.length, place_);
    if (a.name != "filename") return bytes;
    return c::call("file_name", {std::move(bytes), number(makes_file(call_) ? 1 : 0)});
  }

  Expression object_place(const Argument& a) {
    const program::Argument& own = scalar_argument(a);
    if (a.kind == K::newwin && keeps_window_communicators_ && has_table(own.value)) {
      // Its number is asked for again, for the communicator.
      made_window_ =
          named(values_.key(own.value, own.column, place_), "const int", "window_number");
      return address_of(object_of_key(Kind::window, made_window_));
    }
    return values_.object_place(own.value, own.column, place_);
  }

  // A copy of the handle is freed: what MPI gave out several times is to be freed as often.
  Expression free_copy(const Argument& a, const char* type) {
    return address_of(compound(type, {scalar(a)}));
  }

  Expression scratch(const Argument& a) {
    const std::string type = a.kind == K::newtypes ? "MPI_Datatype *" : std::string(a.type);
    return cast(type, c::call("scratch", {number(scratches_++)}));
  }

  static Expression callback(const Argument& a) {
    if (a.type == "MPI_User_function*") return name("reduce");
    if (a.type == "MPI_User_function_c*") return name("reduce_large");
    return name(a.type.find("query") != std::string_view::npos  ? "query"
                : a.type.find("free") != std::string_view::npos ? "release"
                                                                : "cancel");
  }

  Expression one_request(const Argument& a) {
    const program::Argument& own = scalar_argument(a);
    Expression age = values_.scalar(own.value, own.column, place_);
    if (is_repeated()) age = once(own.value, std::move(age), "const int", "age");
    const auto n = literal(age);
    if (n == 0) return c::call("newest", {number(1)});
    if (n && *n > 0) return c::call("earlier", {number(1), age});
    return c::call("these", {number(1), compound("int[]", {age})});
  }

  Expression requests(std::size_t i) {
    const Argument& a = arguments_[i];
    const program::Argument& own = list_argument(a);
    // All that are pending, however many those are. In a procedure the call is that of one place.
    const expr::Expr* ages = own.value.expression();
    const bool are_all = !place_.frame.procedure && !program_.domain && !own.length->constant() &&
                         ages && newer_ones(*ages) == 0 && pending_.are_all_named(call_.call);
    if (are_all) lengths_[a.column] = c::call("pending");
    Expression n = length_of(a), pointer;
    if (const expr::Expr* e = own.value.expression()) {
      const bool is_one = own.length->constant() == 1 && e->is_constant() && e->value() >= 0;
      const auto newer = is_one ? std::optional(e->value()) : newer_ones(*e);
      if (newer == 0) pointer = c::call("newest", {n});
      if (newer && *newer > 0) pointer = c::call("earlier", {n, number(*newer)});
    }
    if (!pointer)
      pointer =
          c::call("these", {n, values_.list(own.column, own.value, *own.length, n, "int", place_)});
    // Some MPIs take out what has ended before all have.
    if (is_repeated() || has(K::indices))
      pointer = named(std::move(pointer), "MPI_Request *", "named_requests");
    lists_[i] = {pointer, n};
    return pointer;
  }

  // --- buffers

  Expression blocks(const Argument& a) {
    switch (a.blocks) {
      case Blocks::one: return nullptr;
      case Blocks::members: return size_of_group("size_of");
      case Blocks::local_members: return size_of_group("local_size");
      case Blocks::sources: return c::call("sources_of", {values_.communicator(place_)});
      case Blocks::destinations: return c::call("destinations_of", {values_.communicator(place_)});
      case Blocks::partitions: {
        const auto n = std::ranges::find(arguments_, K::length, &Argument::kind);
        return need(static_cast<std::size_t>(n - arguments_.begin()));
      }
    }
    return nullptr;
  }

  Expression size_of_group(const char* how) {
    const Expression comm = values_.communicator(place_);
    if (is_name(comm, "MPI_COMM_WORLD")) return name("RANKS");
    return c::call(how, {comm});
  }

  // Memory of its own, as large as it has to be.
  Expression memory(const Argument& a) {
    const std::string how = a.kind == K::sendbuf ? "out" : "in";
    // The second half of a split collective has neither count nor datatype.
    if (a.datatype < 0) return c::call(how, {number(0), name("MPI_BYTE")});
    const auto type = static_cast<std::size_t>(a.datatype);
    if (a.count >= 0 && arguments_[static_cast<std::size_t>(a.count)].is_list) {
      const ListText& all = lists_[static_cast<std::size_t>(a.count)];
      const Expression displs =
          a.displacements < 0 ? nullptr : lists_[static_cast<std::size_t>(a.displacements)].array;
      if (!displs || is_name(displs, "NULL"))
        return c::call(how, {c::call("sum_of", {all.length, all.array}), texts_[type]});
      const bool typed_each = arguments_[type].kind == K::datatypes;
      const bool are_places =
          arguments_[static_cast<std::size_t>(a.displacements)].kind == K::aints;
      return c::call(
          how + (!typed_each  ? "_v"
                 : are_places ? "_a"
                              : "_w"),
          {all.length, all.array, displs, typed_each ? lists_[type].array : texts_[type]});
    }
    const Expression n = a.count < 0 ? number(1) : texts_[static_cast<std::size_t>(a.count)];
    Expression many = blocks(a);
    if (!many) return c::call(how, {n, texts_[type]});
    return c::call(
        how, {binary(Operator::multiply, cast("long long", n), std::move(many)), texts_[type]});
  }

  // The buffer says whether there is one.
  Expression buffer(const Argument& a) {
    const program::Argument& own = scalar_argument(a);
    const auto of = [&](std::int64_t v) -> Expression {
      if (v == 0) return memory(a);
      return name(v == trace::kInPlace  ? "MPI_IN_PLACE"
                  : v == trace::kBottom ? "MPI_BOTTOM"
                                        : "NULL");
    };
    if (const auto v = own.value.constant()) return of(*v);
    if (are_constants(own.value))
      return values_.cases(own.value, place_, [&](const program::Case& c) {
        return of(std::get<expr::Expr>(c.content).value());
      });
    const Expression which = named(values_.scalar(own.value, own.column, place_), "const int",
                                   std::string("which_") + std::string(a.name));
    return conditional(binary(Operator::equal, which, name("OWN")), memory(a),
                       c::call("other_buffer", {which}));
  }

  Expression base(const Argument& a) {
    Expression size = number(0);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].name == "size") size = texts_[i];
    }
    if (scalar_argument(a).value.constant() == trace::kBottom) return name("MPI_BOTTOM");
    return c::call("memory", {site_, std::move(size)});
  }

  void check_narrow(const Argument& a) const {
    const Value& v = a.is_list ? list_argument(a).value : scalar_argument(a).value;
    if (has_large(v))
      throw Unwritable{fmt::format("{} has a count of more than {}", function_.name, kMaxNumber)};
  }

  Expression written(std::size_t i) {
    const Argument& a = arguments_[i];
    if (is_wide(a) && a.column >= 0 && a.kind != K::length && a.kind != K::aints) check_narrow(a);
    switch (a.kind) {
      case K::sendbuf:
      case K::recvbuf:
      case K::sendrecvbuf: return buffer(a);
      case K::base: return base(a);
      case K::newbase:
      case K::oldbase: return address_of(name("base"));
      case K::count: return count(i);
      case K::counts: return counts(i);
      case K::displs: return named_list(i, "int");
      case K::integers:
      case K::booleans:
      case K::ranks:
      case K::constants: return list(i, "int");
      case K::aints: return places(i);
      case K::ranges: return ranges(i);
      case K::weights: return weights(i);
      case K::datatypes: return named_list(i, "MPI_Datatype");
      case K::length: return length(a);
      case K::integer:
      case K::aint:
      case K::offset:
      case K::disp:
      case K::boolean:
      case K::constant:
      case K::flags:
      case K::dest:
      case K::source:
      case K::target:
      case K::rank:
      case K::root:
      case K::tag:
      case K::color:
      case K::comm:
      case K::group:
      case K::op:
      case K::win:
      case K::file:
      case K::session: return scalar(a);
      case K::datatype: return datatype(a);
      case K::string: return text(a);
      case K::info:
        if (!(function_.traits & trace::traits::kState)) return name("MPI_INFO_NULL");
        return c::call("hints");
      case K::message: return address_of(name("taken_message"));
      case K::newmessage: return c::call("probe");
      case K::freegroup: return free_copy(a, "MPI_Group");
      case K::newcomm:
      case K::freecomm:
      case K::newgroup:
      case K::committype:
      case K::newtype:
      case K::freetype:
      case K::newop:
      case K::freeop:
      case K::newwin:
      case K::freewin:
      case K::newsession:
      case K::freesession:
      case K::newfile:
      case K::freefile: return object_place(a);
      case K::errhandler: return name("MPI_ERRORS_ARE_FATAL");
      case K::newrequest: return c::call("request");
      case K::partrequest:
      case K::request: return unary(Prefix::indirection, one_request(a));
      case K::freerequest:
      case K::waitrequest:
      case K::startrequest:
      case K::cancelrequest: return one_request(a);
      case K::waitrequests:
      case K::startrequests: return requests(i);
      case K::status:
        return has(K::newmessage) ? address_of(name("probed_status")) : name("MPI_STATUS_IGNORE");
      case K::statuses: return name("NO_STATUSES");
      case K::flag: return address_of(name("flag"));
      case K::outcount: return address_of(name("found"));
      case K::index:
      case K::outint:
      case K::outenum: return address_of(name("number"));
      case K::indices: return name("which_ones");
      case K::newtypes:
      case K::skip:
      case K::outstring: return scratch(a);
      case K::callback: return callback(a);
      case K::main:
      case K::extrastate: return name("NULL");
      case K::errcodes: return name("MPI_ERRCODES_IGNORE");
      case K::commands:
      case K::argv:
      case K::argvs:
      case K::infos:
      case K::fd:
      case K::newfd:
      case K::freefd:
      case K::dirfd:
      case K::stored:
      case K::loaded:
      case K::storedv:
      case K::loadedv:
      case K::size:
      case K::place:
      case K::moved:
      case K::position:
      case K::mode: break;  // of programs that are started, and of POSIX
    }
    throw Unwritable{fmt::format("{} has an argument that cannot be written", function_.name)};
  }

  // The count of a message that was probed for is the message's.
  void fit() {
    for (std::size_t i = 0; i + 1 < texts_.size(); ++i) {
      if (arguments_[i].kind != K::count) continue;
      const Expression type = texts_[i + 1];
      texts_[i] = named(c::call("fitting", {texts_[i], type}), "const int", "fitting_count");
      texts_[0] = c::call("in", {texts_[i], type});
    }
  }

  // Whether a list of numbers or datatypes is passed that is none of requests or characters.
  bool is_numbers(std::size_t i) const {
    const K kind = arguments_[i].kind;
    const bool is_one = kind == K::counts || kind == K::displs || kind == K::aints ||
                        kind == K::datatypes || kind == K::integers;
    return is_one && arguments_[i].is_list && !is_name(texts_[i], "NULL");
  }

  // What the call gets; MPI may read lists of an operation with a request until that is over.
  Expression argument(std::size_t i) const {
    if (!has(K::newrequest) || !is_numbers(i)) return widened(i);
    return c::call("KEPT", {lists_[i].length, widened(i)});
  }

  // A list in int for a function that takes wider numbers.
  Expression widened(std::size_t i) const {
    const Argument& a = arguments_[i];
    if (!a.is_list || a.kind == K::length || !is_wide(a) || is_name(texts_[i], "NULL"))
      return texts_[i];
    const char* how = a.kind == K::aints                                  ? "places_as_counts"
                      : a.type.find("MPI_Aint") != std::string_view::npos ? "as_places"
                                                                          : "as_counts";
    return c::call(how, {lists_[i].length, texts_[i]});
  }

  // Whether a buffer is memory of its own, with its count and datatype so far behind it.
  bool is_own(std::size_t i, std::size_t ahead) const {
    if (i + ahead + 1 >= arguments_.size() || !is_buffer(arguments_[i]) || has(K::message))
      return false;
    const Argument& a = arguments_[i];
    return a.count == static_cast<int>(i + ahead) &&
           a.datatype == static_cast<int>(i + ahead + 1) &&
           arguments_[i + ahead].kind == K::count && scalar_argument(a).value.constant() == 0;
  }

  // The buffer with its count and datatype as one macro of the runtime part.
  Expression macro(std::size_t i, std::size_t& passed) {
    if (is_own(i, 1)) {
      const Argument &a = arguments_[i], &n = arguments_[i + 1];
      const bool is_sent = a.kind == K::sendbuf;
      passed = 3;
      if (a.blocks == Blocks::one) {
        if (n.scale == Scale::sent && is_sent)
          return c::call("OUT", {counts_[i + 1], texts_[i + 2]});
        if (n.scale == Scale::received && !is_sent)
          return c::call("IN", {counts_[i + 1], texts_[i + 2]});
        if (n.scale == Scale::all)
          return c::call(is_sent ? "FROM" : "INTO", {counts_[i + 1], texts_[i + 2]});
      } else if (n.scale == Scale::all && a.blocks != Blocks::partitions) {
        return c::call(is_sent ? "FROM_ALL" : "INTO_ALL",
                       {counts_[i + 1], texts_[i + 2], blocks(a)});
      }
      return nullptr;
    }
    if (i + 1 < arguments_.size() && is_own(i, 2) && is_own(i + 1, 1) &&
        arguments_[i].kind == K::sendbuf && arguments_[i + 1].kind != K::sendbuf &&
        arguments_[i].blocks == Blocks::one && arguments_[i + 1].blocks == Blocks::one &&
        arguments_[i + 2].scale == Scale::all) {
      passed = 4;
      return c::call("BOTH", {counts_[i + 2], texts_[i + 3]});
    }
    return nullptr;
  }

  std::vector<Expression> passed() {
    std::vector<Expression> out;
    for (std::size_t i = 0; i < texts_.size();) {
      std::size_t n = 1;
      if (Expression whole = macro(i, n)) {
        out.push_back(std::move(whole));
        i += n;
        continue;
      }
      out.push_back(argument(i++));
    }
    return out;
  }

  // Makes statements of the call, which is repeated while it may come back empty-handed, and says
  // behind it what is over.
  void finish(Expression made) {
    const bool is_poll = (function_.traits & trace::traits::kPoll) != 0;
    Statement statement = evaluate(std::move(made));
    if (has(K::flag)) {
      statement = {Repeat{{std::move(statement)}, unary(Prefix::logical_not, name("flag"))}};
    } else if (is_poll) {
      statement = {
          Repeat{{std::move(statement)}, binary(Operator::equal, name("found"), number(0))}};
    }
    if (has(K::indices)) statement = {If{{{c::call("is_next"), {std::move(statement)}}}}};
    after_.push_back(std::move(statement));
    if (has(K::newmessage)) after_.push_back(evaluate(c::call("keep_probed")));
    if (!has(K::waitrequest) && !has(K::waitrequests) && !has(K::freerequest)) return;
    const auto chosen = std::ranges::find_if(
        arguments_, [](const Argument& a) { return a.kind == K::index || a.kind == K::indices; });
    if (chosen == arguments_.end()) return after_.push_back(evaluate(c::call("over")));
    const program::Argument& own =
        chosen->is_list ? list_argument(*chosen) : scalar_argument(*chosen);
    after_.push_back(evaluate(c::call("over_one", {values_.scalar(own.value, kChosen, place_)})));
  }

  void keep_communicator() {
    for (const Argument& a : arguments_) {
      if (a.kind != K::newwin) continue;
      const program::Argument& window = scalar_argument(a);
      for (const program::Argument& comm : call_.arguments) {
        if (comm.column.kind != Kind::comm) continue;
        after_.push_back(
            assign(subscript(name("comm_of_window"),
                             made_window_ ? made_window_
                                          : values_.key(window.value, window.column, place_)),
                   values_.scalar(comm.value, comm.column, place_)));
        return;
      }
    }
  }

  // Which of the requests is over: MPI_UNDEFINED is none, a number below 0.
  static inline const Column kChosen{"index", Kind::integer, -1};

  const program::Program& program_;
  Values& values_;
  Names& names_;
  const program::Node& call_;
  const trace::Function& function_;
  std::span<const Argument> arguments_;
  Expression site_;
  bool keeps_window_communicators_;
  PendingAt& pending_;
  Expression made_window_;  // the number of the window that is made, if it has a name
  Block before_, after_;
  Place place_;
  std::vector<Expression> texts_, counts_;  // by argument; counts as the trace has them
  std::vector<ListText> lists_;             // by argument
  std::map<int, Expression> lengths_;       // by column
  std::vector<std::pair<Expression, std::string>> variables_;
  int scratches_ = 0;
};

}  // namespace

Block CallWriter::write(const program::Node& call, Frame& frame, const Expression& site) {
  return Writer(program_, values_, names_, call, frame, site, keeps_window_communicators_, pending_)
      .run();
}

}  // namespace reprise::write::c
