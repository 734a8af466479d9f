#include "write/json/program.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "analyze/program_text.hpp"
#include "program/build.hpp"
#include "trace/values/special.hpp"
#include "write/json/numbers.hpp"

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
    "encoding": "absolute", "by_loop": {"index": "i0", "first": 0}}})"));
}

TEST(ProgramJson, NamesOfLongStepsAreFew) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 61;
  const auto least = std::numeric_limits<std::int64_t>::min();
  const auto from_special = trace::Series(
      {{.value = trace::kSpecialBase + trace::kSpecialCount - 2, .step = 1, .count = kMany}});
  const ordered_json run = series_json(kPlainNumber, from_special, kMany);
  ASSERT_EQ(run.size(), 3u);
  EXPECT_EQ(run[2], ordered_json({{"value", least + 63}, {"count", kMany - 2}, {"step", 1}}));
  const auto to_special =
      trace::Series({{.value = trace::kSpecialBase + 1000, .step = -1, .count = 1000}});
  const ordered_json down = series_json(kPlainNumber, to_special, 1000);
  ASSERT_EQ(down.size(), 63u);
  EXPECT_EQ(down[0], ordered_json({{"value", least + 1000}, {"count", 938}, {"step", -1}}));
  EXPECT_EQ(down[62], "MPI_PROC_NULL");
  // Passes of what has a special value.
  const trace::Term body{.value = trace::kProcNull, .count = 2};
  const auto passes = trace::Series({{.step = 1, .count = kMany, .period = 2, .body = {body}}});
  const ordered_json inner = {{"value", least + 1}, {"count", 2}, {"step", 0}};
  EXPECT_EQ(series_json(kPlainNumber, passes, 2 * kMany),
            ordered_json::array(
                {{{"repeat", ordered_json::array({inner})}, {"count", kMany}, {"step", 1}}}));
  const trace::Column datatype{"datatype", trace::Kind::datatype, -1};
  const auto types = trace::Series({{.value = 3, .step = 2, .count = kMany}});
  EXPECT_EQ(series_json(datatype, types, kMany),
            ordered_json::array({{{"value", 3}, {"count", kMany}, {"step", 2}}}));
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
