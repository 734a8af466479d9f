#include "program/values/cells.hpp"

#include <map>

namespace reprise::program {
namespace {

constexpr std::uint64_t kMostValues = 16384;  // that are looked at, of all streams

// The values of a stream, one execution after the other, as numbers.
class StreamValues {
 public:
  StreamValues(const Space& space, const Split& values)
      : ranks_(static_cast<std::int64_t>(space.ranks())) {
    for (const Sample& s : values.numbers) constant_[s.stream] = s.value;
    for (const Alike& g : values.series) {
      for (const std::uint64_t s : g.streams) group_of_[s] = &g;
    }
    threads_ = space.threads();
  }

  // Null: it is one value.
  const trace::Series* series_of(std::uint64_t stream) const {
    const auto group = group_of_.find(stream);
    return group == group_of_.end() ? nullptr : &group->second->series;
  }

  std::vector<std::int64_t> first(std::uint64_t stream, std::uint64_t n) const {
    const auto group = group_of_.find(stream);
    if (group == group_of_.end()) return std::vector<std::int64_t>(n, constant_.at(stream));
    std::vector<std::int64_t> out;
    const auto rank = static_cast<std::int64_t>(stream / threads_);
    trace::SeriesCursor cursor(group->second->series);
    while (out.size() < n)
      out.push_back(trace::decode_rank(group->second->encoding, cursor.next(), {rank, ranks_}));
    return out;
  }

 private:
  std::int64_t ranks_;
  std::uint64_t threads_ = 1;
  std::map<std::uint64_t, std::int64_t> constant_;
  std::map<std::uint64_t, const Alike*> group_of_;
};

}  // namespace

std::optional<Cells> cells_of(const Space& space, const Split& values, const ValueSite& site) {
  const StreamValues of(space, values);
  Recurrences known;
  const Entry entry = site.nest->entry(
      *site.streams, site.times,
      [&](std::uint64_t s, std::uint64_t period, std::uint64_t all) {
        const trace::Series* series = of.series_of(s);
        return !series || known.recurs(*series, period, all);
      },
      Nest::Same::on_each_stream);
  std::uint64_t all = 0;
  for (const std::uint64_t s : *site.streams) all += site.nest->executions(entry, s);
  if (entry.scope == site.nest->loops() || all > kMostValues) return std::nullopt;
  Cells out;
  out.scope = entry.scope;
  std::map<std::vector<std::int64_t>, std::size_t> seen;
  std::vector<std::vector<std::int64_t>> at;  // by cell
  for (const std::uint64_t s : *site.streams) {
    const auto indices = site.nest->indices(entry, s);
    if (!indices) return std::nullopt;
    const std::uint64_t n = site.nest->executions(entry, s);
    const std::vector<std::int64_t> here = of.first(s, n);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<std::int64_t> index;
      for (const auto& loop : *indices) index.push_back(loop[k]);
      seen.try_emplace(index);
      at.push_back(std::move(index));
      out.cells.push_back({s, 0, here[k]});
    }
  }
  for (auto& [index, number] : seen) {
    number = out.indices.size();
    out.indices.push_back(index);
  }
  for (std::size_t k = 0; k < at.size(); ++k) out.cells[k].at = seen.at(at[k]);
  return out;
}

}  // namespace reprise::program
