#include "write/python/tables.hpp"

#include <gtest/gtest.h>

#include "trace/values/special.hpp"
#include "write/python/print.hpp"
#include "write/series_terms.hpp"

namespace reprise::write::python {
namespace {

std::string terms(const trace::Series& series, std::uint64_t length = kAll) {
  const auto element = [](std::int64_t v) {
    return trace::is_special(v) ? name("nobody") : number(v);
  };
  return print(list(terms_of(series, length, element)));
}

trace::Term run(std::int64_t value, std::uint64_t count, std::int64_t step = 0) {
  return {value, step, count, 1, {}};
}

TEST(PythonTables, HaveRunsAndRepeats) {
  EXPECT_EQ(terms(trace::Series({run(3, 1), run(5, 4, 2), run(7, trace::kUnbounded)})),
            "[3, run(5, 4, 2), run(7)]");
  const trace::Term again{0, 10, 3, 2, {run(1, 1), run(4, 1)}};
  EXPECT_EQ(terms(trace::Series({again, run(0, trace::kUnbounded)})),
            "[repeat([1, 4], 3, 10), run(0)]");
}

TEST(PythonTables, EndWhereTheyAreToldTo) {
  const trace::Term again{0, 0, trace::kUnbounded, 2, {run(1, 1), run(4, 1)}};
  EXPECT_EQ(terms(trace::Series({again}), 5), "[repeat([1, 4], 2), 1]");
  EXPECT_EQ(terms(trace::Series({run(0, trace::kUnbounded, 4)}), 3), "[run(0, 3, 4)]");
}

// From 1 to MPI_PROC_NULL is no step of 2^63.
TEST(PythonTables, TellWordsOneByOne) {
  const std::int64_t to_nobody = trace::wrapping_sub(trace::kProcNull, 1);
  EXPECT_EQ(terms(trace::Series({run(1, 3, to_nobody)})), "[1, nobody, 1]");
  EXPECT_EQ(terms(trace::Series({run(1, trace::kUnbounded, to_nobody)})), "[repeat([1, nobody])]");
  const std::int64_t from_two = trace::wrapping_sub(trace::kProcNull, 2);
  EXPECT_EQ(terms(trace::Series({run(2, trace::kUnbounded, from_two)})), "[2, nobody]");
}

// A step may leave the special values, or come to them, and go far.
TEST(PythonTables, TellOnlyTheWordsOfLongStepsOneByOne) {
  constexpr std::uint64_t kMany = 1'000'000'000'000;
  const auto from = [](std::int64_t value, std::int64_t step, std::uint64_t length = kAll) {
    return writable_terms(trace::Series({run(value, kMany, step)}), length);
  };
  const std::int64_t plain = trace::kSpecialBase + trace::kSpecialCount;
  const auto up = from(trace::kSpecialBase, 1);
  ASSERT_EQ(up.size(), 64u);
  EXPECT_EQ(up[62], run(plain - 1, 1));
  EXPECT_EQ(up[63], run(plain, kMany - 63, 1));
  EXPECT_EQ(from(trace::kSpecialBase, 1, kMany - 5).back(), run(plain, kMany - 68, 1));
  const auto down = from(trace::wrapping_add(trace::kSpecialBase, kMany - 1), -1);
  ASSERT_EQ(down.size(), 64u);
  EXPECT_EQ(down.front(), run(trace::wrapping_add(trace::kSpecialBase, kMany - 1), kMany - 63, -1));
  EXPECT_EQ(down[1], run(plain - 1, 1));
  EXPECT_EQ(down.back(), run(trace::kSpecialBase, 1));
  const std::int64_t to_nobody = trace::wrapping_sub(trace::kProcNull, 1);
  EXPECT_EQ(terms(trace::Series({run(1, 1'000'001, to_nobody)})),
            "[repeat([1, nobody], 500000), 1]");
  // Passes.
  const trace::Term passes{0, 1, kMany, 2, {run(7, 1), run(plain - 1, 1)}};
  EXPECT_EQ(writable_terms(trace::Series({passes}), 2 * kMany - 1),
            (std::vector<trace::Term>{run(7, 1), run(plain - 1, 1),
                                      trace::Term{0, 1, kMany - 2, 2, {run(8, 1), run(plain, 1)}},
                                      run(static_cast<std::int64_t>(kMany) + 6, 1)}));
}

// What is repeated without a step is repeated as often with its words one by one.
TEST(PythonTables, RepeatWords) {
  const std::int64_t step = trace::wrapping_sub(5, trace::kProcNull);
  const trace::Term again{0, 0, trace::kUnbounded, 2, {run(trace::kProcNull, 2, step)}};
  EXPECT_EQ(terms(trace::Series({again})), "[repeat([nobody, 5])]");
}

}  // namespace
}  // namespace reprise::write::python
