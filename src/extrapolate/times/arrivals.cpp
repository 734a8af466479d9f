#include "extrapolate/times/arrivals.hpp"

#include <limits>
#include <unordered_map>

#include "trace/series/series_folder.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Item;
using trace::Path;

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 30;
// Calls of all streams: their number is added up in what such a sum cannot exceed.
constexpr double kMostCalls = 0x1p60;

// Whether an item takes as many trips in every pass.
bool is_steady(const trace::Value& trips, std::uint64_t stream) {
  const trace::Series* series = trips.series_of(stream);
  return series == nullptr || series->is_constant();
}

std::uint64_t trips_each(const trace::Value& trips, std::uint64_t stream) {
  const trace::Series* series = trips.series_of(stream);
  const std::int64_t n = series == nullptr ? trips.constant_of(stream) : series->at(0);
  return n > 0 ? static_cast<std::uint64_t>(n) : 0;
}

// Adds n x times, or as much as a count can be.
void add_product(std::uint64_t& count, std::uint64_t n, std::uint64_t times) {
  std::uint64_t more = 0;
  if (__builtin_mul_overflow(n, times, &more) || __builtin_add_overflow(count, more, &count)) {
    count = std::numeric_limits<std::uint64_t>::max();
  }
}

class Counter {
 public:
  Counter(const trace::Trace& trace, std::uint64_t stream) : stream_(stream) {
    describe(trace.root);
  }

  std::optional<ArrivalCounts> run(const Item& root) {
    take(root, trips_next(root));
    if (steps_ > kMostSteps) return std::nullopt;
    for (auto& [item, body] : bodies_) {
      if (body.passes > 0) add(body.arrivals, body.passes);
    }
    return std::move(counts_);
  }

 private:
  // One pass of an item in which nothing varies from pass to pass.
  struct Body {
    bool steady = true;
    bool empty = true;  // no call in it
    std::uint32_t first = 0, last = 0;
    ArrivalCounts arrivals;    // within one pass
    std::uint64_t passes = 0;  // that were taken, to be added at the end
    trace::ValueCursor trips;  // of the item
  };

  static void append(Body& pass, const Body& part, std::uint64_t trips) {
    if (trips == 0 || part.empty) return;
    if (pass.empty) {
      pass.first = part.first;
    } else {
      ++pass.arrivals[{part.first, pass.last}];
    }
    if (trips > 1) add_product(pass.arrivals[{part.first, part.last}], trips - 1, 1);
    for (const auto& [arrival, n] : part.arrivals) add_product(pass.arrivals[arrival], n, trips);
    pass.last = part.last;
    pass.empty = false;
  }

  const Body& describe(const Item& item) {
    Body out;
    out.trips = trace::ValueCursor(item.trips, stream_);
    if (item.is_call()) {
      out.empty = false;
      out.first = out.last = item.call;
    }
    for (const Item& b : item.body) {
      const Body& part = describe(b);
      out.steady = out.steady && part.steady && is_steady(b.trips, stream_);
      if (out.steady) append(out, part, trips_each(b.trips, stream_));
    }
    return bodies_[&item] = std::move(out);
  }

  std::uint64_t trips_next(const Item& item) {
    const std::int64_t n = bodies_.at(&item).trips.next();
    return n > 0 ? static_cast<std::uint64_t>(n) : 0;
  }

  void arrive(std::uint32_t first) { ++counts_[{first, last_}]; }

  void take(const Item& item, std::uint64_t trips) {
    if (++steps_ > kMostSteps || trips == 0) return;
    Body& body = bodies_.at(&item);
    if (body.steady) {
      if (body.empty) return;
      arrive(body.first);
      if (trips > 1) add_product(counts_[{body.first, body.last}], trips - 1, 1);
      add_product(body.passes, trips, 1);
      last_ = body.last;
      return;
    }
    for (std::uint64_t n = 0; n < trips && steps_ <= kMostSteps; ++n) {
      for (const Item& b : item.body) take(b, trips_next(b));
    }
  }

  void add(const ArrivalCounts& arrivals, std::uint64_t times) {
    for (const auto& [arrival, n] : arrivals) add_product(counts_[arrival], n, times);
  }

  std::uint64_t stream_;
  std::unordered_map<const Item*, Body> bodies_;
  ArrivalCounts counts_;
  std::uint32_t last_ = Path::kStart;
  std::uint64_t steps_ = 0;
};

void refine(trace::StreamClasses& classes, const Item& item) {
  classes.refine(item.trips);
  for (const Item& b : item.body) refine(classes, b);
}

// Walks the calls of a stream, without their columns.
class OrderWalk {
 public:
  OrderWalk(const trace::Trace& trace, std::uint64_t stream, const PathNumbers& numbers,
            std::uint64_t most)
      : stream_(stream), numbers_(numbers), left_(most), folders_(trace.calls.size()) {}

  bool take(const Item& item) {
    const auto cursor = trips_.try_emplace(&item, item.trips, stream_).first;
    for (std::int64_t n = cursor->second.next(); n > 0; --n) {
      if (left_ == 0) return false;
      --left_;
      if (item.is_call()) arrive(item.call);
      for (const Item& b : item.body) {
        if (!take(b)) return false;
      }
    }
    return true;
  }

  std::vector<trace::Series> finish() const {
    std::vector<trace::Series> out;
    for (const trace::SeriesFolder& f : folders_) {
      out.push_back(f.empty() ? trace::Series() : f.finish());
    }
    return out;
  }

 private:
  void arrive(std::uint32_t call) {
    const auto number = numbers_.find({call, last_});
    if (number != numbers_.end()) folders_[call].append(number->second);
    last_ = call;
  }

  std::uint64_t stream_;
  const PathNumbers& numbers_;
  std::uint64_t left_;
  std::vector<trace::SeriesFolder> folders_;
  std::unordered_map<const Item*, trace::ValueCursor> trips_;
  std::uint32_t last_ = Path::kStart;
};

}  // namespace

std::optional<ArrivalCounts> count_arrivals(const trace::Trace& trace, std::uint64_t stream) {
  return Counter(trace, stream).run(trace.root);
}

std::optional<Arrivals> count_arrivals(const trace::Trace& trace) {
  trace::StreamClasses classes(trace.streams());
  refine(classes, trace.root);
  Arrivals out{classes.class_of(), classes.representatives(), {}};
  std::vector<double> calls;  // by class
  for (const std::uint64_t stream : out.streams) {
    auto counts = count_arrivals(trace, stream);
    if (!counts) return std::nullopt;
    double of_stream = 0;
    for (const auto& [arrival, n] : *counts) of_stream += static_cast<double>(n);
    calls.push_back(of_stream);
    out.counts.push_back(std::move(*counts));
  }
  double of_all = 0;
  for (const std::uint32_t c : out.class_of) of_all += calls[c];
  if (of_all > kMostCalls) return std::nullopt;
  return out;
}

std::optional<std::vector<trace::Series>> order_of_arrivals(const trace::Trace& trace,
                                                            std::uint64_t stream,
                                                            const PathNumbers& numbers,
                                                            std::uint64_t most) {
  OrderWalk walk(trace, stream, numbers, most);
  if (!walk.take(trace.root)) return std::nullopt;
  return walk.finish();
}

}  // namespace reprise::extrapolate
