// The laws of times to bytes and back (law_codec.hpp).
#include <cmath>

#include "scalable/law_codec.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Delta;
using extrapolate::HistogramFields;
using extrapolate::Part;
using extrapolate::RankProfile;
using extrapolate::ScalableTimes;
using extrapolate::TimeLaw;
using extrapolate::TimeModel;
using trace::Path;

constexpr double kMaxRatio = 1e6;      // of a rank to the others
constexpr double kSumOfShares = 1e-6;  // may be off by this
constexpr std::size_t kMaxBins = 64, kMaxModes = 64;
constexpr std::size_t kMaxPositions = 1 << 20;

// profile := rule:byte ends:varint n:varint (n:varint level:byte{n} place:varint){n}
//            n:varint ratio:real{n} n:varint quantile:real{n}
void encode_profile(ByteWriter& out, const RankProfile& profile) {
  const RankProfile::Parts p = profile.parts();
  out.byte(static_cast<std::uint8_t>(p.rule));
  out.varint(p.ends);
  out.varint(p.places.size());
  for (const auto& [part, place] : p.places) {
    out.varint(part.size());
    for (const std::uint8_t level : part) out.byte(level);
    out.varint(place);
  }
  out.varint(p.ratios.size());
  for (const double r : p.ratios) encode_real(out, r);
  out.varint(p.spread.size());
  for (const double q : p.spread) encode_real(out, q);
}

std::vector<double> decode_ratios(ByteReader& in) {
  std::vector<double> out;
  for (std::size_t n = in.count_of<double>(8); n > 0 && !in.failed(); --n) {
    out.push_back(decode_real(in, 0, kMaxRatio));
  }
  return out;
}

RankProfile decode_profile(ByteReader& in) {
  RankProfile::Parts p;
  const std::uint8_t rule = in.byte();
  const std::uint64_t ends = in.varint();
  if (rule > static_cast<std::uint8_t>(RankProfile::Rule::part) || ends > kMaxPositions) {
    in.fail("an unknown rule for ranks");
  }
  for (std::size_t n = in.count_of<std::pair<Part, std::size_t>>(2); n > 0 && !in.failed(); --n) {
    Part part;
    for (std::size_t k = in.count_of<std::uint8_t>(); k > 0; --k) part.push_back(in.byte());
    p.places.emplace(std::move(part), static_cast<std::size_t>(in.varint()));
  }
  p.ratios = decode_ratios(in);
  p.spread = decode_ratios(in);
  if (!p.spread.empty() && p.spread.size() != RankProfile::kQuantiles) {
    in.fail("quantiles of nothing known");
  }
  if (in.failed()) return {};
  p.rule = static_cast<RankProfile::Rule>(rule);
  p.ends = static_cast<std::size_t>(ends);
  if (p.rule == RankProfile::Rule::position && p.ratios.empty()) in.fail("a rule without ratios");
  return RankProfile(std::move(p));
}

void encode_curves(ByteWriter& out, const std::vector<fit::Curve>& curves) {
  out.varint(curves.size());
  for (const fit::Curve& c : curves) encode_curve(out, c);
}

std::vector<fit::Curve> decode_curves(ByteReader& in, const Bounds& bounds) {
  std::vector<fit::Curve> out;
  for (std::size_t n = in.count_of<fit::Curve>(); n > 0 && !in.failed(); --n) {
    out.push_back(decode_curve(in, bounds));
  }
  return out;
}

// time_law := site:varint what:byte from:varint error:real concordance:real order:fixed64
//             n:varint share:real{n} n:varint curve{n} n:varint curve{n} profile
//             n:varint (time_law){n} mode_of:series where n > 0
// `from`: 0 for the start, 1 for any, or 2 + a site. The second curves are the runner-up.
void encode_time_law(ByteWriter& out, const TimeLaw& law) {
  out.varint(law.delta.site);
  out.byte(static_cast<std::uint8_t>(law.delta.what));
  out.varint(law.delta.from == Path::kStart ? 0
             : law.delta.from == Path::kAny ? 1
                                            : std::uint64_t{law.delta.from} + 2);
  encode_real(out, law.fit.error);
  encode_real(out, law.concordance);
  out.fixed64(law.order);
  out.varint(law.shares.size());
  for (const double s : law.shares) encode_real(out, s);
  encode_curves(out, law.fit.curves);
  encode_curves(out, law.fit.runner_up);
  encode_profile(out, law.profile);
  out.varint(law.modes.size());
  for (const TimeLaw& m : law.modes) encode_time_law(out, m);
  if (!law.modes.empty()) law.mode_of.encode(out);
}

Delta decode_delta(ByteReader& in, const Bounds& bounds) {
  const std::uint64_t site = in.varint();
  const std::uint8_t what = in.byte();
  const std::uint64_t from = in.varint();
  if (site >= bounds.sites || what > static_cast<std::uint8_t>(Delta::What::communicate) ||
      from >= bounds.sites + 2) {
    in.fail("times of nothing known");
  }
  if (in.failed()) return {};
  return {static_cast<std::uint32_t>(site), static_cast<Delta::What>(what),
          from == 0   ? Path::kStart
          : from == 1 ? Path::kAny
                      : static_cast<std::uint32_t>(from - 2)};
}

TimeLaw decode_time_law(ByteReader& in, const Bounds& bounds, int nesting) {
  TimeLaw out;
  out.delta = decode_delta(in, bounds);
  out.fit.error = decode_real(in, 0, HUGE_VAL);
  out.concordance = decode_real(in, 0, 1);
  out.order = in.fixed64();
  double sum = 0;
  for (std::size_t n = in.count_of<double>(8); n > 0 && !in.failed(); --n) {
    out.shares.push_back(decode_real(in, 0, 1));
    sum += out.shares.back();
  }
  if (out.shares.empty() || out.shares.size() > kMaxBins || std::abs(sum - 1) > kSumOfShares) {
    in.fail("shares that are no whole");
  }
  out.fit.curves = decode_curves(in, bounds);
  if (out.fit.curves.size() != HistogramFields::count(out.shares.size())) {
    in.fail("a histogram of other fields");
  }
  out.fit.runner_up = decode_curves(in, bounds);
  out.profile = decode_profile(in);
  const std::size_t modes = in.count_of<TimeLaw>(40);
  if (modes > kMaxModes || (modes > 0 && nesting > 0)) in.fail("too many groups of executions");
  for (std::size_t m = 0; m < modes && !in.failed(); ++m) {
    out.modes.push_back(decode_time_law(in, bounds, nesting + 1));
  }
  if (modes > 0) out.mode_of = trace::Series::decode(in);
  return out;
}

}  // namespace

void encode_times(ByteWriter& out, const ScalableTimes& times) {
  out.byte(static_cast<std::uint8_t>(times.model));
  out.text(times.why_none);
  if (times.model == TimeModel::none) return;
  times.timing.encode(out);
  out.byte(times.keeps_rank_sums ? 1 : 0);
  out.varint(times.telling.size());
  for (const std::uint32_t s : times.telling) out.varint(s);
  encode_curve(out, times.stretch);
  out.varint(times.laws.size());
  for (const TimeLaw& law : times.laws) encode_time_law(out, law);
}

ScalableTimes decode_times(ByteReader& in, const Bounds& bounds) {
  ScalableTimes out;
  const std::uint8_t model = in.byte();
  if (model > static_cast<std::uint8_t>(TimeModel::none)) in.fail("an unknown model of times");
  out.why_none = in.text();
  if (in.failed()) return out;
  out.model = static_cast<TimeModel>(model);
  if (out.model == TimeModel::none) return out;
  out.timing = trace::Timing::decode(in);
  if (out.timing.mode == trace::TimeMode::none) in.fail("times that were not kept");
  out.keeps_rank_sums = in.byte() != 0;
  for (std::size_t n = in.count_of<std::uint32_t>(); n > 0 && !in.failed(); --n) {
    const std::uint64_t site = in.varint();
    if (site >= bounds.sites) in.fail("a call site that is not there");
    out.telling.push_back(static_cast<std::uint32_t>(site));
  }
  out.stretch = decode_curve(in, bounds);
  for (std::size_t n = in.count_of<TimeLaw>(40); n > 0 && !in.failed(); --n) {
    out.laws.push_back(decode_time_law(in, bounds, 0));
    const std::size_t last = out.laws.size() - 1;
    if (last > 0 && !(out.laws[last - 1].delta < out.laws[last].delta)) {
      in.fail("times out of order");
    }
  }
  return out;
}

}  // namespace reprise::scalable
