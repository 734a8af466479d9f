#include "compress/fold/stream_folder.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/contract.hpp"
#include "base/hash.hpp"

namespace reprise::compress {
namespace {

std::uint64_t key_hash(SiteKey key) {
  return mix(std::uint64_t{key.callpath} << 16 | static_cast<std::uint16_t>(key.function));
}

// The part of a record that one column reads, and whether it appends one value or a list of them.
template <class Visit>
void for_each_column(Layout layout, std::span<const std::int64_t> record, Visit&& visit) {
  for (std::size_t i = 0; i < layout.scalars; ++i) visit(i, record.subspan(i, 1));
  std::size_t at = layout.scalars;
  for (std::size_t list = 0; list < layout.lists; ++list) {
    const auto length = static_cast<std::size_t>(record[at]);
    visit(layout.scalars + 2 * list, record.subspan(at, 1));
    visit(layout.scalars + 2 * list + 1, record.subspan(at + 1, length));
    at += 1 + length;
  }
}

void append_times(trace::SeriesFolder& folder, std::span<const std::int64_t> values,
                  std::uint64_t times) {
  if (values.size() == 1) {
    folder.append(values[0], times);
    return;
  }
  for (std::uint64_t k = 0; k < times; ++k) {
    for (const std::int64_t v : values) folder.append(v);
  }
}

}  // namespace

// What may fail comes first, and leaves the stream as it was or a series that is broken; the counts
// that say what the stream is come last.
Step StreamFolder::add(SiteKey key, Layout layout, std::span<const std::int64_t> record) {
  const std::uint32_t from = current_;
  const std::uint32_t expected = from == kNoSite ? kNoSite : sites_[from].successor;
  const bool is_expected = expected != kNoSite && sites_[expected].key == key;
  std::uint32_t next = is_expected ? expected : find(key);
  if (next == kNoSite) {
    Site site = make_site(key, layout, record);
    make_room();
    if (from != kNoSite) take_successors(sites_[from]);
    next = insert(std::move(site));
  } else {
    Site& site = sites_[next];
    if (site.last.size() != record.size() ||
        std::memcmp(site.last.data(), record.data(), record.size_bytes()) != 0) {
      take_differences(site, record);
    }
    if (!is_expected && from != kNoSite) take_successors(sites_[from]);
  }
  if (from != kNoSite) {
    sites_[from].successor = next;
    ++sites_[from].left;
  }
  ++sites_[next].executions;
  ++calls_;
  current_ = next;
  return {from, next};
}

// Brings the columns whose values change up to the present, and remembers the new record.
void StreamFolder::take_differences(Site& site, std::span<const std::int64_t> record) {
  const auto take = [&site](std::size_t c, std::span<const std::int64_t> values) {
    catch_up(site.columns[c], values, site.executions);
  };
  const std::span<const std::int64_t> last = site.last;
  const Layout layout = site.layout;
  for (std::size_t i = 0; i < layout.scalars; ++i) {
    if (last[i] != record[i]) take(i, last.subspan(i, 1));
  }
  std::size_t before = layout.scalars, now = layout.scalars;
  for (std::size_t c = layout.scalars; c < layout.columns(); c += 2) {
    const auto length = static_cast<std::size_t>(last[before]);
    const auto elements = last.subspan(before + 1, length);
    const auto fresh = record.subspan(now + 1, static_cast<std::size_t>(record[now]));
    if (elements.size() != fresh.size()) take(c, last.subspan(before, 1));
    if (!std::ranges::equal(elements, fresh)) take(c + 1, elements);
    before += 1 + elements.size();
    now += 1 + fresh.size();
  }
  site.last.assign(record.begin(), record.end());
}

std::uint32_t StreamFolder::find(SiteKey key) const {
  if (index_.empty()) return kNoSite;
  const std::size_t mask = index_.size() - 1;
  for (std::size_t slot = key_hash(key) & mask; index_[slot] != 0; slot = (slot + 1) & mask) {
    if (sites_[index_[slot] - 1].key == key) return index_[slot] - 1;
  }
  return kNoSite;
}

StreamFolder::Site StreamFolder::make_site(SiteKey key, Layout layout,
                                           std::span<const std::int64_t> record) {
  Site site{.key = key,
            .layout = layout,
            .executions = 0,
            .last = {record.begin(), record.end()},
            .columns = {},
            .successor = kNoSite,
            .left = 0,
            .successors = {}};
  site.columns.resize(layout.columns());
  return site;
}

// For one more site.
void StreamFolder::make_room() {
  if (sites_.size() == sites_.capacity())
    sites_.reserve(std::max<std::size_t>(16, 2 * sites_.size()));
  if (2 * (sites_.size() + 1) <= index_.size()) return;
  std::vector<std::uint32_t> index(std::max<std::size_t>(64, 2 * index_.size()), 0);
  index_.swap(index);
  for (std::size_t i = 0; i < sites_.size(); ++i) point_at(i);
}

// REQUIRES: there is room for it.
std::uint32_t StreamFolder::insert(Site site) noexcept {
  sites_.push_back(std::move(site));
  point_at(sites_.size() - 1);
  return static_cast<std::uint32_t>(sites_.size() - 1);
}

void StreamFolder::point_at(std::size_t site) noexcept {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = key_hash(sites_[site].key) & mask;
  while (index_[slot] != 0) slot = (slot + 1) & mask;
  index_[slot] = static_cast<std::uint32_t>(site + 1);
}

FoldedStream StreamFolder::finish() {
  FoldedStream out;
  if (is_broken()) return out;
  out.calls = calls_;
  for (Site& site : sites_) {
    FoldedSite& folded = out.sites.emplace_back();
    folded.key = site.key;
    folded.executions = site.executions;
    for_each_column(site.layout, site.last, [&](std::size_t c, auto values) {
      catch_up(site.columns[c], values, site.executions);
      folded.columns.push_back(site.columns[c].folder.finish());
    });
    take_successors(site);
    folded.followed = site.left;
    folded.successors = site.successors.folder.finish();
  }
  return out;
}

// Brings the successors up to the present.
void StreamFolder::take_successors(Site& site) {
  if (site.successor == kNoSite) return;
  const std::int64_t successor = site.successor;
  catch_up(site.successors, {&successor, 1}, site.left);
}

// Appends the values until they are those of so many executions. A column that is broken stays so.
void StreamFolder::catch_up(Lagging& column, std::span<const std::int64_t> values,
                            std::uint64_t executions) {
  if (column.folded == kBroken) throw std::bad_alloc();
  const std::uint64_t folded = std::exchange(column.folded, kBroken);
  append_times(column.folder, values, executions - folded);
  column.folded = executions;
}

// Whether memory ran out while values were appended to a series: some of it may be lost.
bool StreamFolder::is_broken() const {
  const auto is = [](const Lagging& column) { return column.folded == kBroken; };
  return std::ranges::any_of(sites_, [&](const Site& site) {
    return is(site.successors) || std::ranges::any_of(site.columns, is);
  });
}

}  // namespace reprise::compress
