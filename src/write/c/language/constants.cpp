#include "write/c/language/constants.hpp"

#include <algorithm>
#include <map>

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {
namespace {

using trace::Kind;

Expression special(Kind kind, std::int64_t value) {
  switch (value) {
    case trace::kNone: return kind == Kind::buffer ? name("NOTHING") : number(0);
    case trace::kInPlace: return name("IN_PLACE");
    case trace::kBottom: return name("BOTTOM");
    case trace::kNull: return number(-1);
    case trace::kForeign:
      throw Unwritable{"it uses an object or a request that no call in the trace made"};
    default: return name(std::string(trace::special_name(value)));
  }
}

Expression enumerated(int enumeration, std::int64_t value) {
  const trace::Enumeration& e = trace::enumerations()[static_cast<std::size_t>(enumeration)];
  const auto n = std::ssize(e.constants);
  if (!e.is_flags) {
    if (value < 0) return number(value);
    return value < n ? name(std::string(e.constants[static_cast<std::size_t>(value)]))
                     : number(value - n);
  }
  Expression out;
  for (std::int64_t i = 0; i < n; ++i) {
    if ((value >> i & 1) == 0) continue;
    Expression flag = name(std::string(e.constants[static_cast<std::size_t>(i)]));
    out = out ? binary(Operator::bit_or, std::move(out), std::move(flag)) : std::move(flag);
  }
  if (value >> n != 0)
    out = out ? binary(Operator::bit_or, std::move(out), number(value >> n)) : number(value >> n);
  return out ? out : number(0);
}

// A name of MPI or, as MPIX_C_FLOAT16, of one implementation. Numbers that stand for nothing, as
// damaged traces have them, have other names.
Expression known_name(std::string constant) {
  if (!constant.starts_with("MPI"))
    throw Unwritable{"it uses a predefined object that there is none of"};
  return name(std::move(constant));
}

}  // namespace

const ObjectWords* object_words(Kind kind) {
  static const std::map<Kind, ObjectWords> all{
      {Kind::comm, {"MPI_Comm", "comms", "comm", "MPI_COMM_NULL", trace::kFirstMadeComm}},
      {Kind::group, {"MPI_Group", "groups", "group", "MPI_GROUP_NULL", 1}},
      {Kind::datatype,
       {"MPI_Datatype", "types", "type", "MPI_DATATYPE_NULL", trace::kFirstMadeType}},
      {Kind::op, {"MPI_Op", "ops", "op", "MPI_OP_NULL", trace::kFirstMadeOp}},
      {Kind::window, {"MPI_Win", "windows", "window", "MPI_WIN_NULL", 0}},
      {Kind::file, {"MPI_File", "files", "file", "MPI_FILE_NULL", 0}},
      {Kind::session, {"MPI_Session", "sessions", "session", "MPI_SESSION_NULL", 0}}};
  const auto found = all.find(kind);
  return found == all.end() ? nullptr : &found->second;
}

Expression predefined(Kind kind, std::int64_t value) {
  const ObjectWords& words = *object_words(kind);
  if (value == trace::kNone && kind == Kind::comm) return name("MPI_COMM_WORLD");
  if (value == trace::kNull || value == trace::kNone) return name(std::string(words.null));
  if (value == trace::kForeign)
    throw Unwritable{"it uses an object or a request that no call in the trace made"};
  if (value >= words.first) return nullptr;
  switch (kind) {
    case Kind::comm:
      return known_name(value == trace::kWorld  ? "MPI_COMM_WORLD"
                        : value == trace::kSelf ? "MPI_COMM_SELF"
                                                : "");
    case Kind::group: return known_name(value == trace::kEmptyGroup ? "MPI_GROUP_EMPTY" : "");
    case Kind::datatype: return known_name(trace::type_name(value));
    case Kind::op: return known_name(trace::op_name(value));
    default: return name(std::string(words.null));
  }
}

Expression constant(const trace::Column& column, std::int64_t value) {
  if (trace::is_special(value)) return special(column.kind, value);
  if (column.enumeration >= 0) return enumerated(column.enumeration, value);
  if (column.kind == Kind::buffer) return value == 0 ? name("OWN") : number(value);
  if (column.kind == Kind::request && value < 0)
    throw Unwritable{
        "it completes requests that another thread made, or that nothing in the trace made"};
  return number(value);
}

}  // namespace reprise::write::c
