#include "trace/times/times.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace {
namespace {

constexpr std::uint64_t kMostPrecision = 1'000'000;
constexpr std::uint64_t kMostStep = std::uint64_t{1} << 62;  // [ns]

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

Histogram DeltaTimes::together() const {
  Histogram out(Histogram::kMaxBins);
  for (const Histogram& h : classes) out.merge(h);
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

double DeltaTimes::estimate_of(std::uint64_t stream) const {
  const Histogram* h = class_for(stream);
  return h ? std::round(h->total().mean() * static_cast<double>(count_of(stream))) : 0;
}

double DeltaTimes::sum_of(std::uint64_t stream) const {
  if (count_of(stream) == 0) return 0;
  if (sums.empty()) return estimate_of(stream);
  const auto sum = static_cast<double>(sums.at(stream));
  if (sum_step == 0) return sum;
  return std::max(0.0, estimate_of(stream) + sum * static_cast<double>(sum_step));
}

const Path* CallTimes::path_from(std::uint32_t call) const {
  const auto found = std::ranges::find_if(
      paths, [call](const Path& p) { return p.from == call || p.from == Path::kAny; });
  return found == paths.end() ? nullptr : &*found;
}

//   timing := byte mode, then unless none: text clock, varint recorder, varint core_wait,
//             varint precision, then unless 0: varint compute_step, varint communicate_step
void Timing::encode(ByteWriter& out) const {
  out.byte(static_cast<std::uint8_t>(mode));
  if (mode == TimeMode::none) return;
  out.text(clock);
  out.varint(recorder);
  out.varint(core_wait);
  out.varint(precision);
  if (precision == 0) return;
  out.varint(compute_step);
  out.varint(communicate_step);
}

Timing Timing::decode(ByteReader& in) {
  Timing t;
  const std::uint8_t mode = in.byte();
  if (mode > static_cast<std::uint8_t>(TimeMode::paths)) in.fail("an unknown kind of times");
  t.mode = static_cast<TimeMode>(mode);
  if (t.mode == TimeMode::none || in.failed()) return t;
  t.clock = in.text();
  t.recorder = in.varint();
  t.core_wait = in.varint();
  t.precision = in.varint();
  if (t.precision > kMostPrecision) in.fail("an impossible precision");
  if (t.precision == 0) return t;
  t.compute_step = in.varint();
  t.communicate_step = in.varint();
  if (std::max(t.compute_step, t.communicate_step) > kMostStep) in.fail("an impossible step");
  return t;
}

}  // namespace reprise::trace
