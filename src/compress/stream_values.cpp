#include "compress/stream_values.hpp"

#include <algorithm>

#include "trace/series_folder.hpp"

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
  if (series.empty()) return add_run(kAbsent, streams);
  // Two series of one hash that differ are kept apart, and the later one is not found again.
  const auto [entry, is_new] =
      index_.emplace(series.hash(), static_cast<std::uint32_t>(series_.size()));
  if (!is_new && series_[entry->second] == series) return add_run(entry->second, streams);
  series_.push_back(std::move(series));
  add_run(static_cast<std::uint32_t>(series_.size() - 1), streams);
}

void SharedSeries::append(const SharedSeries& next) {
  for (const auto& [index, streams] : next.runs_) {
    add(index == kAbsent ? Series() : next.series_[index], streams);
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

Value SharedSeries::finish(Encoding encoding) const {
  if (series_.empty()) return Value::constant(0);
  Value out{.encoding = encoding, .by_stream = {}, .classes = {}};
  if (std::ranges::all_of(series_, &Series::is_constant)) {
    std::vector<std::int64_t> values;
    for (const Series& s : series_) values.push_back(s.at(0));
    out.by_stream = spread(values);
    return out;
  }
  out.classes = series_;
  if (series_.size() == 1) return out;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < series_.size(); ++i) numbers.push_back(static_cast<std::int64_t>(i));
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
  std::vector<Series> series(in.count());
  for (Series& s : series) s = Series::decode(in);
  for (std::size_t runs = in.count(2); runs > 0 && !in.failed(); --runs) {
    const std::uint64_t index = in.varint();
    const std::uint64_t streams = in.varint();
    if (index > series.size()) return in.fail("a class that is not there"), out;
    out.add(index == 0 ? Series() : series[index - 1], streams);
  }
  return out;
}

StreamValues::StreamValues(Series series, std::uint64_t streams) {
  forms_.push_back({Encoding::absolute, SharedSeries(std::move(series), streams)});
}

// Nothing is the same in every encoding, whatever the column holds on other streams.
StreamValues StreamValues::absent(std::uint64_t streams) {
  StreamValues out;
  for (const Encoding e : {Encoding::absolute, Encoding::relative, Encoding::exclusive_or}) {
    out.forms_.push_back({e, SharedSeries(Series(), streams)});
  }
  return out;
}

StreamValues::StreamValues(std::vector<Series> encoded) {
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    forms_.push_back({static_cast<Encoding>(i), SharedSeries(std::move(encoded[i]), 1)});
  }
}

void StreamValues::append(const StreamValues& next) {
  std::erase_if(forms_, [&](const Form& f) {
    return std::ranges::find(next.forms_, f.encoding, &Form::encoding) == next.forms_.end();
  });
  for (Form& f : forms_) {
    f.shared.append(std::ranges::find(next.forms_, f.encoding, &Form::encoding)->shared);
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

Value StreamValues::finish() const {
  Value best;
  std::size_t best_size = ~std::size_t{0};
  for (const Form& f : forms_) {
    Value value = f.shared.finish(f.encoding);
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
  for (const Form& f : forms_) {
    out.byte(static_cast<std::uint8_t>(f.encoding));
    f.shared.encode(out);
  }
}

StreamValues StreamValues::decode(ByteReader& in) {
  StreamValues out;
  for (std::size_t n = in.count(); n > 0 && !in.failed(); --n) {
    const auto encoding = static_cast<Encoding>(in.byte());
    out.forms_.push_back({encoding, SharedSeries::decode(in)});
  }
  return out;
}

}  // namespace reprise::compress
