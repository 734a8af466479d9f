#include "write/python/write.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "analyze/program_text.hpp"

namespace reprise::write::python {
namespace {

std::string refusal(const std::string& program) {
  const auto text = write(analyze::parse_program(program), "a.reprise", times::Detail::full);
  return text ? std::string() : text.error().message;
}

TEST(PythonWrite, RefusesCallsThatMpi4pyDoesNotHave) {
  EXPECT_EQ(refusal("ranks 2\nMPI_Init\n"
                    "MPI_Isendrecv sendcount=1 sendtype=MPI_INT dest=0 sendtag=0 recvcount=1 "
                    "recvtype=MPI_INT source=0 recvtag=0\n"),
            "a.reprise cannot be written in Python: MPI_Isendrecv (mpi4py 3.1 does not have it)");
  EXPECT_EQ(refusal("ranks 2\nMPI_Init\nMPI_Bcast count=1 datatype=MPI_2INTEGER root=0\n"),
            "a.reprise cannot be written in Python: mpi4py 3.1 does not have the datatype "
            "MPI_2INTEGER");
}

// Texts that differ from execution to execution come from tables of their characters.
TEST(PythonWrite, TakesTextsFromTables) {
  const auto program = write(
      analyze::parse_program(
          "ranks 2\nMPI_Init\n"
          "4:\n"
          "  MPI_File_open filename=({3 1 3 3}){97 98 99 100 98 97 97 98 97 97} amode=2 fh=0\n"
          "  MPI_File_close fh=0\n"),
      "a.reprise", times::Detail::full);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_NE(program->find("file_name(characters("), std::string::npos) << *program;
}

// Each line that names of a trace are in is a comment, behind the two lines in which Python looks
// for the encoding of the file.
TEST(PythonWrite, LeavesHostileNamesInComments) {
  trace::Trace trace = analyze::parse_program(
      "ranks 2\nMPI_Init @ main a.c:1\nMPI_Barrier @ main a.c:2 > f b.c:3\n"
      "MPI_Barrier @ main a.c:2 > f b.c:4\nMPI_Finalize @ main a.c:5\n");
  const std::string hostile = "\"\"\"\nHOSTILE # coding: utf-7\r\xe2\x80\xa8HOSTILE";
  trace.program = hostile;
  for (std::string& text : trace.texts) {
    if (!text.empty()) text += hostile;
  }
  const auto program = write(trace, hostile, times::Detail::full);
  ASSERT_TRUE(program) << program.error().message;
  std::istringstream lines(*program);
  std::size_t number = 0, found = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::size_t at = line.find("HOSTILE");
    if (at == std::string::npos) continue;
    // In a function's name, only letters, digits and underscores are left of it.
    const bool is_comment = line.find('#') < at;
    const bool is_name = line.find_first_of("\"#\r\\") == std::string::npos;
    EXPECT_TRUE(is_comment || is_name) << line;
    EXPECT_GT(number, 2u);
    ++found;
  }
  EXPECT_GT(found, 2u);
}

}  // namespace
}  // namespace reprise::write::python
