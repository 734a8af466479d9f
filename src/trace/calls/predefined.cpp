#include "trace/calls/predefined.hpp"

#include <iterator>
#include <string_view>

#include "trace/series/series.hpp"

namespace reprise::trace {
namespace {

struct Type {
  std::string_view name;
  std::int64_t size;
};

#define REPRISE_DATATYPE(name, size) {#name, size},
#define REPRISE_OP(name)
constexpr Type kTypes[] = {
#include "predefined.inc"
};
#undef REPRISE_DATATYPE
#undef REPRISE_OP

#define REPRISE_DATATYPE(name, size)
#define REPRISE_OP(name) #name,
constexpr std::string_view kOps[] = {
#include "predefined.inc"
};
#undef REPRISE_DATATYPE
#undef REPRISE_OP

static_assert(std::size(kTypes) <= kFirstMadeType);
static_assert(std::size(kOps) <= kFirstMadeOp);

}  // namespace

std::int64_t predefined_type_size(std::int64_t type) {
  return type >= 0 && type < std::ssize(kTypes) ? kTypes[type].size : -1;
}

std::string type_name(std::int64_t type) {
  if (type >= 0 && type < std::ssize(kTypes)) return std::string(kTypes[type].name);
  return "type" + std::to_string(wrapping_sub(type, kFirstMadeType));
}

std::string op_name(std::int64_t op) {
  if (op >= 0 && op < std::ssize(kOps)) return std::string(kOps[op]);
  return "op" + std::to_string(wrapping_sub(op, kFirstMadeOp));
}

}  // namespace reprise::trace
