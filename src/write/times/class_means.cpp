#include "write/times/class_means.hpp"

#include <algorithm>
#include <map>

#include "compress/times/merged_times.hpp"

namespace reprise::write::times {
namespace {

using trace::Path;

struct Group {
  double sum = 0, count = 0;  // of executions [ns]
  std::vector<std::uint64_t> streams;

  double mean() const { return sum / count; }
};

constexpr std::ptrdiff_t kNever = -1;

// The number of the class that a stream is in on a path, or kNever.
std::ptrdiff_t class_number(const trace::DeltaTimes& delta, std::uint64_t stream) {
  const trace::Histogram* h = delta.class_for(stream);
  return h ? h - delta.classes.data() : kNever;
}

// Streams by the class that they are in on each path, in the order of these; those that never come
// are in none.
std::vector<Group> groups_of(const trace::Trace& trace, const std::vector<Path>& paths,
                             Detail detail) {
  std::map<std::vector<std::ptrdiff_t>, Group> by_classes;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    std::vector<std::ptrdiff_t> classes;
    double sum = 0, count = 0;
    for (const Path& p : paths) {
      if (detail == Detail::ranks) classes.push_back(class_number(p.compute, s));
      sum += p.compute.sum_of(s);
      count += static_cast<double>(p.compute.count_of(s));
    }
    if (count == 0) continue;
    Group& group = by_classes[classes];
    group.sum += sum;
    group.count += count;
    group.streams.push_back(s);
  }
  std::vector<Group> out;
  for (auto& [classes, group] : by_classes) out.push_back(std::move(group));
  return out;
}

// Unites the closest as long as they resemble each other or are too many.
void unite(std::vector<Group>& groups) {
  std::ranges::stable_sort(groups, {}, &Group::mean);
  while (groups.size() > 1) {
    std::size_t closest = 0;
    double least = compress::distance_of_means(groups[0].mean(), groups[1].mean());
    for (std::size_t i = 1; i + 1 < groups.size(); ++i) {
      const double d = compress::distance_of_means(groups[i].mean(), groups[i + 1].mean());
      if (d >= least) continue;
      least = d;
      closest = i;
    }
    if (least > compress::kAlikeMeans && groups.size() <= compress::kMaxStreamClasses) return;
    Group& a = groups[closest];
    const Group& b = groups[closest + 1];
    a.sum += b.sum;
    a.count += b.count;
    a.streams.insert(a.streams.end(), b.streams.begin(), b.streams.end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(closest) + 1);
  }
}

}  // namespace

std::vector<double> class_means(const trace::Trace& trace, std::uint32_t call, Detail detail) {
  std::vector<Group> groups = groups_of(trace, trace.times[call].paths, detail);
  if (detail == Detail::ranks) unite(groups);
  std::vector<double> out(trace.streams(), -1);
  for (const Group& g : groups) {
    for (const std::uint64_t s : g.streams) out[s] = g.mean();
  }
  return out;
}

}  // namespace reprise::write::times
