#include "generate/c_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace reprise::generate {
namespace {

// Noise evens out in part.
constexpr double kOfNoise = 0.5;

}  // namespace

bool Draws::is_noticed(std::uint64_t executions, double deviation, double noticed) {
  return kOfNoise * static_cast<double>(executions) * deviation > noticed;
}

std::string Draws::at(std::size_t site, const std::vector<Drawn>& drawn,
                      const std::vector<std::uint64_t>& counts, double noticed, bool together,
                      Point& point) {
  const auto matters = [&](std::size_t i, double deviation) {
    return is_noticed(counts[i], deviation, noticed);
  };
  double deviation = 0, most = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (counts[i] > 1 && matters(i, drawn[i].deviation))
      deviation = std::max(deviation, drawn[i].deviation);
  }
  if (deviation <= 0) return {};
  std::map<const trace::Histogram*, std::string> names;
  std::string usual;  // for who would notice neither the one nor the other
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Drawn& d = drawn[i];
    if (!d.from || !matters(i, deviation)) continue;
    const trace::Bin total = d.from->total();
    if (total.mean() <= 0) continue;
    const auto [name, is_new] = names.try_emplace(d.from);
    const double wide = total.deviation();
    if (is_new) name->second = table_for(Spread(*d.from, wide > 0 ? d.deviation / wide : 0));
    if (static_cast<double>(total.sum) <= most) continue;
    most = static_cast<double>(total.sum);
    usual = name->second;
  }
  std::vector<std::string> texts;
  std::vector<std::size_t> which;
  for (const Drawn& d : drawn) {
    const auto own = names.find(d.from);
    const std::string& text = own == names.end() ? usual : own->second;
    const auto known = std::ranges::find(texts, text);
    which.push_back(static_cast<std::size_t>(known - texts.begin()));
    if (known == texts.end()) texts.push_back(text);
  }
  source_.need("drawn");
  const std::string table =
      values_.choose(point.streams, which, texts, "const int *", fmt::format("SPREAD_{}", site));
  const std::string n = number_of(counts, site, deviation, noticed, point);
  return fmt::format("drawn({}, {}, {}, {})", table, n, places_++, together ? 1 : 0);
}

std::string Draws::number_of(const std::vector<std::uint64_t>& counts, std::size_t site,
                             double deviation, double noticed, Point& point) {
  const auto most = static_cast<double>(std::ranges::max(counts));
  std::vector<std::int64_t> numbers;
  bool differ = false;
  for (const std::uint64_t n : counts) {
    const auto own = static_cast<double>(n);
    // So much may be missing where a stream takes but some of the draws.
    differ |= deviation * std::sqrt(own * (1 - own / most)) > noticed;
    numbers.push_back(static_cast<std::int64_t>(n > 0 ? own : most));
  }
  if (!differ) return fmt::format("{:.0f}", most);
  return values_.by_stream(point.streams, numbers, {}, fmt::format("DRAWS_{}", site));
}

// Those that are alike are one, of which the one with most executions tells.
std::string Draws::table_for(Spread spread) {
  for (auto& [other, name] : spreads_) {
    if (!spread.resembles(other)) continue;
    if (spread.executions() > other.executions()) other = std::move(spread);
    return name;
  }
  const std::string name = source_.unique("SPREAD");
  return spreads_.emplace_back(std::move(spread), name).second;
}

void Draws::declare() {
  for (const auto& [spread, name] : spreads_)
    source_.declare(fmt::format("static const int {}[] = {{{}}};", name, fmt::join(spread.table(), ", ")));
}

}  // namespace reprise::generate
