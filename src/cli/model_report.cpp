#include "cli/model_report.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "cli/text.hpp"

namespace reprise::cli {
namespace {

using model::Coefficient;
using model::Model;
using model::OneSize;
using model::Region;

// Where one plane is off by more than this, regions are shown.
constexpr double kOnePlane = 0.01;
constexpr std::size_t kShownRegions = 6;

std::string number(double v) { return fmt::format("{:.6g}", v); }
std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string with_error(const Coefficient& c) {
  if (!c.is_significant && c.value == 0) return "N.S.";
  return fmt::format("{:.6g} +- {:.2g}{}", c.value, c.error, c.is_significant ? "" : " (N.S.)");
}

void print_alpha(const Model& m) {
  Table table({"ranks", "alpha'(P)", "Loc.Factor(P)", "product", "alpha_P", "R2"}, 0);
  for (const OneSize& s : m.sizes) {
    const double alpha =
        m.alpha.constant.value + m.alpha.slope.value / static_cast<double>(s.ranks);
    table.add({std::to_string(s.ranks), number(alpha), fmt::format("{:.4f}", s.locality),
               number(alpha * s.locality), number(s.plane.alpha.value),
               fmt::format("{:.5f}", s.plane.r_squared)});
  }
  fmt::print("# computation on the critical path [s]\n{}", table.text());
}

void print_beta_and_gamma(const Model& m) {
  Table table({"ranks", "beta_P", "beta'_P", "gamma_P", "gamma'_P"}, 0);
  for (const OneSize& s : m.sizes) {
    table.add({std::to_string(s.ranks), with_error(s.plane.beta), with_error(s.corrected.beta),
               with_error(s.plane.gamma), with_error(s.corrected.gamma)});
  }
  fmt::print(
      "\n# latencies and bytes on the critical path, without and with the factor taken out\n{}",
      table.text());
}

void print_laws(const Model& m) {
  Table table({"alpha'_0", "alpha'_1", "beta'_0", "beta'_1", "gamma'_0", "gamma'_1"}, 0);
  std::vector<std::string> row;
  for (const auto* law : {&m.alpha, &m.beta, &m.gamma}) {
    row.push_back(with_error(law->constant));
    row.push_back(with_error(law->slope));
  }
  table.add(row);
  fmt::print(
      "\n# alpha' = alpha'_0 + alpha'_1 / P, beta' = beta'_0 + beta'_1 P, gamma' likewise\n{}",
      table.text());
}

void print_errors(const Model& m) {
  Table table({"ranks", "model over P", "one plane", "tangents", "better"}, 0);
  for (const OneSize& s : m.sizes) {
    const bool tangents = s.tangents_error < s.predicted_error;
    table.add({std::to_string(s.ranks), percent(s.predicted_error), percent(s.plane.largest_error),
               percent(s.tangents_error), tangents ? "tangents" : "model over P"});
  }
  fmt::print("\n# largest relative error on fresh samples\n{}", table.text());
}

void print_regions(const OneSize& s) {
  Table table({"samples", "alpha [s]", "beta", "gamma", "latency", "bandwidth"}, 0);
  std::size_t shown = 0;
  for (const Region& r : s.regions) {
    if (shown++ == kShownRegions) break;
    const auto rate = [](double v) { return bytes_text(static_cast<std::uint64_t>(v)) + "/s"; };
    table.add({std::to_string(r.samples), number(r.plane.alpha), number(r.plane.beta),
               number(r.plane.gamma),
               duration_text(r.latency.low * 1e9) + " to " + duration_text(r.latency.high * 1e9),
               rate(r.bandwidth.low) + " to " + rate(r.bandwidth.high)});
  }
  fmt::print("\n# {} ranks: {} of linearity; those with the most samples\n{}", s.ranks,
             counted(s.regions.size(), "region"), table.text());
}

}  // namespace

void print_model(const Model& m) {
  print_alpha(m);
  print_beta_and_gamma(m);
  print_laws(m);
  print_errors(m);
  for (const OneSize& s : m.sizes) {
    if (s.plane.largest_error > kOnePlane) print_regions(s);
  }
}

void print_prediction(const Model& m, const model::Prediction& p, double ranks, double latency,
                      double bandwidth, bool as_json) {
  if (as_json) {
    const nlohmann::ordered_json out{{"ranks", ranks},
                                     {"latency_s", latency},
                                     {"bandwidth_bytes_per_s", bandwidth},
                                     {"time_s", p.time},
                                     {"low_s", p.low},
                                     {"high_s", p.high},
                                     {"locality_factor", p.locality},
                                     {"locality_factor_is_fitted", p.locality_is_fitted},
                                     {"tangents_s", p.tangents}};
    fmt::print("{}\n", out.dump(2));
    return;
  }
  fmt::print("time             {} ({} to {})\n", duration_text(p.time * 1e9),
             duration_text(p.low * 1e9), duration_text(p.high * 1e9));
  fmt::print("locality factor  {:.4f}{}\n", p.locality,
             p.locality_is_fitted ? ", fitted: no trace has so many ranks" : "");
  if (p.tangents > 0)
    fmt::print("by tangents      {}, where one plane does not do\n",
               duration_text(p.tangents * 1e9));
  const bool is_outside = latency < m.latency.low || latency > m.latency.high ||
                          bandwidth < m.bandwidth.low || bandwidth > m.bandwidth.high;
  if (is_outside) fmt::print("# outside the range that the samples were drawn from\n");
}

}  // namespace reprise::cli
