#include "trace/times.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace {
namespace {

constexpr double kConcordanceSteps = 255;
constexpr std::uint64_t kPathStart = 0, kPathAny = 1, kFirstPath = 2;  // as they are written

std::uint64_t as_written(std::uint32_t from) {
  if (from == Path::kStart) return kPathStart;
  return from == Path::kAny ? kPathAny : std::uint64_t{from} + kFirstPath;
}

std::uint32_t path_start(ByteReader& in, std::size_t calls) {
  const std::uint64_t written = in.varint();
  if (written == kPathStart) return Path::kStart;
  if (written == kPathAny) return Path::kAny;
  if (written - kFirstPath >= calls) in.fail("a path from a call that is not there");
  return static_cast<std::uint32_t>(written - kFirstPath);
}

}  // namespace

std::string_view name_of(TimeMode mode) {
  static constexpr std::string_view kNames[] = {"none", "stats", "histogram", "paths"};
  return kNames[static_cast<std::size_t>(mode)];
}

Bin DeltaTimes::total() const {
  Bin out;
  for (const Histogram& h : classes) out.add(h.total());
  return out;
}

std::uint64_t DeltaTimes::count_of(std::uint64_t stream) const {
  return classes.empty() ? 0 : static_cast<std::uint64_t>(counts.at(stream));
}

const Histogram* DeltaTimes::class_for(std::uint64_t stream) const {
  if (count_of(stream) == 0) return nullptr;
  const auto number = classes.size() == 1 ? 0 : static_cast<std::uint64_t>(class_of.at(stream));
  return number < classes.size() ? &classes[number] : nullptr;
}

double DeltaTimes::sum_of(std::uint64_t stream) const {
  const Histogram* h = class_for(stream);
  if (!h) return 0;
  if (!sums.empty()) return static_cast<double>(sums.at(stream));
  return h->total().mean() * static_cast<double>(count_of(stream));
}

void DeltaTimes::encode(ByteWriter& out) const {
  out.varint(classes.size());
  if (classes.empty()) return;
  for (const Histogram& h : classes) h.encode(out);
  if (classes.size() > 1) class_of.encode(out);
  counts.encode(out);
  sums.encode(out);
  out.varint(min_stream);
  out.varint(max_stream);
  out.byte(static_cast<std::uint8_t>(std::lround(kConcordanceSteps * concordance)));
}

DeltaTimes DeltaTimes::decode(ByteReader& in) {
  DeltaTimes d;
  d.classes.resize(in.count_of<Histogram>());
  if (d.classes.empty()) return d;
  for (Histogram& h : d.classes) {
    h = Histogram::decode(in);
    if (!in.failed() && h.empty()) in.fail("a class without values");
  }
  if (d.classes.size() > 1) d.class_of = Series::decode(in);
  d.counts = Series::decode(in);
  d.sums = Series::decode(in);
  d.min_stream = in.varint();
  d.max_stream = in.varint();
  d.concordance = in.byte() / kConcordanceSteps;
  return d;
}

void Path::encode(ByteWriter& out) const {
  out.varint(as_written(from));
  compute.encode(out);
  out.varint(modes.size());
  if (modes.empty()) return;
  for (const DeltaTimes& m : modes) m.encode(out);
  mode_of.encode(out);
}

Path Path::decode(ByteReader& in, std::size_t calls) {
  Path p;
  p.from = path_start(in, calls);
  p.compute = DeltaTimes::decode(in);
  p.modes.resize(in.count_of<DeltaTimes>());
  for (DeltaTimes& m : p.modes) m = DeltaTimes::decode(in);
  if (!p.modes.empty()) p.mode_of = Value::decode(in);
  return p;
}

const Path* CallTimes::path_from(std::uint32_t call) const {
  const auto found = std::ranges::find_if(
      paths, [call](const Path& p) { return p.from == call || p.from == Path::kAny; });
  return found == paths.end() ? nullptr : &*found;
}

void CallTimes::encode(ByteWriter& out) const {
  communicate.encode(out);
  out.varint(paths.size());
  for (const Path& p : paths) p.encode(out);
  if (paths.size() > 1) arrivals.encode(out);
}

CallTimes CallTimes::decode(ByteReader& in, std::size_t calls) {
  CallTimes t;
  t.communicate = DeltaTimes::decode(in);
  t.paths.resize(in.count_of<Path>(2));
  for (Path& p : t.paths) p = Path::decode(in, calls);
  t.arrivals = t.paths.size() > 1 ? Value::decode(in) : Value::constant(0);
  return t;
}

//   timing := byte mode, then unless none: text clock, varint recorder
void Timing::encode(ByteWriter& out) const {
  out.byte(static_cast<std::uint8_t>(mode));
  if (mode == TimeMode::none) return;
  out.text(clock);
  out.varint(recorder);
}

Timing Timing::decode(ByteReader& in) {
  Timing t;
  const std::uint8_t mode = in.byte();
  if (mode > static_cast<std::uint8_t>(TimeMode::paths)) in.fail("an unknown kind of times");
  t.mode = static_cast<TimeMode>(mode);
  if (t.mode == TimeMode::none || in.failed()) return t;
  t.clock = in.text();
  t.recorder = in.varint();
  return t;
}

}  // namespace reprise::trace
