#include "extrapolate/values/evaluate.hpp"

#include "expr/leaf.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {

std::optional<std::int64_t> LawValues::Number::at(std::int64_t rank,
                                                  std::span<const std::int64_t> parameters) {
  return evaluator ? evaluator->at(rank, world, parameters) : constant;
}

std::uint64_t LawValues::Number::row(std::int64_t rank, std::uint64_t ranks) const {
  if (!of_coordinates) return ranks;
  const std::int64_t width = world.extents.front();
  return std::min(ranks, static_cast<std::uint64_t>(width - rank % width));
}

LineEvaluator::Outcome LawValues::Number::on(std::int64_t rank, std::uint64_t ranks,
                                             std::span<const std::int64_t> parameters) {
  using Kind = LineEvaluator::Outcome::Kind;
  if (!lines) return {Kind::line, {constant, 0}, 0};
  if (ranks == 1) {
    const auto v = evaluator->at(rank, world, parameters);
    return v ? LineEvaluator::Outcome{Kind::line, {*v, 0}, 0} : LineEvaluator::Outcome{};
  }
  variables[0] = {rank, 1};
  variables[1] = {world.ranks, 0};
  variables[2] = {trace::kProcNull, 0};
  std::size_t at = 3;
  std::int64_t rest = rank;
  for (const std::int64_t d : world.extents) {
    variables[at] = {rest % d, at == 3 ? 1 : 0};
    rest /= d;
    ++at;
  }
  for (const std::int64_t d : world.extents) variables[at++] = {d, 0};
  for (const std::int64_t v : parameters) variables[at++] = {v, 0};
  return lines->at(variables, ranks);
}

Result<LawValues::Number> LawValues::compile(const NumberLaw& law, const Grids& grids,
                                             std::int64_t ranks,
                                             std::span<const std::string> parameters) {
  Number out;
  if (law.expression.is_constant()) {
    out.constant = law.expression.value();
    return out;
  }
  auto world = grids.target(ranks, law.grid);
  if (!world) {
    return Error{"there is no grid of " + std::to_string(ranks) + " ranks (the program's is " +
                 grids.rules[*law.grid].describe() + "); choose another number, or give --grid"};
  }
  out.world = std::move(*world);
  auto evaluator = infer::Evaluator::make(law.expression, out.world.extents.size(), parameters);
  if (!evaluator) return evaluator.error();
  out.evaluator = std::move(*evaluator);
  std::vector<std::string> names = {std::string(expr::kRank), std::string(expr::kRanks),
                                    std::string(expr::kProcNull)};
  for (std::size_t i = 0; i < out.world.extents.size(); ++i) {
    names.push_back(expr::coordinate_name(i));
    out.of_coordinates =
        out.of_coordinates || free_variables(law.expression).contains(names.back());
  }
  for (std::size_t i = 0; i < out.world.extents.size(); ++i) {
    names.push_back(expr::extent_name(i));
  }
  names.insert(names.end(), parameters.begin(), parameters.end());
  auto lines = LineEvaluator::make(law.expression, names);
  if (!lines) return lines.error();
  out.lines = std::move(*lines);
  out.variables.resize(names.size());
  return out;
}

Result<std::vector<LawValues::Term>> LawValues::compile(const std::vector<TermLaw>& terms,
                                                        const Grids& grids, std::int64_t ranks) {
  std::vector<Term> out;
  for (const TermLaw& t : terms) {
    auto value = compile(t.value, grids, ranks, {});
    if (!value) return value.error();
    auto step = compile(t.step, grids, ranks, {});
    if (!step) return step.error();
    auto count = compile(t.count, grids, ranks, {});
    if (!count) return count.error();
    auto body = compile(t.body, grids, ranks);
    if (!body) return body.error();
    const bool is_open = t.count.expression.is_constant(trace::kUnbounded);
    out.push_back(
        {std::move(*value), std::move(*step), std::move(*count), is_open, std::move(*body)});
  }
  return out;
}

Result<LawValues> LawValues::make(const Law& law, const SlotShape& shape, const Grids& grids,
                                  std::int64_t ranks) {
  LawValues out;
  out.form_ = law.form;
  out.of_rank_ = extrapolate::is_of_rank(law);
  out.series_ = law.series;
  out.ranks_ = ranks;
  auto terms = compile(law.terms, grids, ranks);
  if (!terms) return terms.error();
  out.terms_ = std::move(*terms);
  if (law.form == Law::Form::indexed) {
    auto number = compile(law.number, grids, ranks, shape.parameters);
    if (!number) return number.error();
    out.number_ = std::move(*number);
  }
  return out;
}

// False where a number has no value or makes no sense.
bool LawValues::fill(std::vector<Term>& laws, std::int64_t rank, std::vector<trace::Term>& out) {
  for (Term& law : laws) {
    const auto value = law.value.at(rank), step = law.step.at(rank), count = law.count.at(rank);
    if (!value || !step || !count || *count < 0) return false;
    // A term that vanishes is not one without an end.
    if (*count == 0 && !law.is_open) continue;
    trace::Term term{.value = *value, .step = *step, .count = static_cast<std::uint64_t>(*count)};
    if (!fill(law.body, rank, term.body)) return false;
    if (!law.body.empty()) {
      term.period = 0;
      for (const trace::Term& t : term.body) term.period += t.count * t.period;
      if (term.period == 0) continue;
    }
    out.push_back(std::move(term));
  }
  return true;
}

std::optional<trace::Series> LawValues::series(std::int64_t rank,
                                               const std::function<SlotWalk()>& walk) {
  if (form_ == Law::Form::series || form_ == Law::Form::none) return series_;
  if (form_ == Law::Form::terms) {
    std::vector<trace::Term> terms;
    if (!fill(terms_, rank, terms)) return std::nullopt;
    return trace::Series(std::move(terms));
  }
  trace::SeriesFolder folder;
  for (SlotWalk w = walk(); w.next();) {
    const auto value = number_.at(rank, w.parameters());
    if (!value) return std::nullopt;
    folder.append(*value);
  }
  return folder.finish();
}

}  // namespace reprise::extrapolate
