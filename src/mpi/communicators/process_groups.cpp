#include "mpi/communicators/process_groups.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "trace/calls/predefined.hpp"

namespace reprise::mpi {
namespace {

bool has(const Members& members, std::uint32_t process) {
  return std::ranges::find(members, process) != members.end();
}

// The ranks that a call names in a group of `size`: a list, or ranges of first, last and stride. No
// rank is named twice, so there are at most `size`.
std::vector<std::int64_t> named(const trace::Event& event, bool are_ranges, std::size_t size) {
  if (event.lists.empty()) return {};
  const std::vector<std::int64_t>& list = event.lists.front();
  if (!are_ranges) return list;
  const auto end = static_cast<std::int64_t>(size);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i + 2 < list.size() && out.size() < size; i += 3) {
    const std::int64_t first = list[i], stride = list[i + 2];
    if (stride == 0 || first < 0 || first >= end) continue;
    const std::int64_t last = std::clamp<std::int64_t>(list[i + 1], -1, end);
    const std::int64_t steps = (last - first) / stride;
    if ((last < first) != (stride < 0) && last != first) continue;
    for (std::int64_t k = 0; k <= steps && out.size() < size; ++k)
      out.push_back(first + k * stride);
  }
  return out;
}

Members included(const Members& in, const std::vector<std::int64_t>& ranks) {
  Members out;
  for (const std::int64_t r : ranks) {
    if (r >= 0 && r < std::ssize(in)) out.push_back(in[static_cast<std::size_t>(r)]);
  }
  return out;
}

Members without(const Members& in, const Members& others) {
  Members out;
  for (const std::uint32_t p : in) {
    if (!has(others, p)) out.push_back(p);
  }
  return out;
}

}  // namespace

const Members* ProcessGroups::members(std::int64_t group) {
  static const Members kEmpty;
  if (group == trace::kEmptyGroup) return &kEmpty;
  const auto found = groups_.find(group);
  if (found == groups_.end()) return nullptr;
  Known& known = found->second;
  if (known.list) known.members = std::exchange(known.list, nullptr)();
  return &known.members;
}

void ProcessGroups::add(std::int64_t group, std::function<Members()> list) {
  groups_[group] = {{}, std::move(list)};
}

void ProcessGroups::learn(const trace::Event& event) {
  constexpr std::string_view kPrefix = "MPI_Group_";
  const std::string_view name = event.function->name;
  if (!name.starts_with(kPrefix)) return;
  const std::string_view what = name.substr(kPrefix.size());
  std::vector<std::int64_t> numbers;
  for (std::size_t c = 0; c < event.function->scalars.size(); ++c) {
    if (event.function->scalars[c].kind == trace::Kind::group) numbers.push_back(event.scalars[c]);
  }
  if (what == "free" || numbers.size() < 2) return;
  const Members* first = members(numbers.front());
  const Members* second = numbers.size() > 2 ? members(numbers[1]) : first;
  if (!first || !second) return void(groups_.erase(numbers.back()));
  Members made;
  if (what == "incl" || what == "range_incl") {
    made = included(*first, named(event, what == "range_incl", first->size()));
  } else if (what == "excl" || what == "range_excl") {
    made = without(*first, included(*first, named(event, what == "range_excl", first->size())));
  } else if (what == "difference") {
    made = without(*first, *second);
  } else if (what == "intersection") {
    made = without(*first, without(*first, *second));
  } else if (what == "union") {
    made = *first;
    const Members more = without(*second, *first);
    made.insert(made.end(), more.begin(), more.end());
  } else {
    return;
  }
  groups_[numbers.back()] = {std::move(made), nullptr};
}

bool gives_group(const trace::Function& f) {
  constexpr std::uint32_t kGives = trace::traits::kCreate | trace::traits::kLocal;
  return (f.traits & kGives) == kGives &&
         std::ranges::count(f.scalars, trace::Kind::group, &trace::Column::kind) == 1;
}

std::optional<CommId> process_set(const trace::Event& event) {
  for (const auto& [name, comm] :
       {std::pair("mpi://WORLD", trace::kWorld), std::pair("mpi://SELF", trace::kSelf)}) {
    for (const auto& text : event.lists) {
      if (std::ranges::equal(text, std::string_view(name))) return CommId{comm};
    }
  }
  return std::nullopt;
}

}  // namespace reprise::mpi
