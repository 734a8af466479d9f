#include "compress/merge/stream_values.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "trace/series/series_folder.hpp"

namespace reprise::compress {

using trace::Encoding;
using trace::Series;
using trace::Value;

void SharedSeries::add_run(std::uint32_t index, std::uint64_t streams) {
  if (!runs_.empty() && runs_.back().first == index) {
    runs_.back().second += streams;
  } else {
    runs_.emplace_back(index, streams);
  }
}

void SharedSeries::add(Series series, std::uint64_t streams) {
  if (series.empty()) return add_absent(streams);
  const std::uint32_t known = class_of(series);
  if (known == series_.size()) series_.push_back(std::move(series));
  add_run(known, streams);
}

// The class of a series; that of the next one if it is new.
std::uint32_t SharedSeries::class_of(const Series& series) {
  const auto next = static_cast<std::uint32_t>(series_.size());
  if (series_.size() < kMostCompared) {
    return static_cast<std::uint32_t>(std::ranges::find(series_, series) - series_.begin());
  }
  if (index_.empty()) {
    for (std::uint32_t c = 0; c < next; ++c) index_.emplace(series_[c].hash(), c);
  }
  // Two series of one hash that differ are kept apart, and the later one is not found again.
  const auto [entry, is_new] = index_.emplace(series.hash(), next);
  return !is_new && series_[entry->second] == series ? entry->second : next;
}

void SharedSeries::append(SharedSeries&& next) {
  std::vector<std::uint32_t> here(next.series_.size(), kAbsent);  // by class there
  for (const auto& [index, streams] : next.runs_) {
    if (index == kAbsent) {
      add_absent(streams);
      continue;
    }
    if (here[index] == kAbsent) {
      here[index] = class_of(next.series_[index]);
      if (here[index] == series_.size()) series_.push_back(std::move(next.series_[index]));
    }
    add_run(here[index], streams);
  }
}

// Numbers, one a class, laid out over the streams. A stream that never executes the column has the
// number of the stream before it.
Series SharedSeries::spread(const std::vector<std::int64_t>& value_of_class) const {
  trace::SeriesFolder folder;
  std::uint64_t absent = 0;
  std::int64_t value = 0;
  for (const auto& [index, streams] : runs_) {
    if (index != kAbsent) {
      value = value_of_class[index];
      folder.append(value, std::exchange(absent, 0));
    } else if (folder.empty()) {
      absent += streams;
      continue;
    }
    folder.append(value, streams);
  }
  return folder.finish();
}

Value SharedSeries::finish(Encoding encoding) && {
  if (series_.empty()) return Value::constant(0);
  Value out{.encoding = encoding, .by_stream = {}, .classes = {}};
  if (std::ranges::all_of(series_, &Series::is_constant)) {
    std::vector<std::int64_t> values;
    for (const Series& s : series_) values.push_back(s.at(0));
    out.by_stream = spread(values);
    return out;
  }
  out.classes = std::move(series_);
  if (out.classes.size() == 1) return out;
  std::vector<std::int64_t> numbers(out.classes.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  out.by_stream = spread(numbers);
  return out;
}

void SharedSeries::encode(ByteWriter& out) const {
  out.varint(series_.size());
  for (const Series& s : series_) s.encode(out);
  out.varint(runs_.size());
  for (const auto& [index, streams] : runs_) {
    out.varint(index == kAbsent ? 0 : std::uint64_t{index} + 1);
    out.varint(streams);
  }
}

SharedSeries SharedSeries::decode(ByteReader& in) {
  SharedSeries out;
  out.series_.resize(in.count());
  for (Series& s : out.series_) s = Series::decode(in);
  for (std::size_t runs = in.count(2); runs > 0 && !in.failed(); --runs) {
    const std::uint64_t index = in.varint();
    const std::uint64_t streams = in.varint();
    if (index > out.series_.size()) return in.fail("a class that is not there"), out;
    out.add_run(index == 0 ? kAbsent : static_cast<std::uint32_t>(index - 1), streams);
  }
  return out;
}

StreamValues::StreamValues(Series series, std::uint64_t streams) {
  forms_.push_back({Encoding::absolute, SharedSeries(std::move(series), streams)});
}

// Nothing is the same in every encoding, whatever the column holds on other streams.
StreamValues StreamValues::absent(std::uint64_t streams) {
  StreamValues out;
  out.absent_ = streams;
  return out;
}

StreamValues::StreamValues(std::vector<Series> encoded) {
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    forms_.push_back({static_cast<Encoding>(i), SharedSeries(std::move(encoded[i]), 1)});
  }
}

void StreamValues::append(StreamValues&& next) {
  if (next.forms_.empty()) {
    for (Form& f : forms_) f.shared.add_absent(next.absent_);
    if (forms_.empty()) absent_ += next.absent_;
    return;
  }
  if (forms_.empty()) {
    for (const Form& f : next.forms_) forms_.push_back({f.encoding, {}});
    for (Form& f : forms_) {
      if (absent_ > 0) f.shared.add_absent(absent_);
    }
    absent_ = 0;
  }
  std::erase_if(forms_, [&](const Form& f) {
    return std::ranges::find(next.forms_, f.encoding, &Form::encoding) == next.forms_.end();
  });
  for (Form& f : forms_) {
    f.shared.append(std::move(std::ranges::find(next.forms_, f.encoding, &Form::encoding)->shared));
  }
  drop_hopeless();
}

// Absolute ranks are never dropped, so that two sides always have a form in common.
void StreamValues::drop_hopeless() {
  std::size_t best = ~std::size_t{0};
  for (const Form& f : forms_) best = std::min(best, f.shared.classes());
  std::erase_if(forms_, [&](const Form& f) {
    return f.encoding != Encoding::absolute && f.shared.classes() > 64 &&
           f.shared.classes() > best / 2 + 64;
  });
}

Value StreamValues::finish() && {
  if (forms_.empty()) return Value::constant(0);
  Value best;
  std::size_t best_size = ~std::size_t{0};
  for (Form& f : forms_) {
    Value value = std::move(f.shared).finish(f.encoding);
    ByteWriter out;
    value.encode(out);
    if (out.size() < best_size) {
      best_size = out.size();
      best = std::move(value);
    }
  }
  return best;
}

void StreamValues::encode(ByteWriter& out) const {
  out.varint(forms_.size());
  out.varint(absent_);
  for (const Form& f : forms_) {
    out.byte(static_cast<std::uint8_t>(f.encoding));
    f.shared.encode(out);
  }
}

StreamValues StreamValues::decode(ByteReader& in) {
  StreamValues out;
  std::size_t n = in.count();
  for (out.absent_ = in.varint(); n > 0 && !in.failed(); --n) {
    const auto encoding = static_cast<Encoding>(in.byte());
    out.forms_.push_back({encoding, SharedSeries::decode(in)});
  }
  return out;
}

}  // namespace reprise::compress
