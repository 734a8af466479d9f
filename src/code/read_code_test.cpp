// Functions of this program, as the compiler made them, read from its own file.
#include "code/read_code.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "code/interposable.hpp"
#include "compress/loops/site_code.hpp"

namespace reprise::code {
namespace {

using compress::SiteCode;
using compress::StepReading;

std::map<int, std::uintptr_t> g_calls;  // return address of each call
volatile int g_two = 2;                 // a number that the compiler does not know

[[gnu::noinline]] void call(int id) {
  g_calls[id] = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

// for { A; for { B; if (...) C else D }; E } F
[[gnu::noinline]] void nested() {
  for (int i = 0; i < g_two; ++i) {
    call(0);
    for (int k = 0; k < g_two; ++k) {
      call(1);
      if (k % g_two == 0) {
        call(2);
      } else {
        call(3);
      }
    }
    call(4);
  }
  call(5);
  asm volatile("");  // it is no jump
}

// A table of jumps in a loop.
[[gnu::noinline]] void choices() {
  for (int i = 0; i < 4 * g_two; ++i) {
    switch (i * g_two) {
      case 0: call(10); break;
      case 2: call(11); break;
      case 4: call(12); [[fallthrough]];
      case 6: call(13); break;
      case 8: call(14); break;
      case 10: call(15); break;
      case 12: call(16); break;
      default: call(17);
    }
  }
}

// A table of jumps without a bound: a comparison before it is of something else.
[[gnu::noinline]] void kinds(const std::vector<std::uint8_t>& all) {
  for (const std::uint8_t kind : all) {
    if (kind == 0xff) continue;
    switch (kind) {
      case 0: call(30); break;
      case 1: call(31); break;
      case 2: call(32); break;
      case 3: call(33); break;
      case 4: call(34); break;
      case 5: call(35); break;
      case 6: call(36); break;
      default: __builtin_unreachable();
    }
  }
}

std::uintptr_t base_of_program() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&base_of_program), &info);
  return reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

// Call paths of one frame; the site of a call is its place among the identities, in order.
SiteCode code_of_calls(std::map<int, std::uint32_t>& site_of) {
  compress::CallpathTable table;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::uint64_t module = table.add_module({self, ""});
  std::map<int, std::uint64_t> hash;
  for (const auto& [id, address] : g_calls)
    hash[id] = table.add_path({{module, address - base_of_program()}});
  const trace::Code code = read_code(table, {});
  std::map<std::uint64_t, std::size_t> index;
  table.for_each_path([&](std::uint64_t h, const auto&) { index.emplace(h, index.size()); });
  compress::SitePaths paths;
  for (const auto& [id, h] : hash) {
    site_of[id] = static_cast<std::uint32_t>(paths.size());
    paths.push_back(code.paths[index.at(h)]);
  }
  return {code.functions, paths};
}

TEST(ReadCode, LoopsNestAsInTheSource) {
  g_calls.clear();
  nested();
  std::map<int, std::uint32_t> at;
  const SiteCode code = code_of_calls(at);
  ASSERT_EQ(at.size(), 6u);
  EXPECT_EQ(code.loops_around(at[0]).size(), 1u);
  EXPECT_EQ(code.loops_around(at[1]).size(), 2u);
  EXPECT_EQ(code.loops_around(at[4]).size(), 1u);
  EXPECT_EQ(code.loops_around(at[5]).size(), 0u);
  using Kind = StepReading::Kind;
  EXPECT_EQ(code.read(at[0], at[1]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[1], at[3]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[3], at[4]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[4], at[5]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[2], at[1]).loop, code.loops_around(at[1]).back());
  EXPECT_EQ(code.read(at[4], at[0]).loop, code.loops_around(at[0]).back());
  EXPECT_EQ(code.read(at[2], at[3]).kind, Kind::repeats);
  EXPECT_EQ(code.read(at[5], at[0]).kind, Kind::unknown);
}

TEST(ReadCode, TablesOfJumpsAreFollowed) {
  g_calls.clear();
  choices();
  std::map<int, std::uint32_t> at;
  const SiteCode code = code_of_calls(at);
  ASSERT_EQ(at.size(), 8u);
  using Kind = StepReading::Kind;
  for (const auto& [id, site] : at) EXPECT_EQ(code.loops_around(site).size(), 1u) << id;
  EXPECT_EQ(code.read(at[12], at[13]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[10], at[11]).kind, Kind::repeats);
  EXPECT_EQ(code.read(at[14], at[17]).kind, Kind::repeats);
}

TEST(ReadCode, TablesNeedNoBound) {
  g_calls.clear();
  kinds({0, 1, 2, 0xff, 3, 4, 5, 6});
  std::map<int, std::uint32_t> at;
  const SiteCode code = code_of_calls(at);
  ASSERT_EQ(at.size(), 7u);
  for (const auto& [id, site] : at) EXPECT_EQ(code.loops_around(site).size(), 1u) << id;
  EXPECT_EQ(code.read(at[30], at[36]).kind, StepReading::Kind::repeats);
}

volatile int g_places[6];

// Loops of which constants say the number of iterations, as compilers write them.
[[gnu::noipa]] void counted() {
  for (int outer = 0; outer < g_two; ++outer) {
#pragma GCC unroll 1
    for (int k = 0; k < 4; ++k) call(40);
#pragma GCC unroll 1
    for (int k = 10; k >= 1; k -= 3) call(41);
#pragma GCC unroll 1
    for (unsigned k = 1; k < 200; k += 50) call(42);
    for (volatile int* p = g_places; p != g_places + 6; ++p) call(43 + *p);
#pragma GCC unroll 1
    for (int k = 0; k < 5; ++k) {
      call(44);
      if (g_two < 0) abort();
    }
#pragma GCC unroll 1
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < g_two; ++i) call(45);
      call(46);
    }
#pragma GCC unroll 1
    for (int k = -10; k < 20; k += 3) call(47);
  }
}

[[gnu::noipa, gnu::optimize("O0")]] void counted_in_memory() {
  int rest = 3;
  for (int outer = 0; outer < g_two; ++outer) {
#pragma GCC unroll 1
    for (int k = 0; k < 4; ++k) call(50);
#pragma GCC unroll 1
    for (int k = 7; k > 0; k -= 2) call(51);
    int k = 0;
    do {
      call(52);
    } while (++k < 3);
    for (; rest > 0; --rest) call(53);  // in the first iteration of the outer loop alone
  }
}

// Loops with other numbers of iterations.
[[gnu::noipa]] void not_counted(int most) {
  for (int outer = 0; outer < g_two; ++outer) {
#pragma GCC unroll 1
    for (int k = 0; k < most; ++k) call(60);
#pragma GCC unroll 1
    for (int k = 0; k < 4; ++k) {
      call(61);
      if (g_two > 2) break;
    }
#pragma GCC unroll 1
    for (int k = 0; k < 4; k += g_two) call(62);
#pragma GCC unroll 1
    for (int k = 0; k < 40; ++k) {
      if (g_two > 2) k += 3;
      call(63);
    }
#pragma GCC unroll 1
    for (int k = g_two; k < 4; ++k) call(64);
#pragma GCC unroll 1
    for (int k = 0; k < 4; ++k) {
      call(65);
      if (k == g_two) continue;
      call(66);
    }
    for (int k = 0;; ++k) {
      call(67);
      if (g_two < 3 && k == 3) break;
    }
  }
}

TEST(ReadCode, ConstantsSayHowManyIterationsALoopHas) {
  g_calls.clear();
  counted();
  counted_in_memory();
  not_counted(3);
  std::map<int, std::uint32_t> at;
  const SiteCode code = code_of_calls(at);
  const std::map<int, std::uint64_t> expected{
      {40, 4}, {41, 4}, {42, 4}, {43, 6}, {44, 5}, {45, 0}, {46, 8}, {47, 10}, {50, 4}, {51, 4},
      {52, 3}, {53, 0}, {60, 0}, {61, 0}, {62, 0}, {63, 0}, {64, 0}, {65, 4},  {66, 4}, {67, 0}};
  ASSERT_EQ(at.size(), expected.size());
  for (const auto& [id, site] : at) {
    EXPECT_GE(code.loops_around(site).size(), 2U) << id;
    if (code.loops_around(site).size() < 2) continue;
    EXPECT_EQ(code.trips(code.loops_around(site).back()), expected.at(id)) << id;
  }
}

std::uintptr_t g_to_early, g_to_late;  // return addresses of the functions below

[[gnu::noinline]] void late() {
  g_to_late = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  call(20);
  asm volatile("");
}

// Ends with a jump to late().
[[gnu::noinline, gnu::optimize("O2")]] void early() {
  g_to_early = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  call(21);
  late();
}

[[gnu::noinline]] void repeated() {
  for (int i = 0; i < g_two; ++i) early();
}

// Both calls come from one place of repeated(), though not by two calls there.
TEST(ReadCode, ATailCallIsWithinTheIteration) {
  g_calls.clear();
  repeated();
  if (g_to_early != g_to_late) GTEST_SKIP() << "the compiler made no jump of the call";
  compress::CallpathTable table;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::uint64_t module = table.add_module({self, ""});
  const auto add = [&](std::uintptr_t address) {
    const std::uintptr_t base = base_of_program();
    return table.add_path({{module, address - base}, {module, g_to_early - base}});
  };
  const std::uint64_t of_early = add(g_calls.at(21)), of_late = add(g_calls.at(20));
  const trace::Code code = read_code(table, {});
  compress::SitePaths paths(2);
  std::size_t i = 0;
  table.for_each_path([&](std::uint64_t hash, const auto&) {
    if (hash == of_early) paths[0] = code.paths[i];
    if (hash == of_late) paths[1] = code.paths[i];
    ++i;
  });
  const SiteCode sites(code.functions, paths);
  using Kind = StepReading::Kind;
  EXPECT_EQ(sites.read(0, 1).kind, Kind::onward);
  EXPECT_EQ(sites.read(1, 0).kind, Kind::repeats);
  EXPECT_EQ(sites.loops_around(1).size(), 1u);
}

}  // namespace

extern "C" void reprise_test_call(int id) {
  g_calls[id] = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}
extern "C" void reprise_test_exit(int times);
extern "C" void reprise_test_own_exit(int times);

// A loop that stands behind a call that does not return: for (...) call(id); call(id + 1); if
// (times != 0) exit(0). First with the exit of the C library, then with one of its own.
// NOLINTBEGIN(hicpp-no-assembler)
asm(R"(
  .pushsection .text
  .macro loop_behind exit, id
    .cfi_startproc
    push %rbx
    .cfi_adjust_cfa_offset 8
    mov %edi, %ebx
    jmp 2f
  1:
    mov $\id + 1, %edi
    call reprise_test_call
    test %ebx, %ebx
    je 3f
    xor %edi, %edi
    call \exit
  2:
    mov $\id, %edi
    call reprise_test_call
    dec %ebx
    jnz 2b
    jmp 1b
  3:
    pop %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
  .endm
  reprise_test_exit:
    loop_behind exit@PLT, 50
  reprise_test_own_exit:
    loop_behind reprise_test_leave, 60
  reprise_test_leave:
    .cfi_startproc
    push %rbx
    .cfi_adjust_cfa_offset 8
    call abort@PLT
    .cfi_endproc
  .popsection
)");
// NOLINTEND(hicpp-no-assembler)

namespace {

TEST(ReadCode, CallsThatDoNotReturnLeadNowhere) {
  g_calls.clear();
  reprise_test_exit(2);
  reprise_test_own_exit(2);
  std::map<int, std::uint32_t> at;
  const SiteCode code = code_of_calls(at);
  for (const int id : {50, 60}) {
    EXPECT_EQ(code.loops_around(at.at(id)).size(), 1u) << id;
    EXPECT_EQ(code.loops_around(at.at(id + 1)).size(), 0u) << id;
    EXPECT_EQ(code.read(at.at(id), at.at(id + 1)).kind, StepReading::Kind::onward) << id;
  }
}

volatile int g_thrown = 0;

[[gnu::noinline]] void may_throw(int i) {
  if (i % 2 == 1) throw i;
}

// for { try { A; may_throw } catch { B; for { C } } } D
[[gnu::noinline]] void catching() {
  for (int i = 0; i < 2 * g_two; ++i) {
    try {
      call(70);
      may_throw(i);
    } catch (const int thrown) {
      call(71);
      for (int k = 0; k < g_two; ++k) call(72);
      g_thrown = g_thrown + thrown;
    }
  }
  call(73);
  asm volatile("");  // it is no jump
}

// Everything that follows a throw is in its handler.
[[gnu::noinline]] void throwing() {
  for (int i = 0; i < g_two; ++i) {
    try {
      call(74);
      throw i;
    } catch (int) {
      call(75);
    }
  }
  asm volatile("");
}

TEST(ReadCode, HandlersOfExceptionsAreInTheLoopsAround) {
  g_calls.clear();
  catching();
  throwing();
  std::map<int, std::uint32_t> at;
  const SiteCode code = code_of_calls(at);
  ASSERT_EQ(at.size(), 6u);
  using Kind = StepReading::Kind;
  EXPECT_EQ(code.loops_around(at[70]).size(), 1u);
  EXPECT_EQ(code.loops_around(at[71]).size(), 1u);
  EXPECT_EQ(code.loops_around(at[72]).size(), 2u);
  EXPECT_EQ(code.loops_around(at[73]).size(), 0u);
  EXPECT_EQ(code.read(at[70], at[71]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[71], at[72]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[72], at[70]).loop, code.loops_around(at[70]).back());
  EXPECT_EQ(code.read(at[72], at[73]).kind, Kind::onward);
  EXPECT_EQ(code.loops_around(at[75]).size(), 1u);
  EXPECT_EQ(code.read(at[74], at[75]).kind, Kind::onward);
  EXPECT_EQ(code.read(at[75], at[74]).kind, Kind::repeats);
}

// Return addresses of the calls of `note` in the library, and of the calls that led to these.
std::map<int, std::pair<std::uintptr_t, std::uintptr_t>> g_noted;

[[gnu::noinline]] void note(int id, const void* return_address) {
  g_noted[id] = {reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                 reinterpret_cast<std::uintptr_t>(return_address)};
}

// A call path of the library, the innermost frame first, given return addresses in it.
class LibraryPaths {
 public:
  LibraryPaths() {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&interposable_loop), &info);
    base_ = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    module_ = table_.add_module({info.dli_fname, ""});
  }

  void add(std::initializer_list<std::uintptr_t> addresses) {
    std::vector<compress::GlobalFrame> frames;
    for (const std::uintptr_t a : addresses) frames.push_back({module_, a - base_});
    hashes_.push_back(table_.add_path(frames));
  }

  SiteCode sites() const {
    const trace::Code code = read_code(table_, {});
    compress::SitePaths paths(hashes_.size());
    std::size_t i = 0;
    table_.for_each_path([&](std::uint64_t hash, const auto&) {
      const auto site = std::ranges::find(hashes_, hash) - hashes_.begin();
      paths[static_cast<std::size_t>(site)] = code.paths[i++];
    });
    return {code.functions, paths};
  }

 private:
  compress::CallpathTable table_;
  std::uintptr_t base_ = 0;
  std::uint64_t module_ = 0;
  std::vector<std::uint64_t> hashes_;
};

TEST(ReadCode, StubsOfTheLinkerAreFollowed) {
  g_noted.clear();
  interposable_loop(2, note);
  if (g_noted.at(40).second != g_noted.at(41).second)
    GTEST_SKIP() << "the compiler made no jump of the call";
  LibraryPaths paths;
  for (const int id : {41, 40}) paths.add({g_noted.at(id).first, g_noted.at(id).second});
  const SiteCode sites = paths.sites();
  EXPECT_EQ(sites.read(0, 1).kind, StepReading::Kind::onward);
  EXPECT_EQ(sites.read(1, 0).kind, StepReading::Kind::repeats);
  EXPECT_EQ(sites.loops_around(1).size(), 1u);
}

// The stubs of all functions, as large as they may be, are no part of the one that jumps to one.
TEST(ReadCode, AJumpToAStubLeavesTheFunction) {
  g_noted.clear();
  interposable_end(2, note);
  LibraryPaths paths;
  paths.add({g_noted.at(42).first});
  EXPECT_EQ(paths.sites().loops_around(0).size(), 1u);
}

TEST(ReadCode, AJumpByAnAddressWithoutAFrameLeavesTheFunction) {
  g_noted.clear();
  int (*const then)(const char*) = std::puts;
  interposable_then(2, note, &then);
  LibraryPaths paths;
  paths.add({g_noted.at(43).first});
  EXPECT_EQ(paths.sites().loops_around(0).size(), 1u);
}

TEST(ReadCode, WhatIsNotThereIsNotKnown) {
  compress::CallpathTable table;
  const std::uint64_t module = table.add_module({"/no/such/program", "00ff"});
  table.add_path({{module, 0x123}, {module, 0x456}});
  const trace::Code code = read_code(table, {});
  ASSERT_EQ(code.paths.size(), 1u);
  ASSERT_EQ(code.paths[0].size(), 1u);
  ASSERT_EQ(code.paths[0][0].size(), 2u);
  for (const trace::CodePoint p : code.paths[0][0])
    EXPECT_FALSE(code.functions[p.function].is_known);
}

}  // namespace
}  // namespace reprise::code
