#include "extrapolate/verify/type_sizes.hpp"

namespace reprise::extrapolate {

mpi::TypeSizes type_sizes(const trace::Trace& trace, Budget& budget) {
  mpi::TypeSizes out;
  const auto note = [&](std::int64_t type, std::int64_t size) {
    const mpi::TypeId id{type};
    if (!out.set(id, mpi::Bytes(size))) out.set(id, mpi::Bytes::unknown());
  };
  AskedColumns asked(trace.calls.size());
  bool varies = false;
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const std::vector<trace::Value>& columns = trace.calls[c].columns;
    const trace::Function& f = trace::function(trace.calls[c].function);
    mpi::for_each_made_type(f, [&](std::size_t type, std::size_t size) {
      if (columns[type].is_constant() && columns[size].is_constant()) {
        note(columns[type].by_stream.at(0), columns[size].by_stream.at(0));
      } else {
        asked[c] = {type, size};
        varies = true;
      }
    });
  }
  if (!varies) return out;
  const auto visit = [&](const Visit& v) { note(v.values[0], v.values[1]); };
  if (!visit_calls(trace, asked, budget, visit)) out.clear();
  return out;
}

}  // namespace reprise::extrapolate
