#include "extrapolate/laws/leaves.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/leaf.hpp"

namespace reprise::extrapolate {
namespace {

using infer::Sample;
using infer::Samples;
using infer::WorldSamples;

// Whether the value is one number for each rank and parameters; makes equal rows one if so.
bool unite(Samples& samples) {
  for (WorldSamples& w : samples.worlds) {
    std::map<std::pair<std::int64_t, std::vector<std::int64_t>>, std::int64_t> known;
    std::vector<Sample> kept;
    for (const Sample& s : w.samples) {
      const auto [entry, is_new] = known.emplace(std::pair(s.rank, s.parameters), s.value);
      if (!is_new && entry->second != s.value) return false;
      if (is_new) kept.push_back(s);
    }
    w.samples = std::move(kept);
  }
  return true;
}

Samples without_parameter(Samples samples, std::size_t parameter) {
  const auto at = static_cast<std::ptrdiff_t>(parameter);
  samples.parameters.erase(samples.parameters.begin() + at);
  if (!samples.wanted.empty()) samples.wanted.erase(samples.wanted.begin() + at);
  for (WorldSamples& w : samples.worlds) {
    for (Sample& s : w.samples) s.parameters.erase(s.parameters.begin() + at);
  }
  return samples;
}

}  // namespace

Needed drop_needless(const Samples& samples, const std::set<std::string>& kept) {
  Needed out{samples, true};
  unite(out.samples);
  Samples same = out.samples;
  for (WorldSamples& w : same.worlds) {
    for (Sample& s : w.samples) s.rank = 0;
  }
  if (unite(same)) out = {std::move(same), false};
  // Within a world nothing depends on what is declared for it; between worlds it may.
  for (std::size_t p = 0; p + out.samples.declared < out.samples.parameters.size();) {
    const bool is_kept = kept.contains(out.samples.parameters[p]);
    Samples fewer = is_kept ? Samples{} : without_parameter(out.samples, p);
    if (!is_kept && unite(fewer)) {
      out.samples = std::move(fewer);
    } else {
      ++p;
    }
  }
  return out;
}

std::set<std::string> trips_of_needed(const Samples& needed, const Samples& all) {
  std::set<std::string> out;
  for (const std::string& name : needed.parameters) {
    const expr::Leaf leaf = expr::leaf_of(name);
    if (leaf.kind != expr::LeafKind::index) continue;
    const std::string trips = expr::trips_name(leaf.number);
    if (std::ranges::count(all.parameters, trips) != 0 &&
        std::ranges::count(needed.parameters, trips) == 0) {
      out.insert(trips);
    }
  }
  return out;
}

}  // namespace reprise::extrapolate
