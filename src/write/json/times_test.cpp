#include "write/json/times.hpp"

#include <gtest/gtest.h>

#include "analyze/program_text.hpp"

namespace reprise::write {
namespace {

using nlohmann::ordered_json;

// Two ranks send three times: 200 ns in each call, 1000 ns of computation before it.
trace::Trace example() {
  return analyze::parse_program(
      "ranks 2\ntimes 1000 200\n3: MPI_Send count=1 datatype=MPI_INT dest=rank+1 tag=0\n");
}

TEST(TimesJson, WritesTheDeltasOfEachCall) {
  const ordered_json times = times_json(example());
  ASSERT_EQ(times.size(), 1u);
  const ordered_json& communicate = times[0]["communicate"];
  EXPECT_EQ(communicate["executions"], 6);
  EXPECT_EQ(communicate["total_ns"], 1200);
  EXPECT_EQ(communicate["min_ns"], 200);
  EXPECT_EQ(communicate["max_ns"], 200);
  EXPECT_EQ(communicate["histograms"],
            ordered_json::parse(R"([[{"count": 6, "sum_ns": 1200, "min_ns": 200, "max_ns": 200,
                                      "deviation_ns": 0.0}]])"));
  EXPECT_FALSE(communicate.contains("histogram_of"));
  EXPECT_EQ(communicate["counts"], ordered_json::parse(R"([{"value": 3, "count": 2, "step": 0}])"));
  const ordered_json& compute = times[0]["compute"];
  ASSERT_EQ(compute.size(), 1u);
  EXPECT_EQ(compute[0]["total_ns"], 6000);
}

TEST(TimesJson, SaysWhenceComputationLeadsToACall) {
  trace::Trace t = example();
  t.times[0].paths[0].from = trace::Path::kAny;
  EXPECT_EQ(times_json(t)[0]["compute"][0]["after"], nullptr);
  t.times[0].paths[0].from = trace::Path::kStart;
  EXPECT_EQ(times_json(t)[0]["compute"][0]["after"], "start");
  t.times[0].paths[0].from = 0;
  EXPECT_EQ(times_json(t)[0]["compute"][0]["after"], 0);
}

TEST(TimesJson, KeepsClassesOfStreamsApart) {
  trace::Trace t = example();
  trace::DeltaTimes& d = t.times[0].communicate;
  d.classes.resize(2);
  d.classes[0] = trace::Histogram(4);
  d.classes[1] = trace::Histogram(4);
  d.classes[0].add(100);
  d.classes[1].add(900);
  d.class_of = trace::Series({{.value = 0, .step = 1, .count = 2}});
  d.counts = trace::Series({{.value = 1, .count = 2}});
  const ordered_json out = times_json(t)[0]["communicate"];
  EXPECT_EQ(out["histogram_of"], ordered_json::parse(R"([{"value": 0, "count": 2, "step": 1}])"));
  ASSERT_EQ(out["histograms"].size(), 2u);
  EXPECT_EQ(out["histograms"][1][0]["sum_ns"], 900);
}

TEST(TimesJson, WritesADeltaWithoutExecutions) {
  trace::Trace t = example();
  t.times[0].communicate = {};
  EXPECT_EQ(times_json(t)[0]["communicate"], ordered_json({{"executions", 0}}));
}

}  // namespace
}  // namespace reprise::write
