#include "program/conditions/case_list.hpp"

#include <algorithm>

#include "program/conditions/streams.hpp"

namespace reprise::program {
namespace {

constexpr std::size_t kMostConditions = 16;  // cases that are told apart by conditions

}  // namespace

std::vector<Case> CaseList::finish(const Rest& rest) {
  std::ranges::stable_sort(parts_, {}, [](const Part& p) { return p.streams.size(); });
  const auto all_but_last = parts_.end() - (parts_.empty() ? 0 : 1);
  std::ranges::stable_sort(parts_.begin(), all_but_last, {},
                           [](const Part& p) { return p.streams.front(); });
  std::vector<Case> out;
  const bool few = parts_.size() <= kMostConditions;
  for (Part& p : parts_) {
    Who who;
    if (few) {
      who.condition = conditions_.of(p.streams, left_).expression;
      left_ = without(left_, p.streams);
    } else if (rest) {
      left_ = without(left_, p.streams);
    }
    who.streams = std::make_shared<const Streams>(std::move(p.streams));
    out.push_back({std::move(who), std::move(p.content)});
  }
  if (rest) std::ranges::move(rest(left_), std::back_inserter(out));
  return out;
}

}  // namespace reprise::program
