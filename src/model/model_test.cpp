#include "model/model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model_json.hpp"
#include "model/plot.hpp"
#include "simulate/test_support.hpp"

namespace reprise::model {
namespace {

TEST(Regression, FindsAPlaneAndHowSureItIs) {
  std::vector<std::vector<double>> rows;
  std::vector<double> y;
  for (int i = 0; i < 20; ++i) {
    rows.push_back({1, i * 1e-6, std::pow(0.5, i)});
    y.push_back(3 + 2e5 * rows.back()[1] + 7 * rows.back()[2]);
  }
  const Regression r = regress(rows, y, std::vector<double>(20, 1));
  EXPECT_NEAR(r.coefficients[0].value, 3, 1e-9);
  EXPECT_NEAR(r.coefficients[1].value, 2e5, 1e-3);
  EXPECT_NEAR(r.coefficients[2].value, 7, 1e-9);
  EXPECT_NEAR(r.r_squared, 1, 1e-12);
}

TEST(Regression, HasTheTextbooksStandardErrors) {
  // A line through (1, 1), (2, 3), (3, 2), (4, 4): 0.5 + 0.8 x, residual sum 1.8.
  const Regression r = regress({{1, 1}, {1, 2}, {1, 3}, {1, 4}}, {1, 3, 2, 4}, {1, 1, 1, 1});
  EXPECT_NEAR(r.coefficients[0].value, 0.5, 1e-12);
  EXPECT_NEAR(r.coefficients[1].value, 0.8, 1e-12);
  EXPECT_NEAR(r.coefficients[1].error, std::sqrt(0.9 / 5), 1e-12);
  EXPECT_NEAR(r.r_squared, 0.64, 1e-12);
  EXPECT_FALSE(r.coefficients[1].is_significant) << "t is 1.89, and 4.30 would be needed";
}

// Table 1 of the paper: alpha'(P) and the locality factors of NAS BT give its products.
TEST(Model, HasThePapersTableOne) {
  Model m;
  m.alpha = {{0.062, 0, true, 0}, {58.743, 0, true, 0}};
  const struct {
    double ranks, alpha, factor, product;
  } table[] = {{4, 14.748, 1.000, 14.748}, {9, 6.589, 0.986, 6.496},  {16, 3.734, 0.900, 3.361},
               {25, 2.412, 0.672, 1.620},  {36, 1.694, 0.575, 0.974}, {49, 1.261, 0.553, 0.697}};
  for (const auto& row : table) {
    EXPECT_NEAR(time_at(m, row.ranks, {0, 1e-9}, 1), row.alpha, 0.0006) << row.ranks;
    EXPECT_NEAR(time_at(m, row.ranks, {0, 1e-9}, row.factor), row.product, 0.0015) << row.ranks;
  }
}

// What is predicted with an error of 80 % of the truth is 0.2 to 1.8 times the truth.
TEST(Model, IsAsUncertainAsItsErrorsOfTheTruth) {
  Model m;
  m.alpha.slope.value = 8;
  OneSize& size = m.sizes.emplace_back();
  size.ranks = 4;
  size.predicted_error = 0.8;
  const Prediction by = predict(m, 4, {0, 1e-9});
  EXPECT_NEAR(by.paper.time, 2, 1e-12);
  EXPECT_NEAR(by.paper.low, 2 / 1.8, 1e-12);
  EXPECT_NEAR(by.paper.high, 2 / 0.2, 1e-12);
}

// A ring that shifts, with computation that shrinks with the ranks and with their caches.
trace::Trace ring(int ranks, double locality) {
  trace::Trace trace = analyze::parse_program(
      "ranks " + std::to_string(ranks) +
      "\n100:\n  MPI_Sendrecv sendcount=60000 sendtype=MPI_BYTE dest=rank+1 sendtag=3 recvcount=1 "
      "recvtype=MPI_BYTE source=rank+-1 recvtag=3\n");
  const auto ns = static_cast<std::int64_t>(4e7 / ranks * locality);
  simulate::test::compute_before(trace, 0,
                                 std::vector<std::int64_t>(static_cast<std::size_t>(ranks), ns));
  // What all executions took, as a trace has it.
  trace::DeltaTimes& compute = trace.times[0].paths[0].compute;
  compute.counts = trace::Series::constant(100);
  compute.sums = trace::Series::constant(100 * ns);
  return trace;
}

SamplingOptions few() {
  SamplingOptions o;
  o.samples = 40;
  return o;
}

TEST(Model, FindsTheFormulaOfARing) {
  std::vector<trace::Trace> traces;
  const double factors[] = {1, 0.9, 0.6, 0.55};
  int i = 0;
  for (const int ranks : {4, 9, 16, 25}) traces.push_back(ring(ranks, factors[i++]));
  std::vector<std::pair<std::string, const trace::Trace*>> named;
  for (const trace::Trace& t : traces) named.emplace_back("ring", &t);
  const auto model = make_model(named, {}, few());
  ASSERT_TRUE(model) << model.error().message;
  for (std::size_t k = 0; k < model->sizes.size(); ++k) {
    const OneSize& s = model->sizes[k];
    EXPECT_NEAR(s.locality, factors[k], 1e-6);
    EXPECT_LT(s.tangents_error, 0.001);
    EXPECT_LT(s.predicted_error, 0.3);
    EXPECT_NEAR(s.corrected.beta.value, s.plane.beta.value, 0.05 * s.plane.beta.value);
  }
  // Where bytes hide the second start-up: 100 latencies and messages.
  const Region& most = model->sizes[0].regions[0];
  EXPECT_TRUE(most.plane.beta == 100 || most.plane.beta == 200);
  const Prediction known = predict(*model, 16, {1e-5, 1e-9});
  EXPECT_FALSE(known.locality_is_fitted);
  EXPECT_TRUE(known.ours_is_of_trace);
  for (const Interval& by : {known.paper, *known.ours}) {
    EXPECT_LE(by.low, by.time);
    EXPECT_GE(by.high, by.time);
  }
  EXPECT_TRUE(predict(*model, 64, {1e-5, 1e-9}).locality_is_fitted);

  const auto again = from_json(to_json(*model), "the model");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_json(*again), to_json(*model));
  EXPECT_NE(plot_svg(*model, 1e-5, 1e9).find("</svg>"), std::string::npos);
}

// Ranks 0 and 1 take turns, as often as there are others: T = (P - 1) (2 L + 2 S / BW + c).
constexpr double kBytes = 5000, kComputed = 5e-6;
trace::Trace turns(int ranks) {
  std::string rest;
  for (int i = 2; i < ranks; ++i) rest += " 0";
  const std::string first = "  [1 0" + rest + "]: ", second = "  [0 1" + rest + "]: ";
  const std::string send = "MPI_Send count=5000 datatype=MPI_BYTE tag=0 dest=",
                    receive = "MPI_Recv count=5000 datatype=MPI_BYTE tag=0 source=";
  trace::Trace trace = analyze::parse_program(
      "ranks " + std::to_string(ranks) + "\n" + std::to_string(ranks - 1) + ":\n" + first + send +
      "1\n" + second + receive + "0\n" + second + send + "0\n" + first + receive + "1\n");
  std::vector<std::int64_t> compute(static_cast<std::size_t>(ranks));
  compute[0] = 5000;
  simulate::test::compute_before(trace, 0, compute);
  return trace;
}

double turns_take(int ranks, const Point& p) {
  return (ranks - 1) * (2 * p.latency + 2 * kBytes * p.inverse_bandwidth + kComputed / p.cpu_ratio);
}

Result<Model> model_of(const std::vector<trace::Trace>& traces, const SamplingOptions& options,
                       const simulate::Machine& machine = {}) {
  std::vector<std::pair<std::string, const trace::Trace*>> named;
  for (const trace::Trace& t : traces) named.emplace_back("turns", &t);
  return make_model(named, machine, options);
}

TEST(Laws, PredictSizesThatTheyHaveNotSeen) {
  std::vector<trace::Trace> traces;
  for (const int ranks : {4, 9, 16, 25, 36}) traces.push_back(turns(ranks));
  SamplingOptions options = few();
  options.cpu_ratio = {0.5, 4};
  const auto model = model_of(traces, options);
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_TRUE(model->laws);
  EXPECT_EQ(model->laws->latencies.law.describe(), "-2 + 2 P");
  EXPECT_EQ(model->laws->bytes.law.describe(), "-1e+04 + 1e+04 P");
  for (const OneSize& s : model->sizes) {
    ASSERT_TRUE(s.left_out_error);
    EXPECT_LT(*s.left_out_error, 1e-5) << s.ranks;
    EXPECT_NEAR(s.alone.computation, static_cast<double>(s.ranks - 1) * kComputed, 1e-12);
    EXPECT_LT(s.plane.largest_error, 1e-5);
    EXPECT_NEAR(s.plane.alpha.value, static_cast<double>(s.ranks - 1) * kComputed, 1e-9);
  }
  for (const Point& p : {Point{1e-5, 1e-9, 1}, Point{1e-4, 1e-10, 3}, Point{1e-6, 5e-8, 0.5}}) {
    for (const int ranks : {20, 64}) {
      const Prediction by = predict(*model, ranks, p);
      ASSERT_TRUE(by.ours);
      EXPECT_TRUE(by.is_ours_better());
      EXPECT_NEAR(by.ours->time / turns_take(ranks, p), 1, 1e-5) << ranks;
      EXPECT_LE(by.ours->low, by.ours->time);
      EXPECT_GE(by.ours->high, by.ours->time);
    }
  }
  EXPECT_TRUE(is_alpha_computation(*model));

  Model falling = *model;
  falling.laws->latencies.law.coefficients = {100, -1};
  EXPECT_TRUE(predict(falling, 64, {1e-5, 1e-9}).ours);
  EXPECT_FALSE(predict(falling, 128, {1e-5, 1e-9}).ours) << "there are no -28 latencies";
}

// On one node, with a wire of its own, all messages take 5 us and nothing is the network's.
TEST(Laws, HoldWhereNothingCrossesTheNetwork) {
  std::vector<trace::Trace> traces;
  for (const int ranks : {4, 9, 16, 25}) traces.push_back(turns(ranks));
  simulate::Machine machine;
  machine.processors = 25;
  machine.memory = {5'000'000, 0};
  machine.has_own_latency = machine.has_own_bandwidth = true;
  const auto model = model_of(traces, few(), machine);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_FALSE(is_alpha_computation(*model));
  for (const OneSize& s : model->sizes) {
    EXPECT_NEAR(s.alone.rest, static_cast<double>(s.ranks - 1) * 2 * 5e-6, 1e-12);
    EXPECT_EQ(s.alone.latencies, 0);
  }
  const Prediction by = predict(*model, 64, {1e-5, 1e-9});
  ASSERT_TRUE(by.ours);
  EXPECT_NEAR(by.ours->time, 63 * (2 * 5e-6 + kComputed), 1e-9);
}

TEST(Laws, AreNoneForFewTracesAndUntestedForFour) {
  std::vector<trace::Trace> traces;
  for (const int ranks : {4, 9}) traces.push_back(turns(ranks));
  const auto of_two = model_of(traces, few());
  ASSERT_TRUE(of_two) << of_two.error().message;
  const Interval untested = predict(*of_two, 64, {1e-5, 1e-9}).paper;
  EXPECT_GT(untested.high, 1.9 * untested.time) << "two points are on a line, whatever they are of";
  EXPECT_LT(untested.low, untested.time / 1.4);

  traces.push_back(turns(16));
  const auto of_three = model_of(traces, few());
  ASSERT_TRUE(of_three) << of_three.error().message;
  EXPECT_FALSE(of_three->laws);
  EXPECT_FALSE(predict(*of_three, 64, {1e-5, 1e-9}).ours);
  EXPECT_TRUE(predict(*of_three, 9, {1e-5, 1e-9}).ours) << "its trace tells";

  traces.push_back(turns(25));
  const auto of_four = model_of(traces, few());
  ASSERT_TRUE(of_four && of_four->laws);
  EXPECT_FALSE(of_four->sizes[1].left_out_error);
  const Interval wide = *predict(*of_four, 64, {1e-5, 1e-9}).ours;
  EXPECT_GT(wide.high, 1.9 * wide.time) << "nothing has shown that the laws hold";
}

TEST(Laws, WidenTheIntervalWhereTheyDoNotHold) {
  // One trace computes as if it were another program.
  std::vector<trace::Trace> traces;
  for (const int ranks : {4, 9, 16, 25, 36}) traces.push_back(turns(ranks));
  traces[2] = turns(16);
  simulate::test::compute_before(traces[2], 0, [] {
    std::vector<std::int64_t> ns(16);
    ns[0] = 400'000;
    return ns;
  }());
  const auto model = model_of(traces, few());
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_TRUE(model->laws);
  const Prediction by = predict(*model, 20, {1e-6, 1e-10});
  ASSERT_TRUE(by.ours);
  EXPECT_GT(by.ours->high, 1.5 * by.ours->time);
}

TEST(Model, SaysWhatIsNoModel) {
  EXPECT_FALSE(from_json("{}", "x"));
  EXPECT_FALSE(from_json("nonsense", "x"));
}

TEST(Model, SaysWhereLawsAreOfNoTrace) {
  std::vector<trace::Trace> traces;
  for (const int ranks : {4, 9, 16, 25}) traces.push_back(turns(ranks));
  const auto model = model_of(traces, few());
  ASSERT_TRUE(model && model->laws);
  EXPECT_TRUE(from_json(to_json(*model), "x"));
  Model later = *model;
  later.laws->bytes.law.from = 26;
  Model smaller = *model;
  smaller.sizes.resize(1);
  for (const Model& m : {later, smaller}) {
    const auto read = from_json(to_json(m), "x");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message,
              "x has laws that none of its traces bear out (it was changed); make it anew");
  }
}

TEST(Samples, AreSpreadEvenlyAndRepeat) {
  const auto points = draw(few());
  EXPECT_EQ(points.size(), 40u);
  std::vector<int> in_part(40);
  for (const Sample& s : points) {
    EXPECT_GE(s.latency, 0.99e-6);
    EXPECT_LE(s.latency, 1.01e-3);
    const double share = std::log(s.latency / 1e-6) / std::log(1e3);
    ++in_part[static_cast<std::size_t>(std::clamp(share * 40 + 1e-6, 0.0, 39.0))];
  }
  for (const int n : in_part) EXPECT_EQ(n, 1) << "a Latin hypercube has one in each part";
  EXPECT_EQ(draw(few())[7].latency, points[7].latency);
}

}  // namespace
}  // namespace reprise::model
