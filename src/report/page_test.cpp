#include "report/page.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "report/page_data.hpp"

namespace reprise::report {
namespace {

std::string base64(std::string_view text) {
  return base64_of({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// The examples of RFC 4648, section 10.
TEST(Page, EncodesBytesAsRfc4648Says) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Page, HoldsTheTraceAndItsData) {
  const std::vector<std::uint8_t> body{1, 2, 3};
  const std::string page = page_of({{"answer", 42}}, body);
  EXPECT_NE(page.find("{\"answer\":42}"), std::string::npos);
  EXPECT_NE(page.find(">AQID<"), std::string::npos);
}

TEST(Page, TextOfATraceIsNoMarkup) {
  const std::string page = page_of({{"program", "</script><script>alert(1)<!--"}}, {});
  EXPECT_EQ(page.find("alert(1)<"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)\\u003c!--"), std::string::npos);
}

TEST(PageData, LinesOfAProcedureHaveTheCallsOfAllItsPlaces) {
  // Two places call `put`, which makes two calls each time.
  const trace::Trace t = analyze::parse_program(
      "ranks 2\n"
      "MPI_Barrier @ main a.c:1 > put b.c:3\n"
      "MPI_Allreduce count=1 datatype=MPI_INT op=MPI_SUM @ main a.c:1 > put b.c:4\n"
      "MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:2\n"
      "MPI_Barrier @ main a.c:5 > put b.c:3\n"
      "MPI_Allreduce count=1 datatype=MPI_INT op=MPI_SUM @ main a.c:5 > put b.c:4\n");
  const auto data = page_data(t);
  ASSERT_TRUE(data);
  std::vector<std::vector<int>> calls;
  for (const auto& line : (*data)["program"]["lines"]) {
    if (!line["calls"].empty()) calls.push_back(line["calls"].get<std::vector<int>>());
  }
  const std::vector<std::vector<int>> expected{{0, 3}, {1, 4}, {0, 1}, {2}, {3, 4}};
  EXPECT_EQ(calls, expected) << (*data)["program"].dump(1);
}

}  // namespace
}  // namespace reprise::report
