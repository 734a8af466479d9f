#include "compress/fold/stream_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <random>
#include <utility>
#include <vector>

namespace {

// Allocations that succeed before one fails; negative: none does.
thread_local long allocations_left = -1;

void* allocate(std::size_t size) {
  if (allocations_left == 0) {
    allocations_left = -1;
    throw std::bad_alloc();
  }
  if (allocations_left > 0) --allocations_left;
  if (void* out = std::malloc(size == 0 ? 1 : size)) return out;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace reprise::compress {
namespace {

struct Call {
  std::uint32_t callpath = 0;
  std::vector<std::int64_t> record;  // two scalars and one list

  bool operator==(const Call&) const = default;
};

// Loops whose values repeat, calls in between that do not, and sites that come late.
std::vector<Call> some_calls() {
  std::mt19937 random(1);
  std::vector<Call> out;
  for (std::int64_t i = 0; i < 300; ++i) {
    for (std::int64_t k = 0; k < 3; ++k)
      out.push_back({static_cast<std::uint32_t>(k), {i, k, 1, 7}});
    const auto any = static_cast<std::int64_t>(random() % 5);
    Call call{static_cast<std::uint32_t>(3 + random() % (1 + i / 10)), {any, 0, any}};
    for (std::int64_t k = 0; k < any; ++k)
      call.record.push_back(static_cast<std::int64_t>(random()));
    out.push_back(std::move(call));
  }
  return out;
}

std::vector<Call> calls_of(const FoldedStream& stream) {
  std::vector<trace::SeriesCursor> successors;
  std::vector<std::vector<trace::SeriesCursor>> columns;
  for (const FoldedSite& site : stream.sites) {
    successors.emplace_back(site.successors);
    for (std::vector<trace::SeriesCursor>& all = columns.emplace_back();
         const trace::Series& column : site.columns)
      all.emplace_back(column);
  }
  std::vector<Call> out;
  for (std::size_t at = 0; out.size() < stream.calls;) {
    std::vector<trace::SeriesCursor>& c = columns[at];
    Call& call = out.emplace_back(stream.sites[at].key.callpath);
    for (int i = 0; i < 3; ++i) call.record.push_back(c[i].next());
    for (std::int64_t n = call.record[2]; n > 0; --n) call.record.push_back(c[3].next());
    at = static_cast<std::size_t>(successors[at].next());
  }
  return out;
}

// How many of the calls are added before the n-th allocation fails.
std::size_t add_some(StreamFolder& folder, const std::vector<Call>& calls, long n) {
  std::size_t added = 0;
  allocations_left = n;
  try {
    for (; added < calls.size(); ++added)
      folder.add({trace::FunctionId{}, calls[added].callpath}, {2, 1}, calls[added].record);
  } catch (const std::bad_alloc&) {
  }
  allocations_left = -1;
  return added;
}

TEST(StreamFolder, IsWhatWasAddedBeforeMemoryRanOut) {
  const std::vector<Call> calls = some_calls();
  std::size_t cut = 0, whole = 0;
  for (long n = 0;; ++n) {
    StreamFolder folder;
    const std::size_t added = add_some(folder, calls, n);
    EXPECT_EQ(folder.calls(), added);
    const FoldedStream stream = folder.finish();
    if (added == calls.size()) {
      EXPECT_EQ(calls_of(stream), calls);
      break;
    }
    ++cut;
    if (stream.calls == 0) {
      EXPECT_TRUE(stream.sites.empty());
      continue;
    }
    ++whole;
    ASSERT_EQ(stream.calls, added);
    std::uint64_t executions = 0;
    for (const FoldedSite& site : stream.sites) {
      EXPECT_GT(site.executions, 0u);
      executions += site.executions;
    }
    EXPECT_EQ(executions, added);
    EXPECT_EQ(calls_of(stream),
              std::vector<Call>(calls.begin(), calls.begin() + static_cast<long>(added)));
  }
  EXPECT_GT(cut, 100u);
  EXPECT_GT(whole, 0u);
}

// A stream that cannot be finished for want of memory has no calls that were never made.
TEST(StreamFolder, FinishesWithoutMemoryOrFails) {
  const std::vector<Call> calls = some_calls();
  for (long n = 0;; n += 7) {
    StreamFolder folder;
    add_some(folder, calls, -1);
    allocations_left = n;
    bool failed = false;
    try {
      (void)folder.finish();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    allocations_left = -1;
    const FoldedStream stream = folder.finish();
    if (stream.calls > 0) {
      EXPECT_EQ(calls_of(stream), calls);
    }
    if (!failed) break;
  }
}

// A checkpoint for which there was no memory breaks series that later calls go on with.
TEST(StreamFolder, StaysBrokenOnceMemoryRanOutInACheckpoint) {
  const std::vector<Call> calls = some_calls();
  const std::size_t half = calls.size() / 2;
  const std::vector<Call> begin(calls.begin(), calls.begin() + static_cast<long>(half));
  std::size_t broken = 0;
  for (long n = 0;; ++n) {
    StreamFolder folder;
    add_some(folder, begin, -1);
    bool failed = false;
    allocations_left = n;
    try {
      (void)folder.finish();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    allocations_left = -1;
    const bool is_broken = folder.finish().calls == 0;
    const std::vector<Call> end(calls.begin() + static_cast<long>(half), calls.end());
    const std::size_t added = half + add_some(folder, end, -1);
    const FoldedStream stream = folder.finish();
    if (is_broken) {
      ++broken;
      EXPECT_EQ(stream.calls, 0u) << n;
    } else {
      EXPECT_EQ(added, calls.size()) << n;
      EXPECT_EQ(calls_of(stream), calls) << n;
    }
    if (!failed) break;
  }
  EXPECT_GT(broken, 0u);
}

// Load that drifts, and two modes without an order; where each second call comes from alternates.
bool add_times(TimeFolder& times, long n) {
  allocations_left = n;
  try {
    for (std::int64_t i = 0; i < 400; ++i) {
      times.add(0, 1, {100'000 + 1000 * i, 10});
      times.add(static_cast<std::uint32_t>(i % 3), 2, {i * i % 7 < 2 ? 10'000 : 1'000'000, 10});
    }
  } catch (const std::bad_alloc&) {
  }
  return std::exchange(allocations_left, -1) >= 0;
}

TEST(TimeFolder, LeavesOutWhatMemoryRanOutFor) {
  std::size_t with_blocks = 0, with_modes = 0;
  bool is_whole = false;
  for (long n = 0; !is_whole; ++n) {
    TimeFolder times{TimeOptions{}};
    is_whole = n > 0 && add_times(times, n);
    allocations_left = n % 50;
    try {
      (void)times.finish(1);
    } catch (const std::bad_alloc&) {
    }
    allocations_left = -1;
    for (const FoldedTimes& site : times.finish(1)) {
      for (const FoldedPath& p : site.paths) {
        const std::uint64_t count = p.compute.times.total().count;
        EXPECT_LE(count, 400u) << n;
        with_blocks += !p.blocks.bins.empty();
        with_modes += !p.modes.empty();
        if (!p.blocks.bins.empty()) {
          EXPECT_EQ(p.blocks.total().count, count) << n;
        }
        if (p.modes.empty()) continue;
        trace::SeriesCursor mode_of(p.mode_of);
        for (std::uint64_t i = 0; i < count; ++i) {
          ASSERT_FALSE(mode_of.at_end()) << n;
          const std::int64_t mode = mode_of.next();
          EXPECT_TRUE(mode >= 0 && mode < std::ssize(p.modes)) << n;
        }
      }
    }
  }
  EXPECT_GT(with_blocks, 0u);
  EXPECT_GT(with_modes, 0u);
}

}  // namespace
}  // namespace reprise::compress
