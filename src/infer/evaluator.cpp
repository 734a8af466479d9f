#include "infer/evaluator.hpp"

#include "expr/leaf.hpp"
#include "trace/values/special.hpp"

namespace reprise::infer {

Result<Evaluator> Evaluator::make(const expr::Expr& law, std::size_t dimensions,
                                  std::span<const std::string> parameters) {
  std::vector<std::string> names = {std::string(expr::kRank), std::string(expr::kRanks),
                                    std::string(expr::kProcNull)};
  for (std::size_t i = 0; i < dimensions; ++i) names.push_back(expr::coordinate_name(i));
  for (std::size_t i = 0; i < dimensions; ++i) names.push_back(expr::extent_name(i));
  names.insert(names.end(), parameters.begin(), parameters.end());
  Result<expr::Program> program = expr::Program::compile(law, names);
  if (!program) return program.error();
  return Evaluator(std::move(*program), names.size());
}

std::optional<std::int64_t> Evaluator::at(std::int64_t rank, const World& world,
                                          std::span<const std::int64_t> parameters) {
  slots_.assign({rank, world.ranks, trace::kProcNull});
  std::int64_t rest = rank;
  for (const std::int64_t d : world.extents) {
    slots_.push_back(rest % d);
    rest /= d;
  }
  slots_.insert(slots_.end(), world.extents.begin(), world.extents.end());
  slots_.insert(slots_.end(), parameters.begin(), parameters.end());
  return program_.run(slots_);
}

}  // namespace reprise::infer
