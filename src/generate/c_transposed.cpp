#include "generate/c_transposed.hpp"

#include <fmt/format.h>

#include <vector>

namespace reprise::generate {

namespace {

constexpr std::uint64_t kMaxLooked = 1 << 20;  // elements

// The elements of all lists, by rank, one list behind the other; nothing if a list does not have
// one for each rank.
std::optional<std::vector<std::vector<std::int64_t>>> lists_of_all(const Draft& d,
                                                                   const ListColumn& list) {
  const std::uint64_t ranks = d.tools.trace.ranks;
  std::vector<std::vector<std::int64_t>> out;
  for (const std::uint64_t s : d.point.streams) {
    trace::ValueCursor lengths(list.length, s), elements(list.elements, s);
    const std::uint64_t times = d.point.times(s);
    if (times > kMaxLooked / (ranks * ranks)) return std::nullopt;
    std::vector<std::int64_t>& own = out.emplace_back();
    for (std::uint64_t k = 0; k < times; ++k) {
      if (lengths.next() != static_cast<std::int64_t>(ranks)) return std::nullopt;
      for (std::uint64_t r = 0; r < ranks; ++r) own.push_back(elements.next());
    }
    if (own.size() != out.front().size()) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<std::string> transposed(Draft& d, const Argument& a, const Argument& other,
                                      const std::string& text) {
  constexpr std::string_view kRank = "[rank]";
  const std::uint64_t ranks = d.tools.trace.ranks;
  const std::size_t name = text.find('[');
  if (name == std::string::npos || text.compare(name, kRank.size(), kRank) != 0 ||
      d.tools.trace.threads > 1 || d.point.streams.size() != ranks ||
      d.columns.communicator() != "WORLD")
    return std::nullopt;
  const auto own = lists_of_all(d, d.columns.list(a)),
             others = lists_of_all(d, d.columns.list(other));
  if (!own || !others || own->front().size() != others->front().size()) return std::nullopt;
  for (std::uint64_t r = 0; r < ranks; ++r) {
    for (std::size_t k = 0; k < own->front().size(); ++k) {
      const std::size_t to = k % ranks;
      if ((*own)[r][k] != (*others)[to][k - to + r]) return std::nullopt;
    }
  }
  d.tools.source.need("for_me");
  const std::string table = text.substr(0, name);
  return fmt::format("for_me({}[0]{}, sizeof *{})", table, text.substr(name + kRank.size()), table);
}

}  // namespace reprise::generate
