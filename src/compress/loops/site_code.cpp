#include "compress/loops/site_code.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace reprise::compress {

using trace::CodeFunction;
using trace::CodePath;
using trace::CodePoint;

namespace {

// The loops of a function around a point, the outermost first.
std::vector<std::uint32_t> loops_around_point(const CodeFunction& f, std::uint32_t point) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t l = f.points[point]; l != CodeFunction::kNoLoop; l = f.loops[l])
    out.push_back(l);
  std::ranges::reverse(out);
  return out;
}

}  // namespace

bool leads_on(const CodeFunction& f, std::uint32_t from, std::uint32_t to) {
  return from < to && !std::ranges::binary_search(f.exclusive, std::pair(from, to));
}

SiteCode::SiteCode(std::vector<CodeFunction> functions, SitePaths paths)
    : functions_(std::move(functions)),
      is_recursive_(functions_.size(), false),
      places_(paths.size()) {
  for (std::size_t site = 0; site < paths.size(); ++site) {
    for (CodePath& path : paths[site]) add_place(site, std::move(path));
    // The deepest copy first: a loop of which iterations were peeled off is around one of them.
    std::ranges::stable_sort(places_[site], std::greater<>(),
                             [](const Place& p) { return p.loops.size(); });
  }
  forget_trips_of_copies();
  unite_loops_of_copies();
}

void SiteCode::add_place(std::size_t site, CodePath path) {
  Place place;
  std::set<std::uint32_t> seen;
  for (const CodePoint& p : path) {
    if (!seen.insert(p.function).second) is_recursive_[p.function] = true;
  }
  std::uint32_t context = 0;  // a node of the trie; 0 is its root
  for (const CodePoint& p : path) {
    place.begins.push_back(static_cast<std::uint32_t>(place.loops.size()));
    for (const std::uint32_t loop : loops_around_point(functions_[p.function], p.point)) {
      const auto [entry, is_new] = instance_of_.try_emplace(
          std::tuple(context, p.function, loop), static_cast<std::uint32_t>(parents_.size()));
      if (is_new) {
        parents_.push_back(place.loops.empty() ? kNoLoop : place.loops.back());
        loop_of_.emplace_back(p.function, loop);
        const CodeFunction& f = functions_[p.function];
        trips_.push_back(loop < f.trips.size() ? f.trips[loop] : 0);
        context_of_loop_.push_back(context);
      }
      place.loops.push_back(entry->second);
    }
    const auto next = static_cast<std::uint32_t>(context_of_.size() + 1);
    context = context_of_.try_emplace({context, p}, next).first->second;
  }
  place.path = std::move(path);
  places_[site].push_back(std::move(place));
}

// Copies in one loop, or at different depths, are of several iterations of a loop in the source.
// Loops that are copies of each other must have the same trip count.
void SiteCode::forget_trips_of_copies() {
  for (const std::vector<Place>& copies : places_) {
    for (std::size_t c = 1; c < copies.size(); ++c) {
      const std::vector<std::uint32_t>&a = copies[0].loops, &b = copies[c].loops;
      for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const bool is_in_both = i < a.size() && i < b.size();
        const bool is_copy = is_in_both && a[i] != b[i] && trips_[a[i]] == trips_[b[i]];
        const bool is_shared = is_in_both && a[i] == b[i] && i + 1 < std::max(a.size(), b.size());
        if (is_copy || is_shared) continue;
        if (i < a.size()) trips_[a[i]] = 0;
        if (i < b.size()) trips_[b[i]] = 0;
      }
    }
  }
}

// Copies of a call may lie in copies of its loops (an unswitched loop, a caller that was called in
// two places of one line).
void SiteCode::unite_loops_of_copies() {
  std::vector<std::uint32_t> one(parents_.size());
  std::iota(one.begin(), one.end(), 0u);
  const auto find = [&one](std::uint32_t l) {
    while (one[l] != l) l = one[l] = one[one[l]];
    return l;
  };
  for (const std::vector<Place>& copies : places_) {
    for (std::size_t c = 1; c < copies.size(); ++c) {
      if (copies[c].loops.size() != copies[0].loops.size()) continue;
      for (std::size_t i = 0; i < copies[c].loops.size(); ++i) {
        const std::uint32_t a = find(copies[0].loops[i]), b = find(copies[c].loops[i]);
        one[std::max(a, b)] = std::min(a, b);
      }
    }
  }
  for (std::uint32_t l = 0; l < trips_.size(); ++l) {
    if (trips_[l] != trips_[find(l)]) trips_[find(l)] = 0;
  }
  for (std::vector<Place>& copies : places_) {
    for (Place& p : copies) {
      for (std::uint32_t& l : p.loops) l = find(l);
    }
  }
  for (std::uint32_t& l : parents_) l = l == kNoLoop ? l : find(l);
}

std::span<const std::uint32_t> SiteCode::loops_around(std::uint32_t site) const {
  if (places_[site].empty()) return {};
  return places_[site].front().loops;
}

std::uint32_t SiteCode::innermost_common_loop(const CodeFunction& f, std::uint32_t a,
                                              std::uint32_t b) {
  const std::vector<std::uint32_t> of_a = loops_around_point(f, a), of_b = loops_around_point(f, b);
  const auto fork = std::ranges::mismatch(of_a, of_b).in1;
  return fork == of_a.begin() ? kNoLoop : *(fork - 1);
}

StepReading SiteCode::read(std::uint32_t from, std::uint32_t to) const {
  using Kind = StepReading::Kind;
  StepReading best;
  const std::span<const std::uint32_t> around = loops_around(to);
  // How deep a loop lies around the deepest copy; less if it is around another one alone.
  const auto depth = [&around](std::uint32_t loop) {
    const auto found = std::ranges::find(around, loop);
    return found == around.end() ? std::ptrdiff_t{-1} : found - around.begin();
  };
  for (const Place& a : places_[from]) {
    for (const Place& b : places_[to]) {
      const StepReading reading = read(a, b);
      // A call that follows its own copy is that of the next iteration.
      if (reading.kind == Kind::onward && from != to) return reading;
      if (reading.kind == Kind::repeats &&
          (best.kind == Kind::unknown || depth(reading.loop) > depth(best.loop)))
        best = reading;
    }
  }
  return best;
}

StepReading SiteCode::read(const Place& from, const Place& to) const {
  const CodePath& a = from.path;
  const CodePath& b = to.path;
  const auto shared = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto is_known = [this](CodePoint p) { return functions_[p.function].is_known; };
  const auto repeats = [&](std::size_t depth, std::uint32_t loop) {
    std::size_t i = to.begins[depth];
    for (std::uint32_t l : loops_around_point(functions_[b[depth].function], b[depth].point)) {
      if (l == loop) break;
      ++i;
    }
    return StepReading{StepReading::Kind::repeats, to.loops[i]};
  };
  if (shared < a.size() && shared < b.size()) {
    const CodePoint p = a[shared], q = b[shared];
    if (!is_known(p) || !is_known(q)) return {};
    if (p.function == q.function) {
      if (leads_on(functions_[p.function], p.point, q.point)) return {StepReading::Kind::onward};
      if (is_recursive_[p.function]) return {};
      const std::uint32_t loop = innermost_common_loop(functions_[p.function], p.point, q.point);
      if (loop != kNoLoop) return repeats(shared, loop);
    }
  } else if (a.size() != b.size()) {
    return {};  // a function calls MPI where it also calls another one: recursion that was folded
  }
  for (std::size_t depth = shared; depth-- > 0;) {
    const CodePoint p = b[depth];
    if (!is_known(p) || is_recursive_[p.function]) return {};
    const std::uint32_t loop = functions_[p.function].points[p.point];
    if (loop != kNoLoop) return repeats(depth, loop);
  }
  return {};
}

std::vector<std::uint32_t> SiteCode::in_program_order(std::vector<std::uint32_t> order) const {
  // A frame stands where the first site of its function does in this context, and then by its
  // point.
  using Key = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  std::map<std::pair<std::uint32_t, CodePoint>, std::uint32_t> context_of;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first_of;
  std::vector<Key> keys(places_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    std::uint32_t context = 0;
    if (places_[order[i]].empty()) continue;
    for (const CodePoint& p : places_[order[i]].front().path) {
      const std::uint32_t first = first_of.try_emplace({context, p.function}, i).first->second;
      keys[order[i]].emplace_back(first, p.point);
      context =
          context_of.try_emplace({context, p}, static_cast<std::uint32_t>(context_of.size() + 1))
              .first->second;
    }
  }
  // Sites without a call path keep their places: those between them are sorted.
  auto begin = order.begin();
  while (begin != order.end()) {
    const auto end =
        std::find_if(begin, order.end(), [&](std::uint32_t s) { return keys[s].empty(); });
    std::stable_sort(begin, end,
                     [&](std::uint32_t s, std::uint32_t t) { return keys[s] < keys[t]; });
    begin = end == order.end() ? end : end + 1;
  }
  return order;
}

}  // namespace reprise::compress
