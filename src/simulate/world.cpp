#include "simulate/world.hpp"

#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::simulate {

Place* RankObjects::comm(std::int64_t id) {
  if (id == trace::kWorld) return &world_;
  if (id == trace::kSelf) return &self_;
  return find(comms_, id);
}

std::int64_t RankObjects::type_size(std::int64_t type) const {
  if (type >= 0 && type < trace::kFirstMadeType) return trace::predefined_type_size(type);
  const auto found = types_.find(type);
  return found == types_.end() ? -1 : found->second;
}

void RankObjects::learn_types(const trace::Event& event) {
  const auto columns = event.function->scalars;
  for (std::size_t c = 1; c < columns.size(); ++c) {
    if (columns[c].kind != trace::Kind::bytes || trace::is_special(event.scalars[c - 1])) continue;
    const auto [entry, is_new] = types_.emplace(event.scalars[c - 1], event.scalars[c]);
    if (!is_new && entry->second != event.scalars[c]) ++type_version_;
    entry->second = event.scalars[c];
  }
}

}  // namespace reprise::simulate
