#include "write/python/constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::python {
namespace {

using trace::Kind;

constexpr std::string_view kMpiPrefix = "MPI_";

// Names of datatypes that mpi4py 3.1 has under another one, and those that it does not have.
struct Renamed {
  std::string_view type, name;
};
constexpr std::array kRenamed = {Renamed{"MPI_2INT", "TWOINT"},
                                 Renamed{"MPI_LONG_LONG_INT", "LONG_LONG"},
                                 Renamed{"MPI_CXX_COMPLEX", "CXX_FLOAT_COMPLEX"}};
constexpr std::array<std::string_view, 9> kLacking = {
    "MPI_2INTEGER",   "MPI_2REAL",  "MPI_2DOUBLE_PRECISION", "MPI_2COMPLEX", "MPI_2DOUBLE_COMPLEX",
    "MPIX_C_FLOAT16", "MPI_2FLOAT", "MPI_2DOUBLE",           "MPI_2LONG"};

Expression named(std::string_view mpi_name) {
  return constant_of_mpi(std::string(mpi_name.substr(kMpiPrefix.size())));
}

Expression datatype(std::int64_t value) {
  const std::string type = trace::type_name(value);
  if (std::ranges::count(kLacking, type) > 0)
    throw Unwritable{fmt::format("mpi4py 3.1 does not have the datatype {}", type)};
  const auto other = std::ranges::find(kRenamed, type, &Renamed::type);
  return other == kRenamed.end() ? named(type) : constant_of_mpi(std::string(other->name));
}

Expression null(Kind kind) {
  switch (kind) {
    case Kind::comm: return constant_of_mpi("COMM_NULL");
    case Kind::group: return constant_of_mpi("GROUP_NULL");
    case Kind::datatype: return constant_of_mpi("DATATYPE_NULL");
    case Kind::op: return constant_of_mpi("OP_NULL");
    case Kind::window: return constant_of_mpi("WIN_NULL");
    case Kind::file: return constant_of_mpi("FILE_NULL");
    default: return name("None");
  }
}

Expression special(Kind kind, std::int64_t value) {
  switch (value) {
    case trace::kNone:
      // It does not count there: any will do.
      if (kind == Kind::comm) return name("world");
      return kind == Kind::buffer || objects_of(kind) ? null(kind) : number(0);
    case trace::kNull: return null(kind);
    case trace::kForeign:
      throw Unwritable{"it uses an object or a request that no call in the trace made"};
    case trace::kEmptyWeights: return constant_of_mpi("WEIGHTS_EMPTY");
    default: return named(trace::special_name(value));
  }
}

Expression enumerated(int enumeration, std::int64_t value) {
  const trace::Enumeration& e = trace::enumerations()[static_cast<std::size_t>(enumeration)];
  const auto n = std::ssize(e.constants);
  if (!e.is_flags) {
    if (value < 0) return number(value);
    return value < n ? named(e.constants[static_cast<std::size_t>(value)]) : number(value - n);
  }
  Expression out;
  for (std::int64_t i = 0; i < n; ++i) {
    if ((value >> i & 1) == 0) continue;
    Expression flag = named(e.constants[static_cast<std::size_t>(i)]);
    out = out ? binary(Operator::bit_or, std::move(out), std::move(flag)) : std::move(flag);
  }
  if (value >> n != 0)
    out = out ? binary(Operator::bit_or, std::move(out), number(value >> n)) : number(value >> n);
  return out ? out : number(0);
}

}  // namespace

std::optional<Objects> objects_of(Kind kind) {
  switch (kind) {
    case Kind::comm: return Objects{"comms", 0};
    case Kind::group: return Objects{"groups", 0};
    case Kind::datatype: return Objects{"types", trace::kFirstMadeType};
    case Kind::op: return Objects{"ops", trace::kFirstMadeOp};
    case Kind::window: return Objects{"windows", 0};
    case Kind::file: return Objects{"files", 0};
    default: return std::nullopt;
  }
}

Expression object_key(Kind kind, std::int64_t value) {
  if (value == trace::kNone && kind == trace::Kind::comm) return number(trace::kWorld);
  if (value == trace::kNull || value == trace::kNone) return name("None");
  return number(value - objects_of(kind)->first);
}

Expression constant(const trace::Column& column, std::int64_t value) {
  if (trace::is_special(value)) return special(column.kind, value);
  if (column.enumeration >= 0) return enumerated(column.enumeration, value);
  switch (column.kind) {
    case Kind::boolean: return name(value != 0 ? "True" : "False");
    case Kind::request:
      if (value < 0) throw Unwritable{"it completes requests that another thread made"};
      return number(value);
    case Kind::comm:
      if (value == trace::kWorld) return name("world");
      if (value == trace::kSelf) return constant_of_mpi("COMM_SELF");
      break;
    case Kind::group:
      if (value == trace::kEmptyGroup) return constant_of_mpi("GROUP_EMPTY");
      break;
    case Kind::datatype:
      if (value < trace::kFirstMadeType) return datatype(value);
      break;
    case Kind::op:
      if (value < trace::kFirstMadeOp) return named(trace::op_name(value));
      break;
    default: break;
  }
  if (const auto objects = objects_of(column.kind))
    return subscript(name(std::string(objects->dictionary)), object_key(column.kind, value));
  return number(value);
}

}  // namespace reprise::write::python
