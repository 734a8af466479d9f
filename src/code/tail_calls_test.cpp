// Call paths of two libraries with the same functions: one calls those of other libraries by stubs
// of the linker, the other by their addresses. This program is MPI to them.
#include "code/tail_calls.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "code/read_code.hpp"
#include "trace/file/rank_section.hpp"

namespace {

// By the number of a call: where it returns to, and where its caller does, as far as that is noted.
std::map<int, std::uintptr_t> g_returns, g_callers;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names of MPI
#define NOTE_CALL(name)                                                            \
  extern "C" [[gnu::visibility("default"), gnu::noinline]] int name(int id) {      \
    g_returns[id] = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)); \
    return id;                                                                     \
  }
NOTE_CALL(MPI_Waitall)
NOTE_CALL(MPI_Send)
NOTE_CALL(MPI_Barrier)
NOTE_CALL(mpi_barrier_)
extern "C" [[gnu::visibility("default")]] void note_caller(int id, const void* return_address) {
  g_callers[id] = reinterpret_cast<std::uintptr_t>(return_address);
}
// NOLINTEND(readability-identifier-naming)

namespace reprise::code {
namespace {

class TailCallsOf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    void* library = dlopen(GetParam(), RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    void* cases = dlsym(library, "tail_call_cases");
    ASSERT_NE(cases, nullptr);
    g_returns.clear();
    reinterpret_cast<void (*)()>(cases)();
    Dl_info info{};
    dladdr(cases, &info);
    trace_.date = std::numeric_limits<std::int64_t>::max();
    trace_.modules = {{info.dli_fname, ""}};
    base_ = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  }

  // Returns its index. Calls that return to one place have one call path.
  std::size_t add(int id, const char* function) {
    const std::uint64_t offset = g_returns.at(id) - base_;
    std::uint32_t path = 0;
    while (path < trace_.frames.size() && trace_.frames[path].offset != offset) ++path;
    if (path == trace_.frames.size()) {
      trace_.frames.push_back({.module = 0, .offset = offset});
      trace_.callpaths.push_back({path});
    }
    trace_.calls.push_back({*trace::find_function(function), path, {}});
    return trace_.calls.size() - 1;
  }

  const std::vector<std::uint32_t>& path_of(std::size_t call) const {
    return trace_.callpaths[trace_.calls[call].callpath];
  }
  // The function that a frame lies in, by where it begins.
  std::uintptr_t function(std::uint32_t frame) {
    TailCalls library(trace_.modules[0]);
    const Flow* flow = library.flow_at(trace_.frames[frame].offset);
    return flow ? flow->parts.front().begin : 0;
  }

  trace::Trace trace_;
  std::uintptr_t base_ = 0;
};

TEST_P(TailCallsOf, FunctionsThatEndWithACallOfMpi) {
  const std::size_t alone = add(0, "MPI_Waitall"), by_exchange = add(1, "MPI_Waitall");
  restore_tail_calls(trace_);
  ASSERT_EQ(path_of(alone).size(), 2u);
  ASSERT_EQ(path_of(by_exchange).size(), 3u);
  EXPECT_EQ(path_of(alone)[0], path_of(by_exchange)[0]) << "the jump in wait()";
  EXPECT_NE(function(path_of(by_exchange)[1]), function(path_of(by_exchange)[0]));
  EXPECT_EQ(trace_.frames[path_of(alone)[1]].offset, g_returns[0] - base_);
  EXPECT_EQ(function(path_of(alone)[1]), function(path_of(by_exchange)[2])) << "their caller";
}

// Where call paths lie in the code tells the jumps of wait() and exchange(), if the function of MPI
// is known.
TEST_P(TailCallsOf, PathsInTheCodeLeadToMpi) {
  compress::CallpathTable table;
  const std::uint64_t module = table.add_module(trace_.modules[0]);
  const auto path = [&](int id) { return table.add_path({{module, g_returns.at(id) - base_}}); };
  const std::uint64_t alone = path(0), by_exchange = path(1);
  const auto frames = [&](const compress::FunctionOfPath& functions) {
    const trace::Code code = read_code(table, functions);
    std::map<std::uint64_t, std::size_t> out;
    table.for_each_path([&](std::uint64_t hash, const auto&) {
      const auto& copies = code.paths[out.size()];
      out[hash] = copies.size() == 1 ? copies[0].size() : 0;
    });
    return out;
  };
  using Frames = std::map<std::uint64_t, std::size_t>;
  EXPECT_EQ(frames({{alone, "MPI_Waitall"}, {by_exchange, "MPI_Waitall"}}),
            (Frames{{alone, 2}, {by_exchange, 3}}));
  EXPECT_EQ(frames({}), (Frames{{alone, 1}, {by_exchange, 1}}));
}

TEST_P(TailCallsOf, CallsOfTwoFunctionsOfMpiComeApart) {
  const std::size_t send = add(2, "MPI_Send"), barrier = add(3, "MPI_Barrier");
  ASSERT_EQ(trace_.calls[send].callpath, trace_.calls[barrier].callpath);
  trace_.code.paths = {{{{7, 8}}}};
  restore_tail_calls(trace_);
  ASSERT_EQ(path_of(send).size(), 2u);
  ASSERT_EQ(path_of(barrier).size(), 2u);
  EXPECT_NE(path_of(send)[0], path_of(barrier)[0]);
  EXPECT_EQ(function(path_of(send)[0]), function(path_of(barrier)[0])) << "either()";
  EXPECT_EQ(path_of(send)[1], path_of(barrier)[1]);
  ASSERT_EQ(trace_.code.paths.size(), trace_.callpaths.size());
  EXPECT_EQ(trace_.code.paths[trace_.calls[send].callpath], trace_.code.paths[0]);
}

TEST_P(TailCallsOf, NamesOfFortran) {
  const std::size_t barrier = add(4, "MPI_Barrier");
  restore_tail_calls(trace_);
  EXPECT_EQ(path_of(barrier).size(), 2u);
}

TEST_P(TailCallsOf, WhatIsCalledDirectlyStaysAsItIs) {
  const std::size_t wait = add(5, "MPI_Waitall");
  restore_tail_calls(trace_);
  EXPECT_EQ(path_of(wait).size(), 1u);
}

TEST_P(TailCallsOf, OtherFunctionsThanAreJumpedToAreNotGuessed) {
  const std::size_t gather = add(0, "MPI_Gather");
  restore_tail_calls(trace_);
  EXPECT_EQ(path_of(gather).size(), 1u);
}

TEST_P(TailCallsOf, WhereAnAddressMayLeadToMpiTooNothingIsSaid) {
  const std::size_t send = add(6, "MPI_Send");
  restore_tail_calls(trace_);
  EXPECT_EQ(path_of(send).size(), 1u);
}

TEST_P(TailCallsOf, WhatWasNotFollowedToItsEndSaysNothing) {
  const std::size_t send = add(7, "MPI_Send");
  restore_tail_calls(trace_);
  EXPECT_EQ(path_of(send).size(), 1u);
}

TEST_P(TailCallsOf, FunctionsInTheMiddleOfAPath) {
  const std::size_t barrier = add(8, "MPI_Barrier");
  trace_.frames.push_back({.module = 0, .offset = g_callers.at(8) - base_});
  trace_.callpaths[0].push_back(1);
  restore_tail_calls(trace_);
  const std::vector<std::uint32_t>& path = path_of(barrier);
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(path[0], 0u);
  EXPECT_EQ(path[2], 1u);
  EXPECT_NE(function(path[1]), function(path[0])) << "above()";
  EXPECT_NE(function(path[1]), function(path[2]));
}

// Parts of one rank are merged by the call paths that they were recorded with.
TEST_P(TailCallsOf, CallPathsOfARankAreNoMoreThanBefore) {
  add(2, "MPI_Send");
  add(3, "MPI_Barrier");
  const std::size_t wait = add(0, "MPI_Waitall");
  trace_.sections.push_back({std::string(trace::kRankSection), 1, {}});
  restore_tail_calls(trace_);
  EXPECT_EQ(trace_.callpaths.size(), 2u);
  EXPECT_EQ(path_of(wait).size(), 2u);
}

TEST_P(TailCallsOf, OfSitesOnlyTheInnermostIsKept) {
  const std::size_t wait = add(1, "MPI_Waitall");
  const std::uintptr_t caller = function(path_of(wait)[0]);
  trace_.options = "--callpaths site";
  restore_tail_calls(trace_);
  ASSERT_EQ(path_of(wait).size(), 1u);
  EXPECT_NE(function(path_of(wait)[0]), caller) << "wait()";
}

TEST_P(TailCallsOf, ABinaryThatIsNewerThanTheRunIsAnother) {
  const std::size_t wait = add(0, "MPI_Waitall");
  trace_.date = 1000;
  restore_tail_calls(trace_);
  EXPECT_EQ(path_of(wait).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(ByStubs, TailCallsOf, testing::Values(REPRISE_CASES_BY_STUBS));
INSTANTIATE_TEST_SUITE_P(ByAddresses, TailCallsOf, testing::Values(REPRISE_CASES_BY_ADDRESSES));

}  // namespace
}  // namespace reprise::code
