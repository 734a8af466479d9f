#include "write/times/draws.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace reprise::write::times {
namespace {

void count_draws(Draws& out, const std::vector<Source>& sources, const Streams& streams,
                 double deviation, const Noticed& noticed) {
  std::uint64_t most = 0;
  for (const Source& s : sources) most = std::max(most, s.executions);
  out.draws = static_cast<double>(most);
  Numbers numbers;
  bool differ = false;
  for (const Source& s : sources) {
    const auto own = static_cast<double>(s.executions);
    // So much may be missing where a stream takes but some of the draws.
    differ |= noticed.matters(deviation * std::sqrt(own * (1 - own / out.draws)));
    numbers.push_back(static_cast<std::int64_t>(s.executions > 0 ? own : out.draws));
  }
  if (differ) out.draws_of = by_stream(streams, numbers);
}

}  // namespace

std::optional<Draws> Distributions::draws(const std::vector<Source>& sources,
                                          const Streams& streams, bool together,
                                          const Noticed& noticed) {
  double deviation = 0, most = 0;
  for (const Source& s : sources) {
    if (s.executions > 1 && noticed.is_noise_noticed(s.executions, s.deviation))
      deviation = std::max(deviation, s.deviation);
  }
  if (deviation <= 0) return std::nullopt;
  std::map<const trace::Histogram*, std::size_t> known;
  std::size_t usual = 0;  // for who would notice neither the one nor the other
  for (const Source& s : sources) {
    if (!s.distribution || !noticed.is_noise_noticed(s.executions, deviation)) continue;
    const trace::Bin total = s.distribution->total();
    if (total.mean() <= 0) continue;
    const auto [spread, is_new] = known.try_emplace(s.distribution);
    const double wide = total.deviation();
    if (is_new) spread->second = add(Spread(*s.distribution, wide > 0 ? s.deviation / wide : 0));
    if (static_cast<double>(total.sum) <= most) continue;
    most = static_cast<double>(total.sum);
    usual = spread->second;
  }
  if (known.empty()) return std::nullopt;
  Draws out;
  out.together = together;
  Numbers which;
  for (const Source& s : sources) {
    const auto own = known.find(s.distribution);
    const std::size_t spread = own == known.end() ? usual : own->second;
    const auto at = std::ranges::find(out.spreads, spread);
    which.push_back(at - out.spreads.begin());
    if (at == out.spreads.end()) out.spreads.push_back(spread);
  }
  out.which = by_stream(streams, which);
  count_draws(out, sources, streams, deviation, noticed);
  return out;
}

std::size_t Distributions::add(Spread spread) {
  for (std::size_t i = 0; i < spreads_.size(); ++i) {
    if (!spread.resembles(spreads_[i])) continue;
    if (spread.executions() > spreads_[i].executions()) spreads_[i] = std::move(spread);
    return i;
  }
  spreads_.push_back(std::move(spread));
  return spreads_.size() - 1;
}

}  // namespace reprise::write::times
