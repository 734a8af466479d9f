#include "extrapolate/type_sizes.hpp"

#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {

using trace::Kind;

TypeSizes::TypeSizes(const trace::Trace& trace, Budget& budget) {
  AskedColumns asked(trace.calls.size());
  bool varies = false;
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Call& call = trace.calls[c];
    const auto scalars = trace::function(call.function).scalars;
    for (std::size_t k = 1; k < scalars.size(); ++k) {
      if (scalars[k].kind != Kind::bytes) continue;
      if (call.columns[k - 1].is_constant() && call.columns[k].is_constant()) {
        note(call.columns[k - 1].by_stream.at(0), call.columns[k].by_stream.at(0));
      } else {
        asked[c] = {k - 1, k};
        varies = true;
      }
    }
  }
  if (!varies) return;
  const auto visit = [&](const Visit& v) { note(v.values[0], v.values[1]); };
  if (!visit_calls(trace, asked, budget, visit)) made_.clear();
}

void TypeSizes::note(std::int64_t type, std::int64_t size) {
  if (trace::is_special(type)) return;
  const auto [entry, is_new] = made_.emplace(type, size);
  if (!is_new && entry->second != size) entry->second = -1;
}

std::int64_t TypeSizes::of(std::int64_t type) const {
  if (type >= 0 && type < trace::kFirstMadeType) return trace::predefined_type_size(type);
  const auto found = made_.find(type);
  return found == made_.end() ? -1 : found->second;
}

}  // namespace reprise::extrapolate
