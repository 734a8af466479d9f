#include "scalable/c_objects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scalable/unwritable.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {

using trace::Kind;

namespace {

struct Words {
  const char *type, *array, *null;
  std::int64_t first;
};

const Words& words(Kind kind) {
  static const std::map<Kind, Words> all{
      {Kind::comm, {"MPI_Comm", "comm", "MPI_COMM_NULL", trace::kFirstMadeComm}},
      {Kind::datatype, {"MPI_Datatype", "type", "MPI_DATATYPE_NULL", trace::kFirstMadeType}},
      {Kind::op, {"MPI_Op", "op", "MPI_OP_NULL", trace::kFirstMadeOp}},
      {Kind::group, {"MPI_Group", "group", "MPI_GROUP_NULL", 1}}};
  const auto found = all.find(kind);
  if (found == all.end())
    throw Unwritable{"it has windows or files, which take --language c of a trace"};
  return found->second;
}

}  // namespace

std::string CObjects::type_of(Kind kind) { return words(kind).type; }

std::string CObjects::handle(Kind kind, std::int64_t number) {
  const Words& w = words(kind);
  if (number == trace::kNone) return kind == Kind::datatype ? "MPI_BYTE" : w.null;
  if (number == trace::kNull) return w.null;
  if (trace::is_special(number)) {
    throw Unwritable{"it uses an object that the trace does not say the making of"};
  }
  if (number < w.first) {
    switch (kind) {
      case Kind::comm: return number == trace::kWorld ? "MPI_COMM_WORLD" : "MPI_COMM_SELF";
      case Kind::datatype: return trace::type_name(number);
      case Kind::op: return trace::op_name(number);
      default: return "MPI_GROUP_EMPTY";
    }
  }
  constexpr std::int64_t kMost = 1 << 16;
  if (number - w.first > kMost) throw Unwritable{"it makes too many objects of a kind"};
  std::int64_t& most = most_[kind];
  most = std::max(most, number - w.first + 1);
  return fmt::format("{}[{}]", w.array, number - w.first);
}

std::string CObjects::place(Kind kind, std::int64_t number) {
  const std::string text = handle(kind, number);
  if (text.find('[') == std::string::npos)
    return fmt::format("&({}){{{}}}", words(kind).type, text);
  return "&" + text;
}

std::string CObjects::at(Kind kind, const std::string& number) {
  const Words& w = words(kind);
  (void)handle(kind, w.first + kCalculated - 1);
  calculated_.insert(kind);
  return fmt::format("{}_at(({}) - {})", w.array, number, w.first);
}

std::string CObjects::declarations() const {
  std::string out;
  for (const auto& [kind, n] : most_) {
    const Words& w = words(kind);
    out += fmt::format("static {} {}[{}];\n", w.type, w.array, n);
    if (!calculated_.contains(kind)) continue;
    out += fmt::format(
        "static {0} *{1}_at(long long n) {{\n"
        "  static {0} nothing = {2};\n"
        "  if (n >= {3}) MPI_Abort(MPI_COMM_WORLD, 3); /* no program has so many */\n"
        "  return n < 0 ? &nothing : &{1}[n];\n}}\n",
        w.type, w.array, w.null, n);
  }
  return out;
}

}  // namespace reprise::scalable
