#include "extrapolate/values/pieces.hpp"

#include <algorithm>
#include <utility>

#include "compress/merge/stream_values.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Encoding;
using trace::Series;
using trace::Value;

constexpr std::size_t kShortest = 64;  // [bytes]; there is hardly anything shorter

std::size_t size_of(const Value& value) {
  ByteWriter out;
  value.encode(out);
  return out.size();
}

bool is_absent(const Piece& p) { return !p.numbers && !p.absolute && !p.relative; }

bool same(const Piece& a, const Piece& b) {
  return a.numbers == b.numbers && a.absolute == b.absolute && a.relative == b.relative &&
         a.executions == b.executions && (!a.numbers || a.numbers->step == 0);
}

// A line of ranks, written relative to the rank that begins it.
std::optional<Line> relative(const Line& l, std::uint64_t count, std::int64_t rank,
                             std::int64_t ranks) {
  if (l.step == 0 && trace::is_special(l.first)) return l;
  if (l.step != 1 && count > 1) return std::nullopt;
  return Line{trace::encode_rank(Encoding::relative, l.first, {rank, ranks}), 0};
}

// Appends one number for each rank, in an encoding.
void append(trace::SeriesFolder& out, const Line& l, std::uint64_t count, Encoding e,
            std::int64_t rank, std::int64_t ranks) {
  if (e == Encoding::absolute && l.step == 0) return out.append(l.first, count);
  if (e == Encoding::relative) {
    if (const auto line = relative(l, count, rank, ranks)) return out.append(line->first, count);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto n = static_cast<std::int64_t>(i);
    out.append(trace::encode_rank(e, l.first + n * l.step, {rank + n, ranks}));
  }
}

// A series of ranks relative to one, as they are.
Series decoded(const Series& relative, std::uint64_t length, std::int64_t rank,
               std::int64_t ranks) {
  trace::SeriesFolder out;
  trace::SeriesCursor values(relative);
  for (std::uint64_t i = 0; i < length; ++i) {
    out.append(trace::decode_rank(Encoding::relative, values.next(), {rank, ranks}));
  }
  return out.finish();
}

}  // namespace

void PieceCollector::add(Piece piece) {
  if (!pieces_.empty() && same(pieces_.back(), piece)) {
    pieces_.back().ranks += piece.ranks;
  } else {
    pieces_.push_back(std::move(piece));
  }
}

std::vector<std::int64_t> PieceCollector::borders() const {
  std::vector<std::int64_t> out;
  std::int64_t rank = 0;
  for (const Piece& p : pieces_) {
    out.push_back(rank);
    // Numbers on a line are another on every rank.
    const auto end = rank + static_cast<std::int64_t>(p.ranks);
    while (p.numbers && p.numbers->step != 0 && ++rank < end) out.push_back(rank);
    rank = end;
  }
  return out;
}

std::vector<bool> PieceCollector::takes() const {
  std::vector<bool> out;
  for (const Piece& p : pieces_) {
    if (!p.numbers) {
      out.push_back(!is_absent(p));
      continue;
    }
    for (std::uint64_t i = 0; i < (p.numbers->step == 0 ? 1 : p.ranks); ++i) {
      out.push_back(p.numbers->first + static_cast<std::int64_t>(i) * p.numbers->step != 0);
    }
  }
  return out;
}

// One number for each rank. A rank that never comes here has the number of the rank before it.
// REQUIRES: no piece has a series.
Value PieceCollector::as_numbers(Encoding e) const {
  trace::SeriesFolder folder;
  std::uint64_t absent = 0;
  std::int64_t rank = 0, last = 0;
  for (const Piece& p : pieces_) {
    const auto count = static_cast<std::int64_t>(p.ranks);
    if (p.numbers) {
      const Line& l = *p.numbers;
      folder.append(trace::encode_rank(e, l.first, {rank, ranks_}), std::exchange(absent, 0));
      append(folder, l, p.ranks, e, rank, ranks_);
      last = trace::encode_rank(e, l.first + (count - 1) * l.step, {rank + count - 1, ranks_});
    } else if (folder.empty()) {
      absent += p.ranks;
    } else {
      folder.append(last, p.ranks);
    }
    rank += count;
  }
  if (folder.empty()) return Value::constant(0);
  return Value{.encoding = e, .by_stream = folder.finish(), .classes = {}};
}

Value PieceCollector::as_absolute_series() const {
  compress::SharedSeries out;
  std::int64_t rank = 0;
  for (const Piece& p : pieces_) {
    const auto count = static_cast<std::int64_t>(p.ranks);
    if (is_absent(p)) {
      out.add(Series(), p.ranks);
    } else if (p.absolute) {
      out.add(*p.absolute, p.ranks);
    } else if (p.numbers && p.numbers->step == 0) {
      out.add(Series::constant(p.numbers->first), p.ranks);
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        out.add(p.numbers ? Series::constant(p.numbers->first + i * p.numbers->step)
                          : decoded(*p.relative, p.executions, rank + i, ranks_),
                1);
      }
    }
    rank += count;
  }
  return out.finish(Encoding::absolute);
}

// Nothing if the values of some ranks are the same as they are.
std::optional<Value> PieceCollector::as_relative_series() const {
  compress::SharedSeries out;
  std::int64_t rank = 0;
  for (const Piece& p : pieces_) {
    if (is_absent(p)) {
      out.add(Series(), p.ranks);
    } else if (p.relative) {
      out.add(*p.relative, p.ranks);
    } else {
      const auto line = p.numbers ? relative(*p.numbers, p.ranks, rank, ranks_) : std::nullopt;
      if (!line) return std::nullopt;
      out.add(Series::constant(line->first), p.ranks);
    }
    rank += static_cast<std::int64_t>(p.ranks);
  }
  return out.finish(Encoding::relative);
}

Value PieceCollector::finish() const {
  const bool numbers = std::ranges::all_of(
      pieces_, [](const Piece& p) { return p.numbers.has_value() || is_absent(p); });
  if (!reencode_) {
    Value out = numbers ? as_numbers(Encoding::absolute) : as_absolute_series();
    out.encoding = encoding_;
    return out;
  }
  if (!numbers) {
    auto shared = as_relative_series();
    return shared ? std::move(*shared) : as_absolute_series();
  }
  Value best = as_numbers(Encoding::relative);
  for (const Encoding e : {Encoding::absolute, Encoding::exclusive_or}) {
    if (size_of(best) <= kShortest) break;
    Value other = as_numbers(e);
    if (size_of(other) < size_of(best)) best = std::move(other);
  }
  return best;
}

}  // namespace reprise::extrapolate
