#include "write/c/calls/call_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "trace/values/special.hpp"
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

}  // namespace

bool is_simple(const Expression& e) {
  return std::holds_alternative<Name>(e->content) || std::holds_alternative<Number>(e->content);
}

bool is_buffer(const Argument& a) {
  return a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf;
}

CallArguments::CallArguments(CallContext& context, const program::Node& call, Frame& frame,
                             Expression site)
    : program_(context.program),
      values_(context.values),
      names_(context.names),
      call_(call),
      function_(trace::function(context.program.trace->calls[call.call].function)),
      arguments_(arguments(context.program.trace->calls[call.call].function)),
      site_(std::move(site)),
      keeps_window_communicators_(context.keeps_window_communicators),
      pending_(context.pending),
      place_{frame, &before_, &call, nullptr, nullptr},
      texts_(arguments_.size()),
      counts_(arguments_.size()),
      lists_(arguments_.size()) {}

void CallArguments::write() {
  name_communicator();
  // Sizes before the buffers that have them.
  for (const bool buffers : {false, true}) {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if ((is_buffer(arguments_[i]) || arguments_[i].kind == K::base) == buffers) need(i);
    }
  }
  if (has(K::message)) fit();
}

const program::Argument& CallArguments::scalar_argument(const Argument& a) const {
  return call_.arguments[static_cast<std::size_t>(a.column)];
}

const program::Argument& CallArguments::list_argument(const Argument& a) const {
  return call_.arguments[function_.scalars.size() + static_cast<std::size_t>(a.column)];
}

bool CallArguments::has(K kind) const {
  return std::ranges::count(arguments_, kind, &Argument::kind) > 0;
}

Expression CallArguments::named(Expression e, const std::string& type, std::string_view wanted) {
  if (is_simple(e)) return e;
  for (const auto& [known, variable] : variables_) {
    if (is_same(known, e)) return name(variable);
  }
  const std::string own = names_.add_local(wanted);
  variables_.emplace_back(e, own);
  before_.push_back(declare(type, own, std::move(e)));
  return name(own);
}

Expression CallArguments::once(const Value& v, Expression e, const std::string& type,
                               std::string_view wanted) {
  return has_table(v) ? named(std::move(e), type, wanted) : e;
}

Expression CallArguments::once_in_macro(const Value& v, Expression e, const std::string& type,
                                        std::string_view wanted) {
  return has_table(v) || has_choice_by_loop(v) ? named(std::move(e), type, wanted) : e;
}

void CallArguments::name_communicator() {
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

Expression CallArguments::need(std::size_t i) {
  if (!texts_[i]) texts_[i] = written(i);
  return texts_[i];
}

Expression CallArguments::scalar(const Argument& a) {
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

bool CallArguments::is_repeated() const {
  return has(K::flag) || (function_.traits & trace::traits::kPoll) != 0;
}

Expression CallArguments::object_of_key(Kind kind, const Expression& key) {
  return subscript(name(std::string(object_words(kind)->array)), key);
}

bool CallArguments::is_of_message(const Argument& a) const {
  return has(K::message) && !scalar_argument(a).value.constant();
}

std::string_view CallArguments::scaling(const Argument& a) {
  switch (a.scale) {
    case Scale::none: return {};
    case Scale::sent: return "sent";
    case Scale::received: return "received";
    case Scale::all: return "scaled";
  }
  return {};
}

Expression CallArguments::count(std::size_t i) {
  const Argument& a = arguments_[i];
  if (is_of_message(a)) return number(0);
  counts_[i] = once_in_macro(scalar_argument(a).value, scalar(a), "const int", a.name);
  const auto n = literal(counts_[i]);
  // A scalar stays one.
  if (has(K::message) || scaling(a).empty() || n == 0 || n == 1) return counts_[i];
  if (a.scale == Scale::received) return c::call("received", {counts_[i], need(i + 1)});
  return c::call(scaling(a), {counts_[i]});
}

Expression CallArguments::datatype(const Argument& a) {
  return once_in_macro(scalar_argument(a).value, scalar(a), "MPI_Datatype", a.name);
}

Expression CallArguments::object_place(const Argument& a) {
  const program::Argument& own = scalar_argument(a);
  if (a.kind == K::newwin && keeps_window_communicators_ && has_table(own.value)) {
    // Its number is asked for again, for the communicator.
    made_window_ = named(values_.key(own.value, own.column, place_), "const int", "window_number");
    return address_of(object_of_key(Kind::window, made_window_));
  }
  return values_.object_place(own.value, own.column, place_);
}

Expression CallArguments::free_copy(const Argument& a, const char* type) {
  return address_of(compound(type, {scalar(a)}));
}

Expression CallArguments::scratch(const Argument& a) {
  const std::string type = a.kind == K::newtypes ? "MPI_Datatype *" : std::string(a.type);
  return cast(type, c::call("scratch", {number(scratches_++)}));
}

Expression CallArguments::callback(const Argument& a) {
  if (a.type == "MPI_User_function*") return name("reduce");
  if (a.type == "MPI_User_function_c*") return name("reduce_large");
  return name(a.type.find("query") != std::string_view::npos  ? "query"
              : a.type.find("free") != std::string_view::npos ? "release"
                                                              : "cancel");
}

Expression CallArguments::one_request(const Argument& a) {
  const program::Argument& own = scalar_argument(a);
  Expression age = values_.scalar(own.value, own.column, place_);
  if (is_repeated()) age = once(own.value, std::move(age), "const int", "age");
  const auto n = literal(age);
  if (n == 0) return c::call("newest", {number(1)});
  if (n && *n > 0) return c::call("earlier", {number(1), age});
  return c::call("these", {number(1), compound("int[]", {age})});
}

void CallArguments::check_narrow(const Argument& a) const {
  const Value& v = a.is_list ? list_argument(a).value : scalar_argument(a).value;
  if (has_large(v))
    throw Unwritable{fmt::format("{} has a count of more than {}", function_.name, kMaxNumber)};
}

Expression CallArguments::written(std::size_t i) {
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

void CallArguments::fit() {
  for (std::size_t i = 0; i + 1 < texts_.size(); ++i) {
    if (arguments_[i].kind != K::count) continue;
    const Expression type = texts_[i + 1];
    texts_[i] = named(c::call("fitting", {texts_[i], type}), "const int", "fitting_count");
    texts_[0] = c::call("in", {texts_[i], type});
  }
}

}  // namespace reprise::write::c
