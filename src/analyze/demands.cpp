#include "analyze/demands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/flat_map.hpp"

namespace reprise::analyze {

using trace::Item;
using trace::Series;
using trace::Term;
using trace::Trace;
using trace::Value;

namespace {

constexpr std::uint64_t kMaxLooked = std::uint64_t{1} << 28;   // values by stream
constexpr std::uint64_t kFewStreams = std::uint64_t{1} << 16;  // each may be a kind by itself
constexpr std::size_t kMaxKinds = std::size_t{1} << 20;
constexpr std::size_t kAnyNumber = ~std::size_t{0};
constexpr std::uint64_t kMaxCounts = std::uint64_t{1} << 26;  // of each item by each kind
constexpr double kMaxSteps = 0x1p36;
constexpr double kEndless = 0x1p62;
// Of a stream, and of a call on a stream [bytes]; measured with `simulate` and `export`.
constexpr double kStreamSize = 1 << 14, kStateSize = 256;

// The values that are a number or a choice for each stream, and not the same for all.
class ByStream {
 public:
  explicit ByStream(const Trace& trace) {
    items(trace.root);
    for (const trace::Call& call : trace.calls) {
      const std::size_t scalars = trace::function(call.function).scalars.size();
      for (std::size_t c = scalars; c < call.columns.size(); c += 2) add(call.columns[c]);
    }
    lengths_ = all_.size();
    for (const trace::Call& call : trace.calls) {
      for (const Value& v : call.columns) add(v);
    }
  }
  const std::vector<const Series*>& all() const { return all_; }
  std::uint64_t items() const { return items_; }
  // Trips of items and lengths of lists: those that a walk's length depends on.
  std::vector<const Series*> lengths() const {
    return {all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(lengths_)};
  }

 private:
  void items(const Item& item) {
    ++items_;
    add(item.trips);
    for (const Item& b : item.body) items(b);
  }
  void add(const Value& v) {
    if (v.classes.size() != 1 && !v.is_constant()) all_.push_back(&v.by_stream);
  }

  std::vector<const Series*> all_;
  std::size_t lengths_ = 0;  // of all_, those that come first
  std::uint64_t items_ = 0;
};

// Numbers words in the order in which they come first.
class Numbering {
 public:
  std::uint32_t of(std::uint64_t word) {
    if (size_ > 0 && word == last_) return number_;  // neighbors are often alike
    last_ = word;
    number_ = numbers_.find(word);
    if (number_ == FlatMap::kMissing) {
      number_ = size_++;
      numbers_.set(word, number_);
    }
    return number_;
  }
  std::uint32_t size() const { return size_; }

 private:
  FlatMap numbers_;
  std::uint64_t last_ = 0;
  std::uint32_t number_ = 0, size_ = 0;
};

// The kind of each stream: streams of one kind follow the same series everywhere. Empty if there
// are more than `most`.
std::vector<std::uint32_t> kinds_of(const std::vector<const Series*>& values, std::uint64_t streams,
                                    std::size_t most) {
  std::vector<std::uint32_t> kind(streams, 0);
  for (const Series* series : values) {
    Numbering numbers_of_values, numbers_of_kinds;
    trace::SeriesCursor value(*series);
    for (std::uint32_t& k : kind) {
      const std::uint64_t v = numbers_of_values.of(static_cast<std::uint64_t>(value.next()));
      k = numbers_of_kinds.of(v << 32 | k);
      if (numbers_of_kinds.size() > most) return {};
    }
  }
  return kind;
}

// The sum of the first n values, about, and never beyond kEndless. Cost: O(terms).
double sum_of(const std::vector<Term>& terms, double n) {
  double sum = 0;
  for (const Term& t : terms) {
    if (n <= 0) break;
    const auto period = static_cast<double>(t.period);
    const double length = static_cast<double>(t.count) * period;
    const double taken = t.count == trace::kUnbounded ? n : std::min(n, length);
    n -= taken;
    const auto step = static_cast<double>(t.step);
    const double passes = std::floor(taken / period), rest = taken - passes * period;
    const double once = t.is_run() ? static_cast<double>(t.value) : sum_of(t.body, period);
    sum += once * passes + step * period * passes * (passes - 1) / 2;
    if (rest > 0 && !t.is_run()) sum += sum_of(t.body, rest) + step * passes * rest;
  }
  return std::min(sum, kEndless);
}

double sum_of(const Value& value, std::uint64_t stream, double n) {
  if (const Series* series = value.series_of(stream)) return sum_of(series->terms(), n);
  return std::min(n * static_cast<double>(value.constant_of(stream)), kEndless);
}

// Of an item that the stream comes by so often: its passes, what is in them, and their lists.
double steps_of(const Trace& trace, const Item& item, std::uint64_t stream, double times) {
  const double passes = sum_of(item.trips, stream, times);
  if (!(passes > 0)) return 0;
  double steps = passes;
  for (const Item& b : item.body) {
    steps += steps_of(trace, b, stream, passes);
    if (steps >= kEndless) return kEndless;
  }
  if (!item.is_call()) return steps;
  const trace::Call& call = trace.calls[item.call];
  const std::size_t scalars = trace::function(call.function).scalars.size();
  for (std::size_t c = scalars; c < call.columns.size(); c += 2)
    steps += std::max(0.0, sum_of(call.columns[c], stream, passes));
  return std::min(steps, kEndless);
}

double steps_of(const Trace& trace, const std::vector<std::uint32_t>& kinds) {
  std::vector<std::uint64_t> first, count;  // by kind
  for (std::uint64_t s = 0; s < kinds.size(); ++s) {
    if (kinds[s] == first.size()) first.push_back(s), count.push_back(0);
    ++count[kinds[s]];
  }
  double steps = 0;
  for (std::size_t k = 0; k < first.size() && steps < kEndless; ++k)
    steps += static_cast<double>(count[k]) * steps_of(trace, trace.root, first[k], 1);
  return std::min(steps, kEndless);
}

}  // namespace

double steps_of(const Trace& trace) {
  return steps_of(trace, kinds_of(ByStream(trace).lengths(), trace.streams(), kAnyNumber));
}

std::string excess_of(const Trace& trace, Use use, std::uint64_t memory) {
  const std::uint64_t streams = trace.streams();
  const ByStream values(trace);
  if (values.all().size() > kMaxLooked / streams) {
    return fmt::format("{} ranks differ in {} values, more than can be looked at", trace.ranks,
                       values.all().size());
  }
  std::size_t most = kAnyNumber;
  if (streams > kFewStreams) most = std::min<std::size_t>(kMaxKinds, kMaxCounts / values.items());
  if (use == Use::structure && streams <= kFewStreams) return {};
  const std::vector<std::uint32_t> kinds = kinds_of(values.lengths(), streams, most);
  if (kinds.empty())
    return fmt::format("{} ranks go more different ways than can be told apart", trace.ranks);
  if (use == Use::structure) return {};
  const double steps = steps_of(trace, kinds);
  if (steps > kMaxSteps)
    return fmt::format("it claims {}{:.3g} calls, more than a run makes",
                       steps < kEndless ? "" : "more than ", steps);
  return use == Use::states ? excess_of({&trace, 1}, memory) : "";
}

std::string excess_of(std::span<const Trace> traces, std::uint64_t memory) {
  std::uint64_t ranks = 0, streams = 0;
  std::size_t calls = 0;
  for (const Trace& t : traces) {
    ranks += t.ranks;
    streams += t.streams();
    calls = std::max(calls, t.calls.size());
  }
  const double bytes =
      static_cast<double>(streams) * (kStreamSize + kStateSize * static_cast<double>(calls));
  if (bytes <= static_cast<double>(memory)) return {};
  return fmt::format(
      "{} ranks with {} calls each take {:.3g} bytes of memory, and there are {:.3g}", ranks, calls,
      bytes, static_cast<double>(memory));
}

}  // namespace reprise::analyze
