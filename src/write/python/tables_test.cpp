#include "write/python/tables.hpp"

#include <gtest/gtest.h>

#include "trace/special.hpp"
#include "write/python/print.hpp"

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

}  // namespace
}  // namespace reprise::write::python
