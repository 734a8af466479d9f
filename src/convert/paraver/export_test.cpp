#include "convert/paraver/export.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyze/program_text.hpp"
#include "convert/paraver/mpi_values.hpp"
#include "simulate/test_support.hpp"

namespace reprise::convert::paraver {
namespace {

// Two ranks: one computes for 1.5 us and sends without waiting, the other takes it.
trace::Trace two_ranks() {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\n"
      "[1 0]: MPI_Isend count=100 datatype=MPI_BYTE dest=1 tag=7\n"
      "[0 1]: MPI_Recv count=200 datatype=MPI_BYTE source=MPI_ANY_SOURCE tag=7 matched_source=0 "
      "matched_tag=7\n"
      "[1 0]: MPI_Wait request=0\n"
      "[1 1]: MPI_Bcast count=5 datatype=MPI_INT root=1\n");
  simulate::test::compute_before(trace, 0, {1500, 0});
  return trace;
}

std::string exported(const FlatRange& range, const char* extension) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("reprise-paraver-" + std::to_string(::getpid()) + ".prv"))
                               .string();
  const auto ok = export_trace(two_ranks(), path, range, nullptr);
  EXPECT_TRUE(ok) << ok.error().message;
  std::ostringstream text;
  text << std::ifstream(path.substr(0, path.size() - 4) + extension).rdbuf();
  for (const std::string& f : files_of(path)) std::filesystem::remove(f);
  return text.str();
}

TEST(Paraver, WritesStatesEventsAndCommunications) {
  EXPECT_EQ(exported({}, ".prv"),
            "#Paraver (14/11/2023 at 22:13):1500_ns:1(2):1:2(1:1,1:1),1\n"
            "c:1:1:2:1:2\n"
            "1:1:1:1:1:0:1500:1\n"
            "2:2:1:2:1:0:50000001:2\n"
            "2:2:1:2:1:0:50000001:0\n"
            "2:2:1:2:1:0:50000002:7:50100001:20:50100002:0:50100004:1:50100003:1\n"
            "2:2:1:2:1:0:50000002:0\n"
            "2:1:1:1:1:1500:50000001:3\n"
            "2:1:1:1:1:1500:50000001:0\n"
            "2:1:1:1:1:1500:50000001:5\n"
            "2:1:1:1:1:1500:50000001:0\n"
            "2:1:1:1:1:1500:50000002:7:50100001:0:50100002:20:50100004:1\n"
            "2:1:1:1:1:1500:50000002:0\n"
            "3:1:1:1:1:1500:1500:2:1:2:1:0:0:100:7\n");
}

TEST(Paraver, LeavesOutWhatIsNotInRange) {
  const std::string text = exported({.first_rank = 1, .last_rank = 1}, ".prv");
  EXPECT_EQ(text.find("\n3:"), std::string::npos);
  EXPECT_EQ(text.find("\n2:1:"), std::string::npos);
  EXPECT_NE(text.find("\n2:2:"), std::string::npos);
  EXPECT_NE(text.find(":1:2(1:1,1:1),1\n"), std::string::npos);
}

TEST(Paraver, NamesValuesAndRows) {
  const std::string names = exported({}, ".pcf");
  EXPECT_NE(names.find("50000001    MPI Point-to-point\nVALUES\n2   MPI_Recv\n3   MPI_Isend\n"
                       "5   MPI_Wait\n0   Outside MPI\n"),
            std::string::npos)
      << names;
  EXPECT_NE(exported({}, ".row").find("LEVEL THREAD SIZE 2\nTHREAD 1.1.1\nTHREAD 1.2.1\n"),
            std::string::npos);
}

// Values as they stand in Extrae's manual and in the traces that come with Paraver.
TEST(Paraver, ValuesAreThoseOfExtrae) {
  const auto value = [](const char* name) { return value_of(*trace::find_function(name)); };
  EXPECT_EQ(value("MPI_Send"), (CallValue{CallType::point_to_point, 1}));
  EXPECT_EQ(value("MPI_Waitall"), (CallValue{CallType::point_to_point, 6}));
  EXPECT_EQ(value("MPI_Allreduce"), (CallValue{CallType::collective, 10}));
  EXPECT_EQ(value("MPI_Init"), (CallValue{CallType::other, 31}));
  EXPECT_EQ(value("MPI_Put"), (CallValue{CallType::one_sided, 65}));
  EXPECT_EQ(value("MPI_File_write_all"), (CallValue{CallType::io, 146}));
  EXPECT_EQ(value("MPI_Iexscan"), (CallValue{CallType::collective, 215}));
  EXPECT_EQ(name_of_value(215), "MPI_Iexscan");
  EXPECT_TRUE(name_of_value(216).empty());
}

}  // namespace
}  // namespace reprise::convert::paraver
