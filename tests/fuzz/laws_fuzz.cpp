// The laws of whatever can be read: listed, written and read again, and made a trace of.
#include "laws_fuzz.hpp"

#include "scalable/codec.hpp"
#include "scalable/explain.hpp"
#include "write/text/listing.hpp"

namespace reprise {
namespace {

constexpr std::int64_t kMostRanks = 64;
constexpr std::uint64_t kSteps = 1 << 16;

}  // namespace

void look_at_laws(const trace::Trace& trace) {
  const auto laws = scalable::decode(trace, "fuzz");
  if (!laws) return;
  (void)write::list_program(scalable::explain(*laws), {});
  if (!scalable::decode(scalable::encode(*laws), "again")) __builtin_trap();
  scalable::Wanted wanted{.ranks = laws->domain.ranks.least, .steps = kSteps};
  for (std::size_t p = 0; p < laws->parameters.size(); ++p) {
    wanted.parameters.emplace_back(laws->parameters[p].name, laws->domain.parameters[p].least);
  }
  if (wanted.ranks <= kMostRanks) (void)scalable::instantiate(*laws, wanted);
}

}  // namespace reprise
