#include "write/conceptual/times/arrivals.hpp"

#include <unordered_map>

#include "compress/merge/stream_values.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::write::conceptual {
namespace {

using compress::StreamValues;
using trace::CallTimes;
using trace::Item;
using trace::Path;

// Walks the calls of a stream, without their columns.
class Walk {
 public:
  // `wanted`: by call, whether its arrivals are.
  Walk(const trace::Trace& trace, std::uint64_t stream, const std::vector<bool>& wanted)
      : trace_(trace), stream_(stream), wanted_(wanted), folders_(trace.calls.size()) {}

  std::vector<trace::SeriesFolder> run() {
    take(trace_.root);
    return std::move(folders_);
  }

 private:
  void take(const Item& item) {
    const auto cursor = trips_.try_emplace(&item, item.trips, stream_).first;
    for (std::int64_t n = cursor->second.next(); n > 0; --n) {
      if (item.is_call()) arrive(item.call);
      for (const Item& b : item.body) take(b);
    }
  }

  void arrive(std::uint32_t call) {
    if (wanted_[call]) {
      const CallTimes& times = trace_.times[call];
      const Path* path = times.path_from(last_);
      folders_[call].append(path ? path - times.paths.data() : trace::kNone);
    }
    last_ = call;
  }

  const trace::Trace& trace_;
  std::uint64_t stream_;
  const std::vector<bool>& wanted_;
  std::vector<trace::SeriesFolder> folders_;  // by call
  std::unordered_map<const Item*, trace::ValueCursor> trips_;
  std::uint32_t last_ = Path::kStart;
};

}  // namespace

Arrivals::Arrivals(const trace::Trace& trace) : trace_(trace) {
  std::vector<bool> wanted;
  std::map<std::uint32_t, StreamValues> values;
  for (std::uint32_t c = 0; c < trace.times.size(); ++c) {
    wanted.push_back(!trace.times[c].knows_arrivals());
    if (wanted.back()) values.emplace(c, StreamValues::absent(0));
  }
  if (values.empty()) return;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    const std::vector<trace::SeriesFolder> folders = Walk(trace, s, wanted).run();
    for (auto& [call, value] : values) {
      const trace::SeriesFolder& f = folders[call];
      value.append(f.empty() ? StreamValues::absent() : StreamValues(f.finish()));
    }
  }
  for (auto& [call, value] : values) walked_.emplace(call, std::move(value).finish());
}

trace::ValueCursor Arrivals::of(std::uint32_t call, std::uint64_t stream) const {
  const auto walked = walked_.find(call);
  return {walked == walked_.end() ? trace_.times[call].arrivals : walked->second, stream};
}

}  // namespace reprise::write::conceptual
