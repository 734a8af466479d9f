#include "convert/text/import.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::convert::text {
namespace {

namespace fs = std::filesystem;

class TextImport : public ::testing::Test {
 protected:
  TextImport() { fs::create_directories(folder_); }
  ~TextImport() override { fs::remove_all(folder_); }

  void log(int rank, const std::string& text) {
    std::ofstream(folder_ / ("rank-" + std::to_string(rank) + "-thread-0.log")) << text;
  }
  Result<trace::Trace> import() {
    ImportSettings settings;
    settings.times.precision = 0;
    return import_logs(*trace::find_flat_logs(folder_.string()), settings);
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "text_import_test";
};

TEST_F(TextImport, LinesHaveTimesAndCallPaths) {
  log(0,
      "# two ranks\n"
      "0 100 MPI_Init\n"
      "150 170 MPI_Send count=8 dest=1 tag=3 @ main a.c:12 > put b.c:4\n"
      "200 210 MPI_Finalize @ main a.c:12\n");
  log(1,
      "0 100 MPI_Init\n"
      "\n"
      "120 180 MPI_Recv count=8 source=0 tag=3 @ main a.c:12\n"
      "200 210 MPI_Finalize @ main a.c:12\n");
  const auto trace = import();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->ranks, 2u);
  EXPECT_TRUE(trace->symbolized);
  trace::Cursor cursor(*trace, 0);
  ASSERT_TRUE(cursor.next() && cursor.next());
  EXPECT_EQ(cursor.event().function->name, "MPI_Send");
  const std::uint32_t call = cursor.event().call;
  EXPECT_EQ(trace::Places(*trace).path_text(trace->calls[call].callpath),
            "main a.c:12 > put b.c:4");
  ASSERT_EQ(trace->times.size(), trace->calls.size());
  EXPECT_EQ(trace->times[call].communicate.sum_of(0), 20);
  EXPECT_EQ(trace->times[call].paths.at(0).compute.sum_of(0), 50);
}

TEST_F(TextImport, TimesAreOptional) {
  log(0, "MPI_Init\nMPI_Barrier comm=comm:world\nMPI_Finalize\n");
  const auto trace = import();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_TRUE(trace->times.empty());
}

TEST_F(TextImport, ProblemsHaveAPlace) {
  log(0, "0 100 MPI_Init\n90 120 MPI_Barrier\n");
  const auto trace = import();
  ASSERT_FALSE(trace);
  EXPECT_NE(trace.error().message.find("rank-0-thread-0.log:2 makes no sense (the call begins "
                                       "before the last one has ended)"),
            std::string::npos)
      << trace.error().message;
  log(0, "0 100 MPI_Init\nMPI_Barrier\n");
  EXPECT_FALSE(import());
  log(0, "0 100 MPI_Init oops=2\n");
  EXPECT_FALSE(import());
}

}  // namespace
}  // namespace reprise::convert::text
