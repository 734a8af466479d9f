#include "reprise/values.hpp"

#include "trace/calls/functions.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/calls/requests.hpp"
#include "trace/values/special.hpp"

namespace reprise {

// The public numbers never change. Those of the stages have to equal them.
static_assert(special::none == trace::kNone && special::process_null == trace::kProcNull &&
              special::any_source == trace::kAnySource && special::any_tag == trace::kAnyTag &&
              special::root == trace::kRoot && special::undefined == trace::kUndefined &&
              special::null == trace::kNull && special::in_place == trace::kInPlace &&
              special::bottom == trace::kBottom && special::unweighted == trace::kUnweighted &&
              special::empty_weights == trace::kEmptyWeights &&
              special::foreign == trace::kForeign && special::cancelled == trace::kCancelled);

bool is_special(std::int64_t value) { return trace::is_special(value); }

std::string describe_value(ColumnKind kind, std::int64_t value) {
  if (const std::string_view name = trace::special_name(value); !name.empty()) {
    return std::string(name);
  }
  if (!is_special(value) && kind == ColumnKind::datatype) return trace::type_name(value);
  if (!is_special(value) && kind == ColumnKind::op) return trace::op_name(value);
  if (!is_special(value) && kind == ColumnKind::request && value < 0)
    return trace::request_name(value);
  return std::to_string(value);
}

std::optional<std::int64_t> predefined_type_size(std::int64_t datatype) {
  const std::int64_t size = trace::predefined_type_size(datatype);
  return size < 0 ? std::nullopt : std::optional(size);
}

}  // namespace reprise
