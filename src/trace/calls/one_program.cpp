#include "trace/calls/one_program.hpp"

#include <algorithm>

#include "trace/calls/places.hpp"

namespace reprise::trace {

Status OneProgram::add(const Trace& trace, const std::string& name) {
  std::set<Site> sites;
  for (const Call& c : trace.calls) sites.emplace(c.function, full_path(trace, c.callpath));
  if (!has_first_) {
    has_first_ = true;
    first_ = name;
    sites_ = std::move(sites);
    return {};
  }
  const auto shared =
      std::ranges::count_if(sites, [&](const Site& s) { return sites_.contains(s); });
  if (2 * static_cast<std::size_t>(shared) >= std::min(sites_.size(), sites.size())) return {};
  return Error{first_ + " and " + name + " are of different programs (they share " +
               std::to_string(shared) + " of " + std::to_string(sites_.size()) +
               " call sites); give traces of one program on different numbers of ranks"};
}

}  // namespace reprise::trace
