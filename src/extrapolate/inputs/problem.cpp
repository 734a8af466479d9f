#include "extrapolate/inputs/problem.hpp"

namespace reprise::extrapolate {

Problem::Problem(std::span<const ProblemParameter> parameters, std::span<const std::size_t> inputs)
    : of_run_(inputs.size()) {
  for (const ProblemParameter& p : parameters) {
    names_.push_back(p.name);
    wanted_.push_back(p.wanted);
    for (std::size_t run = 0; run < inputs.size(); ++run) {
      of_run_[run].push_back(p.values[inputs[run]]);
    }
  }
}

infer::Samples Problem::add_to(infer::Samples samples) const {
  if (empty() || samples.worlds.size() != of_run_.size()) return samples;
  for (std::size_t run = 0; run < of_run_.size(); ++run) {
    for (infer::Sample& s : samples.worlds[run].samples) {
      s.parameters.insert(s.parameters.end(), of_run_[run].begin(), of_run_[run].end());
    }
  }
  // Indices where the law is wanted are those of the last sample; they are as good as others.
  samples.wanted.assign(samples.parameters.size(), 0);
  for (const infer::WorldSamples& w : samples.worlds) {
    if (w.samples.empty()) continue;
    const auto& last = w.samples.back().parameters;
    samples.wanted.assign(last.begin(), last.begin() + std::ssize(samples.parameters));
  }
  samples.parameters.insert(samples.parameters.end(), names_.begin(), names_.end());
  samples.declared = names_.size();
  samples.wanted.insert(samples.wanted.end(), wanted_.begin(), wanted_.end());
  return samples;
}

std::vector<expr::Binding> Problem::bindings(const std::vector<std::int64_t>& values) const {
  std::vector<expr::Binding> out;
  for (std::size_t p = 0; p < names_.size(); ++p) out.push_back({names_[p], values[p]});
  return out;
}

std::vector<expr::Binding> Problem::bindings_in(std::size_t run) const {
  return bindings(of_run_[run]);
}

std::vector<expr::Binding> Problem::bindings_wanted() const { return bindings(wanted_); }

}  // namespace reprise::extrapolate
