#include "extrapolate/communicators/split_places.hpp"

#include <algorithm>
#include <set>

#include "extrapolate/values/instantiate.hpp"
#include "trace/calls/split_columns.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::int64_t kMostRanks = 1 << 10;
constexpr std::size_t kNumbers = 6;   // of ranks that are tried
constexpr std::int64_t kBeyond = 32;  // beyond the inputs: how many are asked for a value
constexpr std::uint64_t kSteps = std::uint64_t{1} << 24;

bool is_place(const Scalable& program, const Parameter& p) {
  if (p.slot.is_trips() || p.law.given) return false;
  const auto split = split_columns(trace::function(program.sites[p.slot.site].function));
  return split && (p.slot.column == split->made + 1 || p.slot.column == split->made + 2);
}

// The same number for each execution of each rank, however it is written down.
bool are_same(const trace::Value& a, const trace::Value& b, std::uint64_t ranks) {
  if (a == b) return true;
  const auto values = [](const trace::Value& v, std::uint64_t rank) {
    const trace::Series* series = v.series_of(rank);
    return series != nullptr ? *series : trace::Series::constant(v.constant_of(rank));
  };
  for (std::uint64_t r = 0; r < ranks; ++r) {
    if (values(a, r) != values(b, r)) return false;
  }
  return true;
}

// The sites whose laws differ from `placed` on so many ranks, or bring no trace where that does;
// nothing if it does not either.
std::optional<std::set<std::uint32_t>> differing(const Scalable& told, const Scalable& placed,
                                                 std::span<const trace::Trace> traces,
                                                 const Request& request) {
  const auto a = instantiate(placed, traces, request);
  if (!a) return std::nullopt;
  const auto b = instantiate(told, traces, request);
  std::set<std::uint32_t> out;
  for (const Parameter& p : placed.parameters) {
    if (p.law.form != Law::Form::placed) continue;
    if (!b) {
      out.insert(p.slot.site);
      continue;
    }
    const auto call = static_cast<std::size_t>(std::ranges::find(placed.order, p.slot.site) -
                                               placed.order.begin());
    if (!are_same(a->calls[call].columns[p.slot.column], b->calls[call].columns[p.slot.column],
                  a->ranks)) {
      out.insert(p.slot.site);
    }
  }
  return out;
}

}  // namespace

void settle_places(Scalable& program, std::span<const trace::Trace> traces,
                   const Request& request) {
  Scalable placed = program;
  for (Parameter& p : placed.parameters) {
    if (is_place(program, p)) p.law = Law{.form = Law::Form::placed};
  }
  const bool is_any = std::ranges::any_of(program.parameters, [&](const Parameter& p) {
    return is_place(program, p) && p.law.form != Law::Form::placed;
  });
  if (!is_any) return;
  placed.times = {};
  Scalable told = placed;
  told.parameters = program.parameters;
  std::set<std::uint32_t> wrong;
  const auto look = [&](std::int64_t ranks, const std::vector<std::int64_t>& grid) {
    Request there = request;
    there.ranks = ranks;
    there.grid = grid;
    there.steps = kSteps;
    auto found = differing(told, placed, traces, there);
    if (found) wrong.merge(*found);
    return found.has_value();
  };
  const std::int64_t largest = std::ranges::max(program.ranks);
  if (request.ranks <= kMostRanks) look(request.ranks, request.grid);
  std::size_t looked = 0;
  for (std::int64_t n = largest + 1; n <= std::min(kMostRanks, largest + kBeyond); ++n) {
    if (look(n, {}) && ++looked == kNumbers) break;
  }
  for (Parameter& p : program.parameters) {
    if (is_place(program, p) && wrong.contains(p.slot.site)) {
      p.law = Law{.form = Law::Form::placed};
    }
  }
}

}  // namespace reprise::extrapolate
