#include "write/json/program.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"
#include "program/build.hpp"

namespace reprise::write {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const std::string& text) {
  const trace::Trace trace = analyze::parse_program(text);
  return program_json(program::explain(trace));
}

// The value of an argument of the first call.
ordered_json argument(const ordered_json& program, const std::string& name) {
  for (const ordered_json& a : program["body"][0]["arguments"]) {
    if (a["name"] == name) return a.contains("elements") ? a["elements"] : a["value"];
  }
  return nullptr;
}

TEST(ProgramJson, WritesExpressionsAsTrees) {
  const ordered_json program =
      json_of("ranks 8\nMPI_Send count=[0 3 6 9 12 15 18 21] datatype=MPI_INT dest=rank+1\n");
  EXPECT_EQ(argument(program, "count"), ordered_json::parse(R"({"expression": ["*", "rank", 3]})"));
  EXPECT_EQ(argument(program, "datatype"),
            ordered_json::parse(R"({"expression": {"constant": "MPI_INT"}})"));
  EXPECT_EQ(argument(program, "dest"),
            ordered_json::parse(R"({"expression": ["%", ["+", "rank", 1], "ranks"]})"));
}

TEST(ProgramJson, WritesTablesOfExecutions) {
  const ordered_json program =
      json_of("ranks 1\n5: MPI_Bcast count={5 5 5 2 2} datatype=MPI_INT root=0\n");
  const ordered_json& loop = program["body"][0];
  EXPECT_EQ(loop["kind"], "loop");
  EXPECT_EQ(loop["index"], "i0");
  EXPECT_EQ(loop["trips"], ordered_json::parse(R"({"expression": 5})"));
  EXPECT_EQ(argument(loop, "count"), ordered_json::parse(R"({"sequence": {
    "values": [{"value": 5, "count": 3, "step": 0}, {"value": 2, "count": 2, "step": 0}], "length": 5, "scope": 0, "each_time": false,
    "encoding": "absolute"}})"));
}

TEST(ProgramJson, WritesWhoExecutesANode) {
  const ordered_json program =
      json_of("ranks 4\n[1 0 0 0]: MPI_Barrier\n[0 1 1 1]: MPI_Bcast count=1 root=0\n");
  EXPECT_EQ(program["body"][0]["kind"], "branch");
  EXPECT_EQ(program["body"][0]["who"], ordered_json::parse(R"({"condition": ["==", "rank", 0]})"));
  EXPECT_EQ(program["body"][1]["kind"], "otherwise");
}

TEST(ProgramJson, PassesWhatDiffersToProcedures) {
  const std::string body = " > f a.c:8\nMPI_Barrier @ main a.c:LINE > f a.c:9\n";
  std::string text = "ranks 2\n";
  for (const char* line : {"1", "2"}) {
    std::string two = std::string("MPI_Bcast count=") + line + " root=0 @ main a.c:" + line + body;
    two.replace(two.find("LINE"), 4, line);
    text += two;
  }
  const ordered_json program = json_of(text);
  EXPECT_EQ(program["procedures"][0]["name"], "f");
  EXPECT_EQ(program["procedures"][0]["parameters"], ordered_json({"count"}));
  EXPECT_EQ(argument(program["procedures"][0], "count"),
            ordered_json::parse(R"({"parameter": "count"})"));
  EXPECT_EQ(program["body"][1]["procedure"], "f");
  EXPECT_EQ(program["body"][1]["passed"],
            ordered_json::parse(R"([{"name": "count", "value": {"expression": 2}}])"));
  EXPECT_EQ(program["body"][1]["calls"], ordered_json({2, 3}));
}

}  // namespace
}  // namespace reprise::write
