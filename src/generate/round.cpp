#include "generate/round.hpp"

#include <algorithm>
#include <optional>

#include "trace/value.hpp"

namespace reprise::generate {
namespace {

using Bodies = std::vector<const Statement*>;

constexpr std::uint64_t kMaxLooked = 1 << 20;  // passes
constexpr std::int64_t kMaxTrips = 1 << 20;

// How often a stream passes the innermost body in each trip of the outermost.
std::optional<std::vector<std::int64_t>> passes_by_trip(const Bodies& bodies, std::uint64_t stream,
                                                        std::int64_t trips) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(trips), 1);
  std::uint64_t looked = 0;
  for (auto body = bodies.begin() + 1; body != bodies.end(); ++body) {
    trace::ValueCursor own((*body)->item->trips, stream);
    for (std::int64_t& passes : out) {
      std::int64_t inner = 0;
      for (; passes > 0; --passes) {
        if (++looked > kMaxLooked || inner > kMaxTrips) return std::nullopt;
        inner += std::min(own.next(), kMaxTrips + 1);
      }
      if (inner > kMaxTrips) return std::nullopt;
      passes = inner;
    }
  }
  return out;
}

// Of the trips, one of `every` comes to the body, and then always passes it `passes` times.
struct Rhythm {
  std::int64_t passes = 0, every = 0;
  bool operator==(const Rhythm&) const = default;
};

std::optional<Rhythm> rhythm_of(const std::vector<std::int64_t>& passes) {
  const auto comes = [](std::int64_t n) { return n > 0; };
  const auto first = std::ranges::find_if(passes, comes);
  if (first == passes.end()) return std::nullopt;
  const auto second = std::find_if(first + 1, passes.end(), comes);
  if (second == passes.end()) return std::nullopt;
  const Rhythm out{*first, second - first};
  if (first - passes.begin() >= out.every) return std::nullopt;
  for (auto n = passes.begin(); n != passes.end(); ++n) {
    const bool is_due = (n - first) % out.every == 0;
    if (*n != (is_due ? out.passes : 0)) return std::nullopt;
  }
  return out;
}

// How often the stream passes the body of the loop altogether.
std::int64_t trips_of(const Statement& loop, std::uint64_t stream,
                      analyze::Executions& executions) {
  const std::uint64_t times = executions.of(*loop.item, stream);
  trace::ValueCursor trips(loop.item->trips, stream);
  std::int64_t out = 0;
  for (std::uint64_t k = 0; k < times && out <= kMaxTrips; ++k) {
    out += std::min(trips.next(), kMaxTrips + 1);
  }
  return out;
}

Round round_in(const Bodies& bodies, analyze::Executions& executions) {
  std::optional<Rhythm> common;
  for (const std::uint64_t s : bodies.back()->coming) {
    const std::int64_t trips = trips_of(*bodies.front(), s, executions);
    if (trips > kMaxTrips) return {};
    const auto passes = passes_by_trip(bodies, s, trips);
    const auto own = passes ? rhythm_of(*passes) : std::nullopt;
    if (!own || common.value_or(*own) != *own) return {};
    common = own;
  }
  if (!common || common->passes < 2) return {};
  const Place& place = bodies.front()->body.front().place;
  // The index of the loop itself goes through the round, if it makes all its passes at once.
  const Statement& inner = *bodies.back();
  const bool is_one = bodies.size() == 2 && inner.kind == Statement::Kind::loop;
  return {common->passes, common->every == 1 ? place.text() : place.quotient(common->every),
          is_one ? inner.index() : ""};
}

}  // namespace

Round round_of(const Bodies& around, analyze::Executions& executions) {
  if (around.empty() || around.back()->body.front().place.is_known()) return {};
  for (auto outer = around.rbegin() + 1; outer != around.rend(); ++outer) {
    const Statement& s = **outer;
    if (s.kind != Statement::Kind::loop || !s.body.front().place.is_known()) continue;
    Round found = round_in(Bodies(outer.base() - 1, around.end()), executions);
    if (found.passes > 0) return found;
  }
  return {};
}

}  // namespace reprise::generate
