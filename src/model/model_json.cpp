#include "model/model_json.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace reprise::model {
namespace {

using nlohmann::ordered_json;

constexpr int kVersion = 2;

ordered_json json_of(const Coefficient& c) {
  return {{"value", c.value},
          {"error", c.error},
          {"margin", c.margin},
          {"significant", c.is_significant}};
}

Coefficient coefficient(const ordered_json& j) {
  return {j.at("value").get<double>(), j.at("error").get<double>(), j.at("significant").get<bool>(),
          j.at("margin").get<double>()};
}

ordered_json json_of(const Plane& p) {
  return {{"alpha_s", json_of(p.alpha)},
          {"beta", json_of(p.beta)},
          {"gamma_bytes", json_of(p.gamma)},
          {"r_squared", p.r_squared},
          {"largest_error", p.largest_error}};
}

Plane plane(const ordered_json& j) {
  return {coefficient(j.at("alpha_s")), coefficient(j.at("beta")), coefficient(j.at("gamma_bytes")),
          j.at("r_squared").get<double>(), j.at("largest_error").get<double>()};
}

ordered_json json_of(const Range& r) { return {r.low, r.high}; }
Range range(const ordered_json& j) { return {j.at(0).get<double>(), j.at(1).get<double>()}; }

ordered_json json_of(const Region& r) {
  return {{"alpha_s", r.plane.alpha},        {"beta", r.plane.beta},
          {"gamma_bytes", r.plane.gamma},    {"samples", r.samples},
          {"latency_s", json_of(r.latency)}, {"bandwidth_bytes_per_s", json_of(r.bandwidth)}};
}

Region region(const ordered_json& j) {
  Region r;
  r.plane.alpha = j.at("alpha_s").get<double>();
  r.plane.beta = j.at("beta").get<double>();
  r.plane.gamma = j.at("gamma_bytes").get<double>();
  r.samples = j.at("samples").get<std::size_t>();
  r.latency = range(j.at("latency_s"));
  r.bandwidth = range(j.at("bandwidth_bytes_per_s"));
  return r;
}

ordered_json json_of(const fit::ScalingLaw& law) {
  ordered_json out{{"law", law.describe()}, {"left_out_error", law.error}, {"from", law.from}};
  for (std::size_t i = 0; i < law.terms.size(); ++i)
    out["terms"].push_back({fit::name_of(law.terms[i]), law.coefficients[i]});
  return out;
}

fit::ScalingLaw scaling_law(const ordered_json& j) {
  fit::ScalingLaw out;
  out.error = j.at("left_out_error").get<double>();
  out.from = j.at("from").get<double>();
  for (const auto& term : j.at("terms")) {
    const auto found = fit::find_scaling_term(term.at(0).get<std::string>());
    if (!found) throw std::invalid_argument("a law has a term that is unknown: " + term.dump());
    out.terms.push_back(*found);
    out.coefficients.push_back(term.at(1).get<double>());
  }
  return out;
}

ordered_json json_of(const fit::ScalingLawFit& fit) {
  ordered_json out = json_of(fit.law);
  out["rivals"] = ordered_json::array();
  for (const fit::ScalingLaw& rival : fit.rivals) out["rivals"].push_back(json_of(rival));
  return out;
}

fit::ScalingLawFit scaling_law_fit(const ordered_json& j) {
  fit::ScalingLawFit out{scaling_law(j), {}};
  for (const auto& rival : j.at("rivals")) out.rivals.push_back(scaling_law(rival));
  return out;
}

ordered_json json_of(const PathLaws& laws) {
  return {{"computation_s", json_of(laws.computation)},
          {"latencies", json_of(laws.latencies)},
          {"bytes", json_of(laws.bytes)}};
}

PathLaws path_laws(const ordered_json& j) {
  return {scaling_law_fit(j.at("computation_s")), scaling_law_fit(j.at("latencies")),
          scaling_law_fit(j.at("bytes"))};
}

ordered_json json_of(const std::optional<double>& v) {
  return v ? ordered_json(*v) : ordered_json();
}
std::optional<double> optional_of(const ordered_json& j) {
  if (j.is_null()) return std::nullopt;
  return j.get<double>();
}

ordered_json json_of(const OneSize& s) {
  ordered_json out{{"ranks", s.ranks},
                   {"file", s.file},
                   {"computation_s", s.computation},
                   {"locality_factor", s.locality},
                   {"plane", json_of(s.plane)},
                   {"corrected", json_of(s.corrected)},
                   {"tangents_error", s.tangents_error},
                   {"predicted_error", s.predicted_error},
                   {"predicted_error_left_out", json_of(s.predicted_error_left_out)},
                   {"left_out_error", json_of(s.left_out_error)},
                   {"alone",
                    {{"computation_s", s.alone.computation},
                     {"latencies", s.alone.latencies},
                     {"bytes", s.alone.bytes},
                     {"rest_s", s.alone.rest}}},
                   {"regions", ordered_json::array()}};
  for (const Region& r : s.regions) out["regions"].push_back(json_of(r));
  return out;
}

OneSize one_size(const ordered_json& j) {
  OneSize s;
  s.ranks = j.at("ranks").get<std::uint64_t>();
  s.file = j.at("file").get<std::string>();
  s.computation = j.at("computation_s").get<double>();
  s.locality = j.at("locality_factor").get<double>();
  s.plane = plane(j.at("plane"));
  s.corrected = plane(j.at("corrected"));
  s.tangents_error = j.at("tangents_error").get<double>();
  s.predicted_error = j.at("predicted_error").get<double>();
  s.predicted_error_left_out = optional_of(j.at("predicted_error_left_out"));
  s.left_out_error = optional_of(j.at("left_out_error"));
  const ordered_json& alone = j.at("alone");
  s.alone = {alone.at("computation_s").get<double>(), alone.at("latencies").get<double>(),
             alone.at("bytes").get<double>(), alone.at("rest_s").get<double>()};
  for (const auto& r : j.at("regions")) s.regions.push_back(region(r));
  for (const Region& r : s.regions) s.tangents.push_back(r.plane);
  return s;
}

ordered_json json_of(const OverRanks& law) {
  return {{"constant", json_of(law.constant)}, {"slope", json_of(law.slope)}};
}

OverRanks over_ranks(const ordered_json& j) {
  return {coefficient(j.at("constant")), coefficient(j.at("slope"))};
}

}  // namespace

std::string to_json(const Model& m) {
  ordered_json out{{"reprise_model", kVersion},
                   {"latency_s", json_of(m.latency)},
                   {"bandwidth_bytes_per_s", json_of(m.bandwidth)},
                   {"cpu_ratio", json_of(m.cpu_ratio)},
                   {"alpha_corrected", json_of(m.alpha)},
                   {"beta_corrected", json_of(m.beta)},
                   {"gamma_corrected", json_of(m.gamma)},
                   {"alone_laws", m.laws ? json_of(*m.laws) : ordered_json()},
                   {"sizes", ordered_json::array()}};
  for (const OneSize& s : m.sizes) {
    ordered_json& size = out["sizes"].emplace_back(json_of(s));
    // Table 1 of the paper: what the law over P says, and the product that should be alpha.
    const Point computing{.latency = 0, .inverse_bandwidth = 0};
    const auto ranks = static_cast<double>(s.ranks);
    size["alpha_corrected_by_law_s"] = time_at(m, ranks, computing, 1);
    size["alpha_by_law_s"] = time_at(m, ranks, computing, s.locality);
  }
  return out.dump(2, ' ', true, ordered_json::error_handler_t::replace) + "\n";
}

Result<Model> from_json(const std::string& text, const std::string& name) {
  try {
    const ordered_json j = ordered_json::parse(text);
    if (j.at("reprise_model").get<int>() != kVersion)
      return Error{name + " is a model of another version (this is version " +
                   std::to_string(kVersion) + "); make it anew"};
    Model m;
    m.latency = range(j.at("latency_s"));
    m.bandwidth = range(j.at("bandwidth_bytes_per_s"));
    m.cpu_ratio = range(j.at("cpu_ratio"));
    m.alpha = over_ranks(j.at("alpha_corrected"));
    m.beta = over_ranks(j.at("beta_corrected"));
    m.gamma = over_ranks(j.at("gamma_corrected"));
    if (!j.at("alone_laws").is_null()) m.laws = path_laws(j.at("alone_laws"));
    for (const auto& s : j.at("sizes")) m.sizes.push_back(one_size(s));
    if (m.sizes.empty())
      return Error{name + " is a model of no trace (sizes is empty); make it anew"};
    const bool is_borne_out =
        !m.laws || (m.sizes.size() >= fit::kLeastForScalingLaw &&
                    m.laws->from() <= static_cast<double>(m.sizes.back().ranks));
    if (!is_borne_out)
      return Error{name +
                   " has laws that none of its traces bear out (it was changed); make it anew"};
    return m;
  } catch (const std::exception& e) {
    return Error{
        name + " is not a model (" +
        (dynamic_cast<const nlohmann::json::parse_error*>(&e) ? "it is not JSON" : e.what()) +
        "); make one with `reprise model -o`"};
  }
}

}  // namespace reprise::model
