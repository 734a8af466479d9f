#include "analyze/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/describe.hpp"
#include "analyze/series_text.hpp"
#include "trace/series_folder.hpp"
#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Encoding;
using trace::Series;
using trace::Trace;
using trace::Value;

namespace {

constexpr std::uint64_t kMaxSigned = 1 << 16;  // relative ranks that are given a sign one by one

class ValueText {
 public:
  ValueText(const Trace& trace, const Value& value, const ValueMeaning& m, const Times& times)
      : trace_(trace), value_(value), meaning_(m), times_(times) {
    by_communicator_ = value.encoding == Encoding::relative && m.world == 0 && m.peers;
  }

  std::string text() {
    if (!by_communicator_) {
      const bool same_series = value_.classes.size() == 1;
      if (same_series || value_.is_constant()) return of(times_.busiest).text;
    }
    const bool numbers = value_.classes.size() != 1;
    trace::SeriesCursor number(value_.by_stream);
    const auto key = [&](std::uint64_t s) {
      CaseKey k{numbers ? static_cast<std::uint64_t>(number.next()) : 0};
      if (!by_communicator_ || times_.of(s) == 0) return k;
      const PeerRange range = meaning_.peers(s);
      k[1] = static_cast<std::uint64_t>(range.membership.size);
      k[2] = range.sizes.hash();
      return k;
    };
    const auto cases = cases_of(trace_, times_, key, [&](std::uint64_t s) { return of(s); });
    const bool one_each = value_.classes.empty();
    return one_each && cases.size() > kMaxCases ? by_rank(cases) : cases_text(trace_, cases);
  }

 private:
  PeerRange range(std::uint64_t stream) const {
    if (by_communicator_) return meaning_.peers(stream);
    return {{static_cast<std::int64_t>(stream / trace_.threads), meaning_.world}, {}};
  }

  CaseText of(std::uint64_t stream) const {
    const PeerRange r = range(stream);
    const auto number = [&](std::int64_t v) {
      return written_text(meaning_, value_.encoding, v, r.membership.size);
    };
    const Series* series = value_.series_of(stream);
    if (!series && r.sizes.empty()) return {number(value_.constant_of(stream))};
    const std::uint64_t n = times_.of(stream);
    Series own = series ? *series : Series::constant(value_.constant_of(stream));
    if (!r.sizes.empty() && n <= kMaxSigned) own = with_signs(own, r.sizes, n);
    if (value_.classes.size() > 1) own = refolded(own, n);
    const std::vector<trace::Term> terms = first_terms(own, n);
    const bool one = terms.size() == 1 && terms[0].is_run() && (terms[0].step == 0 || n == 1);
    if (one || own.is_constant()) return {number(own.at(0))};
    const std::uint64_t shown = times_.loops.executions_shown(
        stream, n, [&](std::uint64_t executions) { return recurs(own, executions, n); });
    return case_text("{" + series_text(own, shown, number) + "}", own, shown);
  }

  // Where the communicator varies, each rank takes its sign from its own.
  static Series with_signs(const Series& series, const Series& sizes, std::uint64_t n) {
    trace::SeriesFolder folder;
    trace::SeriesCursor v(series), size(sizes);
    for (std::uint64_t k = 0; k < n; ++k) {
      const std::int64_t written = v.next(), s = size.next();
      if (written >= s) return series;  // no rank but one that stands for itself
      folder.append(!trace::is_special(written) && written > s / 2 ? written - s : written);
    }
    return folder.finish();
  }

  // The values of all streams that ask, one after the other; absolute ranks if those are known.
  std::string by_rank(const std::vector<Case>& cases) const {
    std::vector<std::uint64_t> streams;
    for (const Case& c : cases) streams.insert(streams.end(), c.streams.begin(), c.streams.end());
    std::ranges::sort(streams);
    const bool absolute =
        value_.encoding != Encoding::absolute &&
        std::ranges::all_of(streams, [&](auto s) { return range(s).membership.size > 0; });
    trace::SeriesFolder folder;
    trace::SeriesCursor number(value_.by_stream);
    std::uint64_t at = 0;
    for (const std::uint64_t s : streams) {
      for (; at < s; ++at) number.next();
      ++at;
      const std::int64_t v = number.next();
      const trace::Membership m = range(s).membership;
      folder.append(absolute ? trace::decode_rank(value_.encoding, v, m.rank, m.size) : v);
    }
    const Encoding encoding = absolute ? Encoding::absolute : value_.encoding;
    const auto text = [&](std::int64_t v) { return written_text(meaning_, encoding, v, 0); };
    return "by rank {" + series_text(folder.finish(), streams.size(), text) + "}";
  }

  const Trace& trace_;
  const Value& value_;
  const ValueMeaning& meaning_;
  const Times& times_;
  bool by_communicator_;
};

}  // namespace

std::string written_text(const ValueMeaning& m, Encoding encoding, std::int64_t v,
                         std::int64_t size) {
  if (trace::is_special(v) || encoding == Encoding::absolute) return describe_number(m.column, v);
  if (v == 0) return "rank";
  if (encoding == Encoding::exclusive_or) return fmt::format("rank^{}", v);
  if (v < 0) return fmt::format("rank{}", v);
  if (size > 0 && v >= size) return std::to_string(v);
  if (size > 0 && v > size / 2) return fmt::format("rank-{}", size - v);
  return fmt::format("rank+{}", v);
}

std::string value_text(const Trace& trace, const Value& value, const ValueMeaning& meaning,
                       const Times& times) {
  return ValueText(trace, value, meaning, times).text();
}

}  // namespace reprise::analyze
