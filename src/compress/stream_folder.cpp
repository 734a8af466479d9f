#include "compress/stream_folder.hpp"

#include <algorithm>
#include <cstring>

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

Step StreamFolder::add(SiteKey key, Layout layout, std::span<const std::int64_t> record) {
  std::uint32_t next = kNoSite;
  if (current_ != kNoSite) {
    Site& from = sites_[current_];
    if (from.successor != kNoSite && sites_[from.successor].key == key) {
      next = from.successor;
    } else {
      next = find_or_add(key, layout, record.size());
      Site& source = sites_[current_];
      take_successors(source);
      source.successor = next;
    }
    ++sites_[current_].left;
  } else {
    next = find_or_add(key, layout, record.size());
  }
  const Step step{current_, next};
  current_ = next;
  ++calls_;

  Site& site = sites_[next];
  if (site.executions == 0) {
    site.last.assign(record.begin(), record.end());
  } else if (site.last.size() != record.size() ||
             std::memcmp(site.last.data(), record.data(), record.size_bytes()) != 0) {
    take_differences(site, record);
  }
  ++site.executions;
  return step;
}

// Brings the columns whose values change up to the present, and remembers the new record.
void StreamFolder::take_differences(Site& site, std::span<const std::int64_t> record) {
  const auto take = [&site](std::size_t c, std::span<const std::int64_t> values) {
    Lagging& column = site.columns[c];
    append_times(column.folder, values, site.executions - column.folded);
    column.folded = site.executions;
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

std::uint32_t StreamFolder::find_or_add(SiteKey key, Layout layout, std::size_t record_size) {
  if (2 * (sites_.size() + 1) > index_.size()) grow_index();
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = key_hash(key) & mask;
  for (; index_[slot] != 0; slot = (slot + 1) & mask) {
    if (sites_[index_[slot] - 1].key == key) return index_[slot] - 1;
  }
  Site site{.key = key,
            .layout = layout,
            .executions = 0,
            .last = {},
            .columns = {},
            .successor = kNoSite,
            .left = 0,
            .successors = {}};
  site.last.reserve(record_size);
  site.columns.resize(layout.columns());
  sites_.push_back(std::move(site));
  index_[slot] = static_cast<std::uint32_t>(sites_.size());
  return index_[slot] - 1;
}

void StreamFolder::grow_index() {
  index_.assign(std::max<std::size_t>(64, 2 * index_.size()), 0);
  const std::size_t mask = index_.size() - 1;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    std::size_t slot = key_hash(sites_[i].key) & mask;
    while (index_[slot] != 0) slot = (slot + 1) & mask;
    index_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

FoldedStream StreamFolder::finish() {
  FoldedStream out;
  out.calls = calls_;
  for (Site& site : sites_) {
    FoldedSite& folded = out.sites.emplace_back();
    folded.key = site.key;
    folded.executions = site.executions;
    for_each_column(site.layout, site.last, [&](std::size_t c, auto values) {
      Lagging& column = site.columns[c];
      append_times(column.folder, values, site.executions - column.folded);
      column.folded = site.executions;
      folded.columns.push_back(column.folder.finish());
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
  site.successors.folder.append(site.successor, site.left - site.successors.folded);
  site.successors.folded = site.left;
}

}  // namespace reprise::compress
