#include "analyze/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/streams_text.hpp"
#include "base/hash.hpp"
#include "trace/series_folder.hpp"

namespace reprise::analyze {
namespace {

constexpr std::uint64_t kMaxChecked = 1 << 16;  // values looked at to see whether they are the same
constexpr std::uint64_t kMaxRefolded = 1 << 12;

std::vector<std::vector<std::uint64_t>> grouped(const trace::Trace& trace, const Times& times,
                                                const std::function<CaseKey(std::uint64_t)>& key) {
  std::vector<std::vector<std::uint64_t>> out;
  std::map<CaseKey, std::size_t> known;
  for (std::uint64_t s = 0; s < std::min(trace.streams(), kMaxStreams); ++s) {
    const CaseKey k = key(s);
    if (times.of(s) == 0) continue;
    const auto [entry, is_new] = known.emplace(k, out.size());
    if (is_new) out.emplace_back();
    out[entry->second].push_back(s);
  }
  return out;
}

}  // namespace

std::vector<Case> cases_of(const trace::Trace& trace, const Times& times,
                           const std::function<CaseKey(std::uint64_t)>& key,
                           const std::function<CaseText(std::uint64_t)>& text) {
  std::vector<Case> out;
  std::map<CaseText, std::size_t> known;
  for (std::vector<std::uint64_t>& streams : grouped(trace, times, key)) {
    CaseText t = text(std::ranges::max(streams, {}, times.of));
    const auto [entry, is_new] = known.emplace(t, out.size());
    if (is_new) {
      out.push_back({std::move(t), std::move(streams)});
      continue;
    }
    std::vector<std::uint64_t>& all = out[entry->second].streams;
    const auto middle = std::ssize(all);
    all.insert(all.end(), streams.begin(), streams.end());
    std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  }
  if (out.empty()) out.push_back({text(times.busiest), {times.busiest}});
  return out;
}

std::string cases_text(const trace::Trace& trace, const std::vector<Case>& cases) {
  if (cases.size() == 1) return cases.front().text.text;
  std::string out;
  for (std::size_t i = 0; i < cases.size() && i < kMaxCases; ++i) {
    out += fmt::format("{}{} on {}", i ? ", " : "", cases[i].text.text,
                       streams_text(trace, cases[i].streams));
  }
  if (cases.size() > kMaxCases) out += fmt::format(", {} more", cases.size() - kMaxCases);
  return "(" + out + ")";
}

trace::Series refolded(const trace::Series& series, std::uint64_t n) {
  if (n == 0 || n > kMaxRefolded) return series;
  trace::SeriesFolder folder;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) folder.append(cursor.next());
  return folder.finish();
}

CaseText case_text(std::string text, const trace::Series& series, std::uint64_t n) {
  if (text.find("...") == std::string::npos) return {std::move(text)};
  std::uint64_t hash = n;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < std::min(n, kMaxChecked); ++k)
    hash = combine(hash, static_cast<std::uint64_t>(cursor.next()));
  if (n > kMaxChecked) hash = combine(hash, series.hash());
  return {std::move(text), hash};
}

}  // namespace reprise::analyze
