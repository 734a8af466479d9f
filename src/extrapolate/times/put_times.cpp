#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "compress/merge/stream_values.hpp"
#include "extrapolate/times/arrivals.hpp"
#include "extrapolate/times/delta_times.hpp"
#include "extrapolate/times/scalable_times.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::CallTimes;
using trace::Path;
using trace::Value;

// Calls that are walked for the order of paths, at most.
constexpr std::uint64_t kMostWalked = 4'000'000;

class TimePutter {
 public:
  TimePutter(trace::Trace& out, const ScalableTimes& times, std::span<const std::uint32_t> call_of,
             std::span<const double> point, Arrivals arrivals)
      : out_(out),
        times_(times),
        point_(point.begin(), point.end()),
        arrivals_(std::move(arrivals)),
        site_of_(out.calls.size()),
        executions_(arrivals_.streams.size(), std::vector<std::uint64_t>(out.calls.size(), 0)),
        maker_(arrivals_.class_of, point, times.keeps_rank_sums) {
    for (std::uint32_t s = 0; s < call_of.size(); ++s) site_of_[call_of[s]] = s;
    for (std::size_t c = 0; c < executions_.size(); ++c) {
      for (const auto& [arrival, n] : arrivals_.counts[c]) executions_[c][arrival.to] += n;
    }
    std::vector<std::vector<std::uint64_t>> telling(executions_.size());
    for (std::size_t c = 0; c < executions_.size(); ++c) {
      for (const std::uint32_t s : times.telling) telling[c].push_back(executions_[c][call_of[s]]);
    }
    maker_.set_parts(parts_of(telling));
    const bool sized = std::ranges::any_of(
        times.laws, [](const TimeLaw& law) { return law.measured.measures > 0; });
    if (!sized) return;
    const std::vector<CallSize> of_calls = sizes_of_calls(out);
    std::vector<CallSize> of_sites(call_of.size());
    for (std::uint32_t s = 0; s < call_of.size(); ++s) of_sites[s] = of_calls[call_of[s]];
    maker_.set_sizes(std::move(of_sites));
  }

  void run() {
    out_.timing = times_.timing;
    for (std::uint32_t call = 0; call < out_.calls.size(); ++call) {
      out_.times.push_back(times_of(call));
    }
    put_arrivals();
    const double mean = maker_.spent() / static_cast<double>(out_.ranks);
    const double stretch = std::max(1.0, times_.stretch.at(point_));
    out_.duration = static_cast<std::uint64_t>(std::llround(mean * stretch / 1e3));
  }

 private:
  CallTimes times_of(std::uint32_t call) {
    CallTimes out;
    out.communicate =
        make({site_of_[call], Delta::What::communicate, Path::kAny}, executions_of(call));
    const Delta compute{site_of_[call], Delta::What::compute, Path::kAny};
    if (times_.timing.mode != trace::TimeMode::histogram) {
      for (const std::uint32_t from : origins_of(call)) {
        Delta delta = compute;
        delta.from = from == Path::kStart ? from : site_of_[from];
        out.paths.push_back(path(from, delta, counts_of({call, from})));
      }
    } else {
      out.paths.push_back(path(Path::kAny, compute, executions_of(call)));
    }
    out.arrivals = Value::constant(out.paths.size() < 2 ? 0 : trace::kNone);
    return out;
  }

  trace::DeltaTimes make(const Delta& delta, const std::vector<std::uint64_t>& counts) {
    const TimeLaw* law = times_.law_of(delta);
    return law == nullptr ? trace::DeltaTimes() : maker_.make(*law, counts);
  }

  Path path(std::uint32_t from, const Delta& delta, const std::vector<std::uint64_t>& counts) {
    Path out;
    out.from = from;
    out.compute = make(delta, counts);
    const TimeLaw* law = times_.law_of(delta);
    if (law == nullptr || law->modes.empty()) return out;
    for (std::size_t m = 0; m < law->modes.size(); ++m) {
      out.modes.push_back(maker_.make_mode(*law, m, counts));
    }
    out.mode_of = Value{.by_stream = {}, .classes = {law->mode_of}};
    return out;
  }

  std::vector<std::uint64_t> executions_of(std::uint32_t call) const {
    std::vector<std::uint64_t> out;
    for (const auto& of_class : executions_) out.push_back(of_class[call]);
    return out;
  }

  std::vector<std::uint64_t> counts_of(const Arrival& arrival) const {
    std::vector<std::uint64_t> out;
    for (const ArrivalCounts& counts : arrivals_.counts) {
      const auto found = counts.find(arrival);
      out.push_back(found == counts.end() ? 0 : found->second);
    }
    return out;
  }

  std::set<std::uint32_t> origins_of(std::uint32_t call) const {
    std::set<std::uint32_t> out;
    for (const ArrivalCounts& counts : arrivals_.counts) {
      for (auto a = counts.lower_bound({call, 0}); a != counts.end() && a->first.to == call; ++a) {
        out.insert(a->first.from);
      }
    }
    return out;
  }

  // By which path each execution comes, where the order folds.
  void put_arrivals() {
    PathNumbers numbers;
    std::uint64_t walked = 0;
    for (std::uint32_t call = 0; call < out_.times.size(); ++call) {
      const auto& paths = out_.times[call].paths;
      for (std::size_t p = 0; p < paths.size() && paths.size() > 1; ++p) {
        numbers[{call, paths[p].from}] = static_cast<std::int64_t>(p);
      }
    }
    for (const auto& of_class : executions_) {
      walked = std::accumulate(of_class.begin(), of_class.end(), walked);
    }
    if (numbers.empty() || walked > kMostWalked) return;
    std::vector<std::vector<trace::Series>> order;  // [classes x calls]
    for (const std::uint64_t stream : arrivals_.streams) {
      auto of_stream = order_of_arrivals(out_, stream, numbers, 4 * kMostWalked);
      if (!of_stream) return;
      order.push_back(std::move(*of_stream));
    }
    for (std::uint32_t call = 0; call < out_.times.size(); ++call) {
      if (out_.times[call].paths.size() > 1) put_arrivals(call, order);
    }
  }

  void put_arrivals(std::uint32_t call, const std::vector<std::vector<trace::Series>>& order) {
    compress::SharedSeries shared;
    for (const auto& [of_class, streams] : maker_.runs()) {
      shared.add(order[of_class][call], streams);
    }
    Value value = shared.finish(trace::Encoding::absolute);
    ByteWriter bytes;
    value.encode(bytes);
    if (bytes.size() <= CallTimes::kMaxArrivals) out_.times[call].arrivals = std::move(value);
  }

  trace::Trace& out_;
  const ScalableTimes& times_;
  std::vector<double> point_;
  Arrivals arrivals_;
  std::vector<std::uint32_t> site_of_;                  // by call
  std::vector<std::vector<std::uint64_t>> executions_;  // [classes x calls]
  DeltaMaker maker_;
};

}  // namespace

void put_times(trace::Trace& out, const ScalableTimes& times,
               std::span<const std::uint32_t> call_of, std::span<const double> point) {
  if (times.model == TimeModel::none) return;
  auto arrivals = count_arrivals(out);
  if (!arrivals) return;
  TimePutter(out, times, call_of, point, std::move(*arrivals)).run();
}

}  // namespace reprise::extrapolate
