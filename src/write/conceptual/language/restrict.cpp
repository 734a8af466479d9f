#include "write/conceptual/language/restrict.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "expr/conditions.hpp"
#include "expr/program.hpp"
#include "expr/simplify.hpp"

namespace reprise::write::conceptual {

using expr::Expr;

namespace {

constexpr std::uint64_t kMostSteps = 1 << 22;

class Restriction {
 public:
  Restriction(std::span<const std::uint64_t> ranks, std::uint64_t of_all)
      : ranks_(ranks), of_all_(static_cast<std::int64_t>(of_all)) {}

  Expr of(const Expr& e) const {
    if (e.op() == expr::Op::conditional) {
      const auto o = e.operands();
      const Expr condition = of(o[0]);
      if (condition.is_constant()) return of(o[condition.value() != 0 ? 1 : 2]);
      return Expr::conditional(condition, of(o[1]), of(o[2]));
    }
    if (e.operands().empty()) return e;
    if (expr::is_condition(e.op())) {
      if (const auto known = truth(e)) return Expr(*known ? 1 : 0);
    }
    std::vector<Expr> operands;
    for (const Expr& o : e.operands()) operands.push_back(of(o));
    return Expr::make(e.op(), operands);
  }

 private:
  // Of a condition on the rank alone, if it is the same for all.
  std::optional<bool> truth(const Expr& e) const {
    static const std::array names = {std::string(expr::kRank), std::string(expr::kRanks)};
    const auto compiled = expr::Program::compile(e, names);
    if (!compiled) return std::nullopt;
    std::optional<bool> out;
    for (const std::uint64_t rank : ranks_) {
      const std::array slots = {static_cast<std::int64_t>(rank), of_all_};
      const auto here = compiled->run(slots);
      if (!here || (out && *out != (*here != 0))) return std::nullopt;
      out = *here != 0;
    }
    return out;
  }

  std::span<const std::uint64_t> ranks_;
  std::int64_t of_all_;
};

}  // namespace

Expr restricted(const Expr& e, std::span<const std::uint64_t> ranks, std::uint64_t of_all) {
  if (ranks.empty() || ranks.size() == of_all || e.operands().empty()) return e;
  if (e.nodes() > kMostSteps / ranks.size()) return e;
  return expr::simplify(Restriction(ranks, of_all).of(e));
}

}  // namespace reprise::write::conceptual
