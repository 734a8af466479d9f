#include "convert/mpip/export.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyze/program_text.hpp"

namespace reprise::convert::mpip {
namespace {

std::string report_on(const trace::Trace& trace, std::size_t depth) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("reprise-mpip-" + std::to_string(::getpid()) + ".mpiP"))
                               .string();
  const Status ok = export_report(trace, path, {depth, "a test"});
  EXPECT_TRUE(ok) << ok.error().message;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

// From MPI_Init to MPI_Finalize each rank makes four calls of 200 ns, and computes for 1,000 ns
// before each and before MPI_Finalize.
constexpr const char* kProgram = R"(
ranks 2
program ./app 3
times 1000 200
MPI_Init @ main a.c:3
3:
  [1 0]: MPI_Send count={1 2 4} datatype=MPI_INT dest=1 tag=0 @ main a.c:9 > put b.c:3
  [0 1]: MPI_Recv count=4 datatype=MPI_INT source=0 tag=0 @ main a.c:9 > put b.c:5
MPI_Bcast count=5 datatype=MPI_INT root=0 @ main a.c:11
MPI_Finalize @ main a.c:12
)";

// Laid out as by the formats of print_section_heading and mpiP_Report_Formats in mpiP's report.c.
TEST(Mpip, WritesTheSectionsOfAReport) {
  const std::string report = report_on(analyze::parse_program(kProgram), 2);
  EXPECT_TRUE(report.starts_with("@ mpiP\n@ Command : ./app 3 \n@ Version                  : "))
      << report;
  EXPECT_NE(report.find("@ MPIP env var             : -e -k 2\n"), std::string::npos) << report;
  EXPECT_EQ(report.substr(report.find("@ MPI Task")),
            R"(@ MPI Task Assignment      : 0 [unknown]
@ MPI Task Assignment      : 1 [unknown]

---------------------------------------------------------------------------
@--- MPI Time (seconds) ---------------------------------------------------
---------------------------------------------------------------------------
Task    AppTime    MPITime     MPI%
   0   0.000006   0.000001    13.79
   1   0.000006   0.000001    13.79
   *   0.000012   0.000002    13.79
---------------------------------------------------------------------------
@--- Callsites: 3 ---------------------------------------------------------
---------------------------------------------------------------------------
 ID Lev File/Address        Line Parent_Funct             MPI_Call
  1   0 a.c                   11 main                     Bcast
  2   0 b.c                    5 put                      Recv
  2   1 a.c                    9 main                     
  3   0 b.c                    3 put                      Send
  3   1 a.c                    9 main                     
---------------------------------------------------------------------------
@--- Aggregate Time (top twenty, descending, milliseconds) ----------------
---------------------------------------------------------------------------
Call                 Site       Time    App%    MPI%      Count
Recv                    2   0.000600    5.17   37.50          3
Send                    3   0.000600    5.17   37.50          3
Bcast                   1   0.000400    3.45   25.00          2
---------------------------------------------------------------------------
@--- Aggregate Sent Message Size (top twenty, descending, bytes) ----------
---------------------------------------------------------------------------
Call                 Site      Count      Total       Avrg  Sent%
Send                    3          3         28      9.333  58.33
Bcast                   1          2         20     10.000  41.67
---------------------------------------------------------------------------
@--- Callsite Time statistics (all, milliseconds): 4 ----------------------
---------------------------------------------------------------------------
Name              Site Rank  Count      Max     Mean      Min   App%   MPI%
Bcast                1    0      1 0.000200 0.000200 0.000200   3.45  25.00
Bcast                1    1      1 0.000200 0.000200 0.000200   3.45  25.00
Bcast                1    *      2 0.000200 0.000200 0.000200   3.45  25.00

Recv                 2    1      3 0.000200 0.000200 0.000200  10.34  75.00
Recv                 2    *      3 0.000200 0.000200 0.000200   5.17  37.50

Send                 3    0      3 0.000200 0.000200 0.000200  10.34  75.00
Send                 3    *      3 0.000200 0.000200 0.000200   5.17  37.50
---------------------------------------------------------------------------
@--- Callsite Message Sent statistics (all, sent bytes) -------------------
---------------------------------------------------------------------------
Name              Site Rank   Count       Max      Mean       Min       Sum
Bcast                1    0       1        20    20.000        20        20
Bcast                1    *       1        20    20.000        20        20

Send                 3    0       3        16     9.333         4        28
Send                 3    *       3        16     9.333         4        28
---------------------------------------------------------------------------
@--- End of Report --------------------------------------------------------
---------------------------------------------------------------------------
)");
}

TEST(Mpip, CallSitesDifferInAsManyFramesAsAskedFor) {
  const trace::Trace trace = analyze::parse_program(R"(
ranks 1
times 0 1
MPI_Barrier @ main a.c:1 > meet b.c:2
MPI_Barrier @ main a.c:3 > meet b.c:2
MPI_Barrier
)");
  EXPECT_NE(report_on(trace, 1).find("@--- Callsites: 2 "), std::string::npos);
  const std::string deep = report_on(trace, 2);
  EXPECT_NE(deep.find("@--- Callsites: 3 "), std::string::npos) << deep;
  EXPECT_NE(deep.find("0x0                      [unknown]                Barrier\n"),
            std::string::npos)
      << deep;
}

TEST(Mpip, RefusesATraceWithoutCallSites) {
  const Status ok = export_report(analyze::parse_program("ranks 1\ntimes 0 1\nMPI_Init\n"),
                                  "/dev/null", {1, "a test"});
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().message, "it has no call between MPI_Init and MPI_Finalize");
}

}  // namespace
}  // namespace reprise::convert::mpip
