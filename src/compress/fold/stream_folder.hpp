// Folds the calls of one stream as they come, without ever looking at their order twice.
//
// A *site* is a function at a call path. Each site keeps a folded series for every column of its
// calls and one for its *successors*: the site of the call that came next, each time. Successors
// and columns together are the stream, exactly; loops, branches and varying trip counts need no
// search, because they are periodic, or not, in short series of their own. The loops that a reader
// sees are made of the successors when the stream ends (loops/loop_tree.hpp, loops/parse.hpp).
//
// Cost: amortised O(1) per call whatever the program's loops look like; a call whose values are
// those of the last one at its site costs one comparison and two increments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compress/times/time_folder.hpp"
#include "trace/calls/functions.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/times/times.hpp"

namespace reprise::compress {

// A function at a call path, in numbers of this process.
struct SiteKey {
  trace::FunctionId function{};
  std::uint32_t callpath = 0;

  auto operator<=>(const SiteKey&) const = default;
};

// How the values of a record are laid out: scalars, then for each list its length and elements.
struct Layout {
  std::size_t scalars = 0;
  std::size_t lists = 0;

  std::size_t columns() const { return scalars + 2 * lists; }
};

// One site of a finished stream.
struct FoldedSite {
  SiteKey key;
  std::uint64_t executions = 0;
  std::vector<trace::Series> columns;  // over the executions
  trace::Series successors;            // indices into FoldedStream::sites
  std::uint64_t followed = 0;          // length of `successors`
  FoldedTimes times;                   // empty if times are not kept
};

// A stream, whole: it begins at site 0, and each execution of a site names the next one.
struct FoldedStream {
  std::vector<FoldedSite> sites;  // in the order of their first execution
  std::uint64_t calls = 0;
};

// A call behind another, as indices of sites; `from` is Path::kStart for the first of a stream.
struct Step {
  std::uint32_t from = 0, to = 0;
};

class StreamFolder {
 public:
  // Adds a call. `record` is laid out as `layout` says, which depends on the function alone. If
  // memory runs out, the stream is as it was, or broken; nothing may be added afterwards.
  Step add(SiteKey key, Layout layout, std::span<const std::int64_t> record);

  // The stream so far, without a call if it is broken. More may be added afterwards; if memory ran
  // out, the stream may be broken, and adding throws std::bad_alloc once it needs what is lost.
  FoldedStream finish();

  std::uint64_t calls() const { return calls_; }

 private:
  static constexpr std::uint32_t kNoSite = trace::Path::kStart;

  // A column lags behind: it holds the executions before `folded`; from there on to the present
  // the values are those of the site's last record.
  struct Lagging {
    trace::SeriesFolder folder;
    std::uint64_t folded = 0;
  };

  struct Site {
    SiteKey key;
    Layout layout;
    std::uint64_t executions = 0;
    std::vector<std::int64_t> last;  // the last record
    std::vector<Lagging> columns;
    std::uint32_t successor = kNoSite;  // of the executions from successors.folded on
    std::uint64_t left = 0;             // executions that have been followed by a call
    Lagging successors;
  };

  static constexpr std::uint64_t kBroken = ~std::uint64_t{0};  // in place of Lagging::folded

  std::uint32_t find(SiteKey key) const;
  static Site make_site(SiteKey key, Layout layout, std::span<const std::int64_t> record);
  void make_room();
  std::uint32_t insert(Site site) noexcept;
  void point_at(std::size_t site) noexcept;
  bool is_broken() const;
  static void catch_up(Lagging& column, std::span<const std::int64_t> values,
                       std::uint64_t executions);
  static void take_successors(Site& site);
  static void take_differences(Site& site, std::span<const std::int64_t> record);

  std::vector<Site> sites_;
  std::vector<std::uint32_t> index_;  // open addressing: site number + 1
  std::uint32_t current_ = kNoSite;
  std::uint64_t calls_ = 0;
};

}  // namespace reprise::compress
