#include "cli/simulate/model_report.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "cli/say.hpp"
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
constexpr const char* kWhatIsRest =
    "time of messages within nodes, of overheads and gaps, or of files, which it should not";

std::string number(double v) { return fmt::format("{:.6g}", v); }
std::string error_text(double share) { return fmt::format("{:.2f} %", 100 * share); }

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
  say("# computation on the critical path [s]\n{}", table.text());
  if (!model::is_alpha_computation(m))
    say("# a CPU ratio or factor also divides the {}\n", kWhatIsRest);
}

void print_beta_and_gamma(const Model& m) {
  Table table({"ranks", "beta_P", "beta'_P", "gamma_P", "gamma'_P"}, 0);
  for (const OneSize& s : m.sizes) {
    table.add({std::to_string(s.ranks), with_error(s.plane.beta), with_error(s.corrected.beta),
               with_error(s.plane.gamma), with_error(s.corrected.gamma)});
  }
  say("\n# latencies and bytes on the critical path, without and with the factor taken out\n{}",
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
  say("\n# alpha' = alpha'_0 + alpha'_1 / P, beta' = beta'_0 + beta'_1 P, gamma' likewise\n{}",
      table.text());
}

std::string error_text(const std::optional<double>& share) {
  return share ? error_text(*share) : "-";
}

// Which model is off by less, where a trace is and where none is.
std::string better_of(const OneSize& s) {
  const std::string here = s.tangents_error < s.predicted_error ? "tangents" : "formula";
  if (!s.left_out_error || !s.predicted_error_left_out) return here;
  return here + ", " + (*s.left_out_error < *s.predicted_error_left_out ? "laws" : "formula");
}

void print_errors(const Model& m) {
  Table table(
      {"ranks", "formula over P", "one plane", "tangents", "P left out: formula", "laws", "better"},
      0);
  for (const OneSize& s : m.sizes) {
    table.add({std::to_string(s.ranks), error_text(s.predicted_error),
               error_text(s.plane.largest_error), error_text(s.tangents_error),
               error_text(s.predicted_error_left_out), error_text(s.left_out_error), better_of(s)});
  }
  say("\n# largest relative error on fresh samples\n{}", table.text());
}

// Our model over P: what stands alone, and its laws.
void print_alone(const Model& m) {
  Table table({"ranks", "computation [s]", "latencies", "bytes"}, 0);
  for (const OneSize& s : m.sizes) {
    table.add({std::to_string(s.ranks), number(s.alone.computation), number(s.alone.latencies),
               number(s.alone.bytes)});
  }
  say("\n# what the longest path has where nothing else takes time\n{}", table.text());
  if (!m.laws) {
    say("# no laws over P: {}\n", m.sizes.size() < fit::kLeastForScalingLaw
                                      ? "they take four traces"
                                      : "these numbers follow none of those that Reprise knows");
    return;
  }
  Table laws({"", "law", "from", "left out"}, 2);
  const auto add = [&](const char* name, const fit::ScalingLawFit& fit) {
    std::string text = fit.law.describe();
    if (!fit.rivals.empty())
      text += fmt::format(", or {} as good", counted(fit.rivals.size(), "other"));
    laws.add({name, std::move(text), fmt::format("{:g} ranks", fit.law.from),
              error_text(fit.law.error)});
  };
  add("computation [s]", m.laws->computation);
  add("latencies", m.laws->latencies);
  add("bytes", m.laws->bytes);
  say("{}", laws.text());
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
  say("\n# {} ranks: {} of linearity; those with the most samples\n{}", s.ranks,
      counted(s.regions.size(), "region"), table.text());
}

}  // namespace

void print_model(const Model& m) {
  print_alpha(m);
  print_beta_and_gamma(m);
  print_laws(m);
  print_alone(m);
  print_errors(m);
  for (const OneSize& s : m.sizes) {
    if (s.plane.largest_error > kOnePlane) print_regions(s);
  }
}

namespace {

nlohmann::ordered_json json_of(const model::Interval& i) {
  return {{"time_s", i.time}, {"low_s", i.low}, {"high_s", i.high}};
}

std::string text_of(const model::Interval& i) {
  return fmt::format("{} ({} to {})", duration_text(i.time * 1e9), duration_text(i.low * 1e9),
                     duration_text(i.high * 1e9));
}

bool is_outside(double v, const model::Range& range) {
  constexpr double kRounding = 1e-9;
  return v < range.low * (1 - kRounding) || v > range.high * (1 + kRounding);
}

bool is_outside(const Model& m, const model::Point& p) {
  return is_outside(p.latency, m.latency) || is_outside(1 / p.inverse_bandwidth, m.bandwidth) ||
         is_outside(p.cpu_ratio, m.cpu_ratio);
}

bool is_ratio_exact(const Model& m, const model::Point& p) {
  return p.cpu_ratio == 1 || model::is_alpha_computation(m);
}

}  // namespace

void print_prediction(const Model& m, const model::Prediction& p, double ranks,
                      const model::Point& point, bool as_json) {
  const char* ours = p.ours_is_of_trace ? "tangents" : "laws";
  if (as_json) {
    nlohmann::ordered_json out{{"ranks", ranks},
                               {"latency_s", point.latency},
                               {"bandwidth_bytes_per_s", 1 / point.inverse_bandwidth},
                               {"cpu_ratio", point.cpu_ratio}};
    out.update(json_of(p.better()));
    out["by"] = p.is_ours_better() ? ours : "formula";
    out["formula"] = json_of(p.paper);
    if (p.ours) out[ours] = json_of(*p.ours);
    out["locality_factor"] = p.locality;
    out["locality_factor_is_fitted"] = p.locality_is_fitted;
    out["laws_from"] = m.laws ? nlohmann::ordered_json(m.laws->from()) : nlohmann::ordered_json();
    out["outside_samples"] = is_outside(m, point);
    out["cpu_ratio_is_exact"] = is_ratio_exact(m, point);
    say_json(out);
    return;
  }
  say("time             {}, by {}\n", text_of(p.better()),
      p.is_ours_better() ? (p.ours_is_of_trace ? "the tangents of the trace" : "laws over P")
                         : "the formula");
  if (p.is_ours_better()) {
    say("by the formula   {}\n", text_of(p.paper));
  } else if (p.ours) {
    say("by {:<13} {}\n", ours, text_of(*p.ours));
  }
  say("locality factor  {:.4f}{}\n", p.locality,
      p.locality_is_fitted ? ", fitted: no trace has so many ranks" : "");
  if (p.ours && !p.ours_is_of_trace && ranks < m.laws->from())
    say("# the laws hold from {:g} ranks on\n", m.laws->from());
  if (is_outside(m, point)) say("# outside the range that the samples were drawn from\n");
  if (!is_ratio_exact(m, point)) say("# the CPU ratio also divides the {}\n", kWhatIsRest);
}

}  // namespace reprise::cli
