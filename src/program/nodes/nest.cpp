#include "program/nodes/nest.hpp"

#include <algorithm>
#include <set>

#include "analyze/text/recurrence.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise::program {
namespace {

constexpr std::uint64_t kMostIndices = 4096;  // executions whose indices are looked at
constexpr std::uint64_t kMostSteps = 16384;   // iterations that are walked for them

// The trips of an item on a stream, one time after the other.
class Trips {
 public:
  Trips(const trace::Value& trips, std::uint64_t stream) {
    if (const trace::Series* series = trips.series_of(stream)) {
      cursor_.emplace(*series);
    } else {
      constant_ = trips.constant_of(stream);
    }
  }
  std::int64_t next() { return cursor_ ? cursor_->next() : constant_; }
  void skip(std::uint64_t n) {
    if (cursor_) cursor_->skip(n);
  }

 private:
  std::optional<trace::SeriesCursor> cursor_;
  std::int64_t constant_ = 0;
};

// Walks the iterations of nested loops and conditions, and notes the indices at each execution.
class IndexWalk {
 public:
  struct Around {
    Trips trips;
    bool is_loop;
  };

  IndexWalk(std::vector<Around> levels, std::uint64_t most)
      : levels_(std::move(levels)), most_(most) {
    for (const Around& a : levels_) loops_ += a.is_loop;
    out_.resize(loops_);
  }

  // None: too many iterations, or some executions are elsewhere, since the call stands in more
  // places.
  std::optional<Indices> run() {
    walk(0);
    if (steps_ > kMostSteps || executions_ < most_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void walk(std::size_t level) {
    if (level == levels_.size()) {
      for (std::size_t j = 0; j < loops_; ++j) out_[j].push_back(now_[j]);
      ++executions_;
      return;
    }
    const bool is_loop = levels_[level].is_loop;
    const std::int64_t trips = levels_[level].trips.next();
    for (std::int64_t i = 0; i < trips && executions_ < most_ && ++steps_ <= kMostSteps; ++i) {
      if (is_loop) now_.push_back(i);
      walk(level + 1);
      if (is_loop) now_.pop_back();
    }
  }

  std::vector<Around> levels_;
  std::uint64_t most_;
  std::size_t loops_ = 0;
  std::vector<std::int64_t> now_;
  Indices out_;
  std::uint64_t executions_ = 0, steps_ = 0;
};

// Divides `all` trip counts into groups of `size`. Returns the index of the first group that is not
// all 0, if every other such group equals it; nothing if groups differ, or if there are too many.
std::optional<std::uint64_t> first_group(const trace::Series& trips, std::uint64_t size,
                                         std::uint64_t all) {
  if (analyze::recurs(trips, size, all)) return 0;
  if (size == 0 || all > kMostSteps || all % size != 0) return std::nullopt;
  trace::SeriesCursor cursor(trips);
  std::vector<std::int64_t> first, here(size);
  std::uint64_t at = 0;
  for (std::uint64_t g = 0; g < all / size; ++g) {
    for (std::int64_t& n : here) n = cursor.next();
    if (std::ranges::all_of(here, [](std::int64_t n) { return n == 0; })) continue;
    if (first.empty()) {
      first = here;
      at = g;
    }
    if (here != first) return std::nullopt;
  }
  return first.empty() ? std::nullopt : std::optional(at);
}

// Whether the shorter of two is the beginning of the other one.
bool is_prefix(const Indices& a, const Indices& b) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    const std::size_t n = std::min(a[j].size(), b[j].size());
    if (!std::equal(a[j].begin(), a[j].begin() + static_cast<std::ptrdiff_t>(n), b[j].begin()))
      return false;
  }
  return true;
}

}  // namespace

std::size_t Nest::loops() const {
  return static_cast<std::size_t>(std::ranges::count_if(levels_, &Level::is_loop));
}

std::vector<std::uint64_t> Nest::arrivals(std::uint64_t stream) const {
  std::vector<std::uint64_t> out{1};
  for (const Level& l : levels_) {
    const std::int64_t trips = trace::sum_of(l.item->trips, stream, out.back());
    out.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(trips, 0)));
  }
  return out;
}

std::optional<Nest::Iteration> Nest::first_iteration(
    const View& view, const std::vector<std::uint64_t>& arrivals) const {
  Iteration out{1, {}};
  for (std::size_t k = view.level; k < levels_.size(); ++k) {
    const trace::Value& trips = levels_[k].item->trips;
    const trace::Series* series = trips.series_of(view.stream);
    const auto group = series ? first_group(*series, out.executions, arrivals[k])
                              : std::optional<std::uint64_t>(0);
    if (!group) return std::nullopt;
    const std::uint64_t before = *group * out.executions;
    out.skipped.push_back(before);
    const std::int64_t sum = trace::sum_of(trips, view.stream, before + out.executions) -
                             trace::sum_of(trips, view.stream, before);
    out.executions = static_cast<std::uint64_t>(sum);
  }
  return out;
}

std::vector<std::uint64_t> Nest::one_of_each_class(
    const std::vector<std::uint64_t>& streams) const {
  std::set<std::uint32_t> seen;
  std::vector<std::uint64_t> out;
  for (const std::uint64_t s : streams) {
    if (seen.insert(executions_.class_of(s)).second) out.push_back(s);
  }
  return out;
}

std::optional<Indices> Nest::indices(const Entry& entry, const View& view) const {
  const auto first = first_iteration(view, arrivals(view.stream));
  std::vector<IndexWalk::Around> around;
  for (std::size_t k = view.level; k < levels_.size(); ++k) {
    around.push_back({Trips(levels_[k].item->trips, view.stream), levels_[k].is_loop});
    if (first) around.back().trips.skip(first->skipped[k - view.level]);
  }
  return IndexWalk(std::move(around), executions(entry, view.stream)).run();
}

// Those of the stream that has most executions, if they are those of all.
std::optional<Indices> Nest::common_indices(const Entry& entry, std::size_t level,
                                            const std::vector<std::uint64_t>& some) const {
  if (entry.executions > kMostIndices) return std::nullopt;
  std::optional<Indices> out;
  for (const std::uint64_t s : some) {
    auto here = indices(entry, View{level, s});
    if (!here || (out && !is_prefix(*here, *out))) return std::nullopt;
    if (!out || (!here->empty() && here->front().size() > out->front().size()))
      out = std::move(here);
  }
  return out;
}

std::optional<Indices> Nest::indices(const Entry& entry, std::uint64_t stream) const {
  if (executions(entry, stream) > kMostIndices) return std::nullopt;
  std::size_t level = 0;
  for (std::size_t outside = 0; outside < entry.scope; ++level) outside += levels_[level].is_loop;
  return indices(entry, View{level, stream});
}

std::optional<ByLoop> Entry::by_loop() const {
  if (!indices) return std::nullopt;
  for (std::size_t j = 0; j < indices->size(); ++j) {
    const std::vector<std::int64_t>& index = (*indices)[j];
    bool counts = index.size() == executions && executions > 0;
    for (std::size_t k = 0; k < index.size() && counts; ++k)
      counts = index[k] == index.front() + static_cast<std::int64_t>(k);
    if (counts) return ByLoop{scope + j, index.front()};
  }
  return std::nullopt;
}

Entry Nest::entry(const std::vector<std::uint64_t>& streams,
                  const std::function<std::uint64_t(std::uint64_t)>& times, const Recurs& recurs,
                  Same values) const {
  const std::vector<std::uint64_t> some = one_of_each_class(streams);
  std::vector<std::vector<std::uint64_t>> all;
  for (const std::uint64_t s : some) all.push_back(arrivals(s));
  for (std::size_t level = levels_.size() + 1; level-- > 0;) {
    // Levels within the same loops are one scope: the outermost of them stands for it.
    if (level > 0 && !levels_[level - 1].is_loop) continue;
    Entry out;
    const bool alike = std::ranges::all_of(some, [&](const std::uint64_t& s) {
      const auto& here = all[static_cast<std::size_t>(&s - some.data())];
      const auto first = first_iteration({level, s}, here);
      const std::uint64_t n = first ? first->executions : 0;
      out.executions = std::max(out.executions, n);
      out.of_class[executions_.class_of(s)] = n;
      return n > 0 && n <= times(s);
    });
    const auto recurs_on = [&](std::uint64_t s) {
      return recurs(s, out.of_class.at(executions_.class_of(s)), times(s));
    };
    const std::vector<std::uint64_t>& asked = values == Same::on_all_streams ? some : streams;
    if (!alike || !std::ranges::all_of(asked, recurs_on)) continue;
    out.scope = static_cast<std::size_t>(
        std::count_if(levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(level),
                      [](const Level& l) { return l.is_loop; }));
    out.indices = common_indices(out, level, some);
    return out;
  }
  Entry out;
  for (const std::uint64_t s : streams) {
    out.executions = std::max(out.executions, times(s));
    out.of_class[executions_.class_of(s)] = times(s);
  }
  out.indices = common_indices(out, 0, some);
  return out;
}

}  // namespace reprise::program
