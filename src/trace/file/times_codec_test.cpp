#include "trace/file/times_codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace reprise::trace {
namespace {

RC_GTEST_PROP(Rounding, IsAsPreciseAsItSaysMonotoneAndIdempotent, ()) {
  const auto precision = *rc::gen::inRange<std::uint64_t>(0, 500'000);
  const Rounding rounding = Rounding::to(precision);
  const auto bits = *rc::gen::inRange(1, 62);
  const auto most = std::int64_t{1} << bits;
  const auto v = *rc::gen::inRange<std::int64_t>(-most, most);
  const auto w = *rc::gen::inRange<std::int64_t>(-most, most);
  const std::int64_t kept = rounding.rounded(v);
  const double error = std::abs(static_cast<double>(kept) - static_cast<double>(v));
  RC_ASSERT(error <= 1e-6 * static_cast<double>(precision + 1) * std::abs(static_cast<double>(v)));
  RC_ASSERT(rounding.rounded(kept) == kept);
  RC_ASSERT((v <= w) == (rounding.number(v) <= rounding.number(w)) ||
            rounding.rounded(v) == rounding.rounded(w));
}

TEST(Rounding, WithoutAPrecisionEveryDurationIsItsOwnNumber) {
  for (const std::int64_t v : {0L, 1L, -7L, 1'000'000'007L, (1L << 62) + 1}) {
    EXPECT_EQ(Rounding::to(0).number(v), v);
    EXPECT_EQ(Rounding::to(0).value(v), v);
  }
}

CallTimes random_times(std::uint32_t calls, const Rounding& rounding, std::uint64_t streams) {
  CallTimes out;
  out.arrivals = Value::constant(0);
  const auto delta = [&] {
    DeltaTimes d;
    Histogram h(5);
    const auto values = *rc::gen::nonEmpty(
        rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1 << 30)));
    for (std::uint64_t s = 0; s < streams; ++s) {
      for (const std::int64_t v : values) h.add(v);
    }
    h.round(rounding);
    d.classes = {h};
    d.counts = Series::constant(static_cast<std::int64_t>(values.size()));
    if (*rc::gen::arbitrary<bool>()) {
      d.sums = Series({Term{.value = -3, .step = 2, .count = kUnbounded}});
      d.sum_step = rounding.is_exact() ? 0 : 1000;
    }
    d.max_stream = streams - 1;
    return d;
  };
  out.communicate = delta();
  for (std::uint32_t from = 0; from < calls; ++from) {
    out.paths.push_back({from % 2 == 0 ? from : Path::kStart, delta(), {}, {}});
  }
  return out;
}

RC_GTEST_PROP(TimesCodec, RoundedTimesAreReadAsTheyWere, ()) {
  Timing timing;
  timing.mode = TimeMode::paths;
  timing.precision = *rc::gen::element<std::uint64_t>(0, 10'000, 100'000);
  timing.compute_step = timing.communicate_step = 1000;
  const std::uint64_t streams = *rc::gen::inRange(1, 5);
  ByteWriter out;
  TimesWriter writer(out, timing, streams);
  std::vector<CallTimes> calls;
  for (std::uint32_t c = 0; c < 3; ++c) {
    calls.push_back(random_times(3, Rounding::to(timing.precision), streams));
    writer.write(calls.back());
  }
  ByteReader in(out.bytes().data(), out.size());
  TimesReader reader(in, timing, calls.size(), streams);
  ByteWriter again;
  TimesWriter rewriter(again, timing, streams);
  for (const CallTimes& c : calls) {
    const CallTimes read = reader.read();
    RC_ASSERT(!in.failed());
    RC_ASSERT(read.communicate.total().count == c.communicate.total().count);
    RC_ASSERT(read.communicate.total().sum == c.communicate.total().sum);
    RC_ASSERT(read.communicate.total().min == c.communicate.total().min);
    RC_ASSERT(read.communicate.total().max == c.communicate.total().max);
    RC_ASSERT(read.paths.size() == c.paths.size());
    for (std::size_t p = 0; p < c.paths.size(); ++p) {
      RC_ASSERT(read.paths[p].from == c.paths[p].from);
      for (std::uint64_t s = 0; s < streams; ++s) {
        RC_ASSERT(read.paths[p].compute.sum_of(s) == c.paths[p].compute.sum_of(s));
      }
    }
    rewriter.write(read);
  }
  RC_ASSERT(again.bytes() == out.bytes());
}

RC_GTEST_PROP(TimesCodec, DamageIsRefusedOrMakesSense, ()) {
  const auto bytes = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
  Timing timing;
  timing.precision = 10'000;
  timing.compute_step = timing.communicate_step = 10;
  ByteReader in(bytes.data(), bytes.size());
  TimesReader reader(in, timing, 4, 4);
  const CallTimes read = reader.read();
  if (in.failed() || read.communicate.classes.empty()) return;
  RC_ASSERT(read.communicate.total().count > 0u);
  RC_ASSERT(read.communicate.sum_of(3) >= 0);
}

}  // namespace
}  // namespace reprise::trace
