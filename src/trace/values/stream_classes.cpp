#include "trace/values/stream_classes.hpp"

#include <unordered_map>

#include "base/hash.hpp"

namespace reprise::trace {
namespace {

struct PairHash {
  std::size_t operator()(const std::pair<std::uint32_t, std::int64_t>& p) const {
    return combine(p.first, static_cast<std::uint64_t>(p.second));
  }
};

}  // namespace

void StreamClasses::refine(const Value& value) {
  if (value.classes.size() == 1 || value.is_constant()) return;
  SeriesCursor c(value.by_stream);
  refine([&c](std::uint64_t) { return c.next(); });
}

void StreamClasses::refine(const std::function<std::int64_t(std::uint64_t)>& key) {
  std::unordered_map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t, PairHash> classes;
  std::pair<std::uint32_t, std::int64_t> last{~std::uint32_t{0}, 0};  // neighbors are often alike
  std::uint32_t number = 0;
  for (std::uint64_t s = 0; s < class_of_.size(); ++s) {
    std::uint32_t& c = class_of_[s];
    const std::pair<std::uint32_t, std::int64_t> here{c, key(s)};
    if (here != last)
      number = classes.try_emplace(here, static_cast<std::uint32_t>(classes.size())).first->second;
    last = here;
    c = number;
  }
  size_ = classes.size();
}

std::vector<std::uint64_t> StreamClasses::representatives() const {
  std::vector<std::uint64_t> out(size_, ~std::uint64_t{0});
  for (std::uint64_t s = class_of_.size(); s-- > 0;) out[class_of_[s]] = s;
  return out;
}

}  // namespace reprise::trace
