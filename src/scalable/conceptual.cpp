#include "scalable/conceptual.hpp"

#include "scalable/explain.hpp"
#include "write/conceptual/write.hpp"

namespace reprise::scalable {

using write::conceptual::Sample;

Result<std::string> write_conceptual(const ScalableTrace& scalable,
                                     const generate::Options& options) {
  const extrapolate::Scalable& program = scalable.program;
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < program.ranks.size(); ++i) {
    Wanted wanted{.ranks = program.ranks[i], .times = false};
    std::vector<std::int64_t> sizes;
    for (const auto& p : scalable.parameters) {
      wanted.parameters.emplace_back(p.name, p.values[i]);
      sizes.push_back(p.values[i]);
    }
    auto trace = instantiate(scalable, wanted);
    if (!trace) return trace.error();
    std::vector<std::uint32_t> call_of(program.sites.size());
    for (std::uint32_t c = 0; c < program.order.size(); ++c) call_of[program.order[c]] = c;
    samples.push_back({std::move(*trace), std::move(call_of), std::move(sizes)});
  }
  return write::conceptual::write(explain(scalable, Functions::left_out), samples, options.trace,
                                  options.substitutes);
}

}  // namespace reprise::scalable
