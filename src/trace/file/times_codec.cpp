#include "trace/file/times_codec.hpp"

#include <cmath>

#include "trace/series/series_sum.hpp"

namespace reprise::trace {
namespace {

constexpr double kConcordanceSteps = 255;
constexpr std::uint64_t kPathStart = 0, kPathAny = 1, kFirstPath = 2;  // as they are written

// What is kept of single streams.
enum class Sums : std::uint8_t { none, exact, steps, nanoseconds };
constexpr unsigned kHasConcordance = 4, kHeadShift = 3;
constexpr std::uint64_t kMostClasses = 256;
constexpr std::uint64_t kMostDurations = std::uint64_t{1} << 62;

}  // namespace

TimesWriter::TimesWriter(ByteWriter& out, const Timing& timing, std::uint64_t streams)
    : out_(out), rounding_(Rounding::to(timing.precision)), streams_(streams) {}

void TimesWriter::write(const CallTimes& times) {
  write(times.communicate);
  out_.varint(times.paths.size());
  for (const Path& p : times.paths) write_path(p);
  if (times.paths.size() > 1) times.arrivals.encode(out_);
  ++call_;
}

// Calls are mostly reached from the one before.
void TimesWriter::write_path(const Path& path) {
  if (path.from == Path::kStart || path.from == Path::kAny) {
    out_.varint(path.from == Path::kStart ? kPathStart : kPathAny);
  } else {
    const auto distance =
        static_cast<std::int64_t>(call_) - 1 - static_cast<std::int64_t>(path.from);
    out_.varint(zigzag(distance) + kFirstPath);
  }
  write(path.compute);
  out_.varint(path.modes.size());
  if (path.modes.empty()) return;
  for (const DeltaTimes& m : path.modes) write(m);
  path.mode_of.encode(out_);
}

void TimesWriter::write_shared(const Series& series) {
  ByteWriter bytes;
  series.encode(bytes);
  const auto [entry, is_new] = shared_.emplace(bytes.bytes(), shared_.size() + 1);
  out_.varint(is_new ? 0 : entry->second);
  if (is_new) out_.raw(bytes.bytes().data(), bytes.size());
}

void TimesWriter::write(const DeltaTimes& delta) {
  const auto concordance =
      static_cast<std::uint8_t>(std::lround(kConcordanceSteps * delta.concordance));
  const Sums sums = delta.sums.empty()    ? Sums::none
                    : delta.sum_step == 0 ? Sums::exact
                    : delta.sum_step == 1 ? Sums::nanoseconds
                                          : Sums::steps;
  if (delta.classes.empty()) return out_.varint(0);
  out_.varint(delta.classes.size() << kHeadShift | (concordance > 0 ? kHasConcordance : 0) |
              static_cast<unsigned>(sums));
  write_shared(delta.counts);
  if (delta.classes.size() > 1) write_shared(delta.class_of);
  if (sums != Sums::none) delta.sums.encode(out_);
  for (const Histogram& h : delta.classes) {
    h.encode(out_, rounding_, &h == &delta.classes.back());
  }
  out_.varint(delta.min_stream);
  out_.varint(delta.max_stream);
  if (concordance > 0) out_.byte(concordance);
}

TimesReader::TimesReader(ByteReader& in, const Timing& timing, std::uint64_t calls,
                         std::uint64_t streams)
    : in_(in),
      timing_(timing),
      rounding_(Rounding::to(timing.precision)),
      calls_(calls),
      streams_(streams) {}

CallTimes TimesReader::read() {
  CallTimes t;
  t.communicate = read_delta(timing_.communicate_step);
  t.paths.resize(in_.count_of<Path>(2));
  for (Path& p : t.paths) p = read_path();
  t.arrivals = t.paths.size() > 1 ? Value::decode(in_) : Value::constant(0);
  ++call_;
  return t;
}

Path TimesReader::read_path() {
  Path p;
  const std::uint64_t from = in_.varint();
  p.from = from == kPathStart ? Path::kStart : Path::kAny;
  if (from >= kFirstPath) {
    const std::uint64_t call = call_ - 1 - static_cast<std::uint64_t>(unzigzag(from - kFirstPath));
    if (call >= calls_) return in_.fail("a path from a call that is not there"), p;
    p.from = static_cast<std::uint32_t>(call);
  }
  p.compute = read_delta(timing_.compute_step);
  p.modes.resize(in_.count_of<DeltaTimes>());
  for (DeltaTimes& m : p.modes) m = read_delta(timing_.compute_step);
  if (!p.modes.empty()) p.mode_of = Value::decode(in_);
  return p;
}

Series TimesReader::read_shared() {
  const std::uint64_t number = in_.varint();
  if (number == 0) {
    shared_.push_back(Series::decode(in_));
    return shared_.back();
  }
  if (number > shared_.size()) return in_.fail("a series that is not there"), Series();
  const Series& known = shared_[number - 1];
  return in_.affords<Term>(known.terms().size()) ? known : Series();
}

DeltaTimes TimesReader::read_delta(std::uint64_t sum_step) {
  DeltaTimes d;
  const std::uint64_t head = in_.varint();
  if (head == 0 || in_.failed()) return d;
  const std::uint64_t classes = head >> kHeadShift;
  const auto sums = static_cast<Sums>(head % kHasConcordance);
  if (classes == 0 || classes > kMostClasses) {
    return in_.fail("impossible times"), d;
  }
  if (!in_.affords<Histogram>(classes)) return d;
  d.counts = read_shared();
  if (classes > 1) d.class_of = read_shared();
  if (sums != Sums::none) d.sums = Series::decode(in_);
  if (sums == Sums::steps) d.sum_step = sum_step;
  if (sums == Sums::nanoseconds) d.sum_step = 1;
  if (sums == Sums::steps && sum_step == 0) in_.fail("steps of nothing");
  std::uint64_t left = 0;  // durations
  if (!rounding_.is_exact()) left = static_cast<std::uint64_t>(sum_of(d.counts, streams_));
  if (left > kMostDurations) in_.fail("an impossible number of durations");
  for (std::uint64_t c = 0; c < classes && !in_.failed(); ++c) {
    d.classes.push_back(Histogram::decode(in_, rounding_, c + 1 == classes, left));
    if (!in_.failed() && d.classes.back().empty()) in_.fail("a class without values");
  }
  d.min_stream = in_.varint();
  d.max_stream = in_.varint();
  if ((head & kHasConcordance) != 0) d.concordance = in_.byte() / kConcordanceSteps;
  if (in_.failed()) return {};
  return d;
}

}  // namespace reprise::trace
