// The program's text orders what no rank does.
#include "analyze/text/source_order.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::analyze {
namespace {

void add_names(const trace::Trace& trace, const trace::Item& item, std::string& out) {
  if (item.is_call())
    out += std::string(trace::function(trace.calls[item.call].function).name) + " ";
  for (const trace::Item& b : item.body) add_names(trace, b, out);
}

std::string calls_of(const std::string& program) {
  trace::Trace trace = parse_program(program);
  put_in_source_order(trace);
  std::string out;
  add_names(trace, trace.root, out);
  return out;
}

TEST(SourceOrder, OfBranchesOfOneLoop) {
  EXPECT_EQ(calls_of("ranks 2\n10:\n"
                     "  {0 1 ...}: MPI_Send dest=1 @main a.c:9\n"
                     "  {1 0 ...}: MPI_Recv source=1 @main a.c:7\n"),
            "MPI_Recv MPI_Send ");
}

TEST(SourceOrder, OfRanksThatDoOneEach) {
  EXPECT_EQ(calls_of("ranks 3\n"
                     "[1 0 0]: MPI_Send dest=1 @main a.c:9\n"
                     "[0 1 0]: MPI_Recv source=0 @main a.c:7\n"
                     "[0 0 1]: MPI_Barrier @main a.c:5\n"),
            "MPI_Barrier MPI_Recv MPI_Send ");
}

TEST(SourceOrder, NotOfWhatARankDoes) {
  EXPECT_EQ(calls_of("ranks 2\n10:\n"
                     "  {0 1 1 ...}: MPI_Send dest=1 @main a.c:9\n"
                     "  {1 0 1 ...}: MPI_Recv source=1 @main a.c:7\n"),
            "MPI_Send MPI_Recv ");
}

TEST(SourceOrder, WhereCallPathsPart) {
  EXPECT_EQ(calls_of("ranks 2\n"
                     "[1 0]: MPI_Send dest=1 @main a.c:9 > put b.c:3\n"
                     "[0 1]: MPI_Recv source=0 @main a.c:7 > get b.c:8\n"),
            "MPI_Recv MPI_Send ");
  // Functions called from one line have no order.
  EXPECT_EQ(calls_of("ranks 2\n"
                     "[1 0]: MPI_Send dest=1 @main a.c:9 > put b.c:8\n"
                     "[0 1]: MPI_Recv source=0 @main a.c:9 > get b.c:3\n"),
            "MPI_Send MPI_Recv ");
}

}  // namespace
}  // namespace reprise::analyze
