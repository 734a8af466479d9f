// Samples of communicators as worlds of their own.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compress/merge/rank_columns.hpp"
#include "infer/samples.hpp"

namespace reprise::extrapolate {

// The samples of communicators of each size, gathered in any order.
class LocalSamples {
 public:
  // False if the rank and the parameters do not determine the value.
  bool add(const trace::Membership& place, std::int64_t value,
           const std::vector<std::int64_t>& parameters) {
    auto& known = by_size_[place.size];
    const auto [entry, is_new] = known.try_emplace({place.rank, parameters}, value);
    return is_new || entry->second == value;
  }
  bool is_full(std::int64_t size) const {
    constexpr std::size_t kMostOfASize = 2000;
    const auto found = by_size_.find(size);
    return found != by_size_.end() && found->second.size() >= kMostOfASize;
  }

  infer::Samples finish(std::vector<std::string> parameters) const {
    infer::Samples out{std::move(parameters), {}};
    for (const auto& [size, samples] : by_size_) {
      infer::WorldSamples& world = out.worlds.emplace_back();
      world.world.ranks = size;
      for (const auto& [where, value] : samples) {
        world.samples.push_back({where.first, value, where.second});
      }
    }
    return out;
  }

 private:
  using Where = std::pair<std::int64_t, std::vector<std::int64_t>>;  // the rank, the parameters
  std::map<std::int64_t, std::map<Where, std::int64_t>> by_size_;
};

}  // namespace reprise::extrapolate
