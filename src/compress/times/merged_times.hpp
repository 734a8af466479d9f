// Times over consecutive streams: what a merge unifies. Streams that resemble each other share a
// histogram; counts, sums and extremes stay exact, whichever neighbors were merged first.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compress/merge/stream_values.hpp"
#include "compress/times/concordance.hpp"
#include "compress/times/merged_blocks.hpp"
#include "compress/times/mode_pattern.hpp"
#include "compress/times/time_folder.hpp"
#include "compress/times/unite_closest.hpp"
#include "trace/times/times.hpp"

namespace reprise::compress {

// How far means [ns] are apart, of the larger one; 0: the clock tells no difference.
double distance_of_means(double a, double b);

// What is kept of single streams.
enum class TimesPerStream : std::uint8_t {
  nothing,           // all are one class (`--time stats`)
  classes,           // (`--no-rank-sums`)
  classes_and_sums,  // what each of them spent
};

class MergedDelta {
 public:
  MergedDelta() = default;
  // One stream. An empty histogram: it never came this way.
  MergedDelta(trace::Histogram histogram, Concordance concordance);

  // `n` streams that never came this way.
  static MergedDelta absent(std::uint64_t n);

  // Puts the streams of `next` behind those here. Cost: O(classes x bins + streams of next).
  void append(MergedDelta&& next);

  std::uint64_t streams() const { return streams_.size(); }
  // Of one stream.
  std::uint64_t most_executions() const;
  std::uint64_t executions() const;  // of all
  // What a stream spent, distributed as in its class.
  trace::Bin of_stream(std::uint64_t stream) const;
  // Of executions from the means of their classes [ns^2].
  double squares() const;
  trace::DeltaTimes finish(TimesPerStream per_stream) const;

  void encode(ByteWriter& out) const;
  static MergedDelta decode(ByteReader& in);

 private:
  static constexpr std::uint8_t kNoClass = 0xff;

  // The lowest or highest value of all, and the first stream that had it.
  struct Extreme {
    std::int64_t value = 0;
    std::uint64_t stream = 0;
  };

  std::vector<std::uint8_t> add_classes(std::vector<trace::Histogram> more);
  void unite_classes(std::vector<std::uint8_t>& number);

  struct OfStream {
    std::uint64_t count = 0;
    std::int64_t sum = 0;  // [ns]
    std::uint8_t number = kNoClass;
  };

  std::vector<trace::Histogram> classes_;
  std::vector<OfStream> streams_;
  Extreme min_, max_;
  Concordance concordance_;
};

// The computation of one path, and of its modes where it has some.
class MergedPath {
 public:
  MergedPath() = default;
  explicit MergedPath(const FoldedPath& path);
  static MergedPath absent(std::uint64_t streams);

  void append(MergedPath&& next);
  std::uint64_t streams() const { return all_.streams(); }
  // Adds its modes; to be called before they are given away.
  void count_runs(std::uint32_t from, std::uint32_t to, PathRuns& runs) const;
  // Gives its modes away. `do_modes_last`: what the runs of all paths say.
  trace::Path finish(std::uint32_t from, TimesPerStream per_stream, bool do_modes_last) &&;

  void encode(ByteWriter& out) const;
  static MergedPath decode(ByteReader& in);

 private:
  Modes finish_modes(bool is_long, bool do_modes_last);

  MergedDelta all_;
  std::vector<MergedDelta> modes_;  // none if no stream has two
  StreamValues mode_of_;
  MergedBlocks blocks_;
};

// The times of one site.
class MergedTimes {
 public:
  MergedTimes() = default;
  // One stream. `site_of` maps its sites to those of the tree.
  MergedTimes(const FoldedTimes& times, const std::vector<std::uint32_t>& site_of);

  static MergedTimes absent(std::uint64_t streams);

  void append(MergedTimes&& next);

  void encode(ByteWriter& out) const;
  static MergedTimes decode(ByteReader& in);

 private:
  friend std::vector<trace::CallTimes> finish_times(std::vector<MergedTimes> sites,
                                                    const std::vector<std::uint32_t>& order,
                                                    const std::vector<std::uint32_t>& call_of,
                                                    TimesPerStream per_stream);

  trace::CallTimes finish(std::uint32_t site, const std::vector<std::uint32_t>& call_of,
                          TimesPerStream per_stream, const PathRuns& runs) &&;

  MergedDelta communicate_;
  std::map<std::uint32_t, MergedPath> paths_;  // by the site before
  StreamValues arrivals_ = StreamValues::absent();
  bool arrivals_known_ = true;
};

// The times of all sites, in that order. `call_of` maps sites to calls. They are given away one by
// one, so that they are never in memory twice.
std::vector<trace::CallTimes> finish_times(std::vector<MergedTimes> sites,
                                           const std::vector<std::uint32_t>& order,
                                           const std::vector<std::uint32_t>& call_of,
                                           TimesPerStream per_stream);

}  // namespace reprise::compress
