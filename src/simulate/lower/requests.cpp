// Lowering: what is done to requests.
#include <limits>

#include "mpi/requests/pending.hpp"
#include "simulate/lower/lowerer.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {

using trace::is_special;

namespace {

constexpr std::int64_t kMaxPartitions = std::numeric_limits<int>::max();

}  // namespace

std::span<const std::int64_t> Lowerer::requests() { return mpi::requests_of(e_, scratch_); }

// Named one by one, by a list, or by the first and the last.
Status Lowerer::ready() {
  std::int64_t count = 1;
  if (!e_.lists.empty()) {
    count = std::ssize(e_.lists.front());
  } else {
    std::vector<std::int64_t> bounds;
    for (std::size_t c = 0; c < f_.scalars.size(); ++c) {
      if (f_.scalars[c].kind == trace::Kind::integer) bounds.push_back(e_.scalars[c]);
    }
    if (bounds.size() == 2) count = bounds[1] - bounds[0] + 1;
  }
  if (count < 0 || count > kMaxPartitions)
    return Error{std::string(f_.name) +
                 " names partitions that no message has (the trace is damaged)"};
  for (const std::int64_t r : requests()) {
    if (!is_special(r))
      add({.what = Do::ready, .number = r, .count = static_cast<std::uint32_t>(count)});
  }
  return {};
}

// The same step for each of them.
Status Lowerer::each_request(Action::Do what, Keep keep) {
  for (const std::int64_t r : requests()) {
    if (!is_special(r)) add({.what = what, .keep = keep, .number = r});
  }
  return {};
}

Status Lowerer::complete() {
  const auto all = requests();
  if (all.size() == 1) {
    if (is_special(all[0])) return {};
    add({.what = Do::wait, .number = all[0]});
    if (f_.ends_requests) add({.what = Do::retire, .number = all[0]});
    return {};
  }
  // Receives cost the processor something where they are waited for: sends come first.
  for (const std::int64_t r : all) {
    if (machine_.model == MessageModel::dimemas && !is_special(r))
      add({.what = Do::wait, .number = r, .first = 1});
  }
  const auto first = static_cast<std::uint32_t>(out_.numbers.size());
  for (const std::int64_t r : all) {
    if (is_special(r)) continue;
    add({.what = Do::wait, .number = r});
    out_.numbers.push_back(r);
  }
  const auto count = static_cast<std::uint32_t>(out_.numbers.size()) - first;
  if (count > 0 && f_.ends_requests) add({.what = Do::retire, .first = first, .count = count});
  return {};
}

Status Lowerer::complete_any() {
  const auto all = requests();
  const std::int64_t index = scalar(s_.index);
  if (index < 0 || index >= std::ssize(all) || is_special(all[static_cast<std::size_t>(index)]))
    return {};
  const std::int64_t recorded = all[static_cast<std::size_t>(index)];
  if (options_.matching == Matching::recorded) {
    add({.what = Do::wait, .number = recorded});
  } else {
    const auto first = static_cast<std::uint32_t>(out_.numbers.size());
    for (const std::int64_t r : all) {
      if (!is_special(r)) out_.numbers.push_back(r);
    }
    const auto count = static_cast<std::uint32_t>(out_.numbers.size()) - first;
    add({.what = Do::wait_any, .number = recorded, .first = first, .count = count});
  }
  add({.what = Do::retire, .number = recorded});
  return {};
}

}  // namespace reprise::simulate
