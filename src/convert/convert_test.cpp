#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "convert/write.hpp"
#include "simulate/test_support.hpp"

namespace reprise::convert {
namespace {

// Two ranks: one computes and sends without waiting, the other takes it from anybody.
trace::Trace two_ranks() {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Isend count=100 datatype=MPI_BYTE dest=1 tag=7\n"
      "[0 1]: MPI_Recv count=100 datatype=MPI_BYTE source=MPI_ANY_SOURCE tag=7 matched_source=0 "
      "matched_tag=7\n"
      "[1 0]: MPI_Pcontrol level=1\n"
      "[1 0]: MPI_Wait request=0\n");
  simulate::test::compute_before(trace, 0, {1500, 0});
  simulate::test::compute_before(trace, 2, {200, 0});
  return trace;
}

std::string written(const trace::Trace& trace, Format format, std::size_t which) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("reprise-convert-" + std::to_string(::getpid())))
          .string();
  const auto steps = Steps::beside(path, trace.ranks);
  const Status ok = collect(trace, {}, {}, *steps);
  EXPECT_TRUE(ok) << ok.error().message;
  EXPECT_TRUE(write_steps(*steps, format, path, {.flops = 1e9, .name = "two"}));
  const auto files = files_of(format, path, 2);
  std::ostringstream text;
  text << std::ifstream(files[which]).rdbuf();
  for (const std::string& f : files) std::filesystem::remove(f);
  return text.str();
}

TEST(Convert, Goal) {
  EXPECT_EQ(written(two_ranks(), Format::goal, 0),
            "num_ranks 2\n"
            "rank 0 {\n"
            "l0: calc 1500\n"
            "l1: send 100b to 1 tag 0\n"
            "l1 requires l0\n"
            "l2: calc 200\n"
            "l2 irequires l1\n"
            "}\n"
            "rank 1 {\n"
            "l0: recv 100b from 0 tag 0\n"
            "}\n");
}

// What has been waited for is over before the next step begins.
TEST(Convert, GoalWaits) {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "MPI_Irecv count=4 datatype=MPI_BYTE source=rank+1 tag=7\n"
      "MPI_Isend count=4 datatype=MPI_BYTE dest=rank+1 tag=7\n"
      "MPI_Waitall requests=(1 0)\n"
      "MPI_Pcontrol level=1\n");
  simulate::test::compute_before(trace, 3, {200, 200});
  const std::string text = written(trace, Format::goal, 0);
  EXPECT_EQ(text.substr(0, text.find("rank 1")),
            "num_ranks 2\n"
            "rank 0 {\n"
            "l0: recv 4b from 1 tag 0\n"
            "l1: send 4b to 1 tag 0\n"
            "l1 irequires l0\n"
            "l3: calc 200\n"
            "l3 requires l1\n"
            "l3 requires l0\n"
            "}\n");
}

TEST(Convert, TimeIndependent) {
  EXPECT_EQ(written(two_ranks(), Format::ti, 1),
            "0 init\n0 compute 1500\n0 isend 1 0 100\n0 compute 200\n0 wait 0 1 0\n0 finalize\n");
  EXPECT_EQ(written(two_ranks(), Format::ti, 2), "1 init\n1 recv 0 0 100\n1 finalize\n");
}

// Collective calls on files wait for all ranks, by messages where a format has no record for that.
TEST(Convert, CollectiveFileAccess) {
  const trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "MPI_File_open filename='a' amode=2 fh=0\n"
      "MPI_File_set_size fh=0 size=80\n"
      "MPI_File_close fh=0\n");
  const std::string text = written(trace, Format::ti, 1);
  const auto count = [&](std::string_view what) {
    int n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(count("send 1"), 3) << text;
  EXPECT_EQ(count("recv 1"), 3) << text;
}

TEST(Convert, Dimemas) {
  EXPECT_EQ(written(two_ranks(), Format::dimemas, 0),
            "#DIMEMAS:\"two\":1,00000000000000000155:2(1,1),1\n"
            "d:1:1:2:0:1\n"
            "1:0:0:0.000001500\n"
            "2:0:0:1:-1:100:0:1:2\n"
            "1:0:0:0.000000200\n"
            "1:1:0:0.000000000\n"
            "3:1:0:0:-1:100:0:1:0\n"
            "s:0:59\n"
            "s:1:116\n");
}

}  // namespace
}  // namespace reprise::convert
