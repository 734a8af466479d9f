#include "trace/calls/function_names.hpp"

#include <gtest/gtest.h>

namespace reprise::trace {
namespace {

TEST(FunctionNames, WithoutReturnType) {
  EXPECT_EQ(without_return_type("void solver::exchange<double, 3>"), "solver::exchange<double, 3>");
  EXPECT_EQ(without_return_type("std::pair<int, long> f<int>"), "f<int>");
  EXPECT_EQ(without_return_type("decltype(auto) ns::f<A, 2ul>"), "ns::f<A, 2ul>");
  EXPECT_EQ(without_return_type("main program"), "main program");
  EXPECT_EQ(without_return_type("f(int)::{lambda()#1}::operator()"),
            "f(int)::{lambda()#1}::operator()");
  EXPECT_EQ(without_return_type("void A::f<int>(int) const::{lambda()#1}::operator()"),
            "A::f<int>(int) const::{lambda()#1}::operator()");
  EXPECT_EQ(without_return_type("A<int>::operator std::vector<int>"),
            "A<int>::operator std::vector<int>");
}

TEST(FunctionNames, Short) {
  EXPECT_EQ(short_name("exchange"), "exchange");
  EXPECT_EQ(short_name("void solver::exchange<double, 3>"), "solver::exchange");
  EXPECT_EQ(short_name("Grid<std::pair<int, A<3> >, 2>::put<char>"), "Grid::put");
  EXPECT_EQ(short_name("(anonymous namespace)::send"), "send");
  EXPECT_EQ(short_name("ns::(anonymous namespace)::send<int>"), "ns::send");
  EXPECT_EQ(short_name("run(int)::{lambda(int)#2}::operator()"), "run::{lambda}");
  EXPECT_EQ(short_name("A<1>::f() const::{lambda(B<2>)#1}::operator()<int>"), "A::f::{lambda}");
  EXPECT_EQ(short_name("main::{lambda}::operator()"), "main::{lambda}");
  EXPECT_EQ(short_name("Comm<4>::operator()"), "Comm::operator()");
  EXPECT_EQ(short_name("std::ostream& operator<< <int>"), "operator<<");
  EXPECT_EQ(short_name("A<int>::operator<<<char>"), "A::operator<<");
  EXPECT_EQ(short_name("A<int>::operator->"), "A::operator->");
  EXPECT_EQ(short_name("A<int>::operator std::vector<int>"), "A::operator std::vector<int>");
  EXPECT_EQ(short_name("f[abi:cxx11]"), "f");
  EXPECT_EQ(short_name("halo::exchange"), "halo::exchange");
  EXPECT_EQ(short_name("main program (omp)"), "main program (omp)");
  EXPECT_EQ(short_name("void f<int> (omp)"), "f (omp)");
}

TEST(FunctionNames, OfAnyText) {
  for (const char* text : {"", "<", ">", "a<", "a>b", "a)(", "operator", "operator<", "::", "a::",
                           "{lambda(", "(omp)", " (omp)", "->", "f<A->B>", "x operator y"}) {
    short_name(text);
    without_return_type(text);
  }
}

}  // namespace
}  // namespace reprise::trace
