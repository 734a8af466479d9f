#include "program/conditions/branches.hpp"

#include <algorithm>

#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "program/conditions/condition.hpp"
#include "program/conditions/streams.hpp"
#include "program/nodes/slots.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

class Finder {
 public:
  explicit Finder(const Program& program)
      : streams_(program.trace->streams()),
        threads_(program.trace->threads),
        names_{std::string(expr::kRank), std::string(expr::kRanks), std::string(kThread)} {
    if (!program.grid || program.domain) return;
    for (const Expr& e : program.grid->extents) extents_.push_back(e.value());
    for (std::size_t d = 0; d < extents_.size(); ++d) names_.emplace_back(coordinate(d));
  }

  // `coming`: those that come by the nodes; none: not always the same.
  std::vector<Node> run(std::vector<Node> nodes, const Streams* coming) {
    std::vector<Node> out;
    for (std::size_t k = 0; k < nodes.size();) {
      Node& first = nodes[k];
      const StreamSet inside = first.who.streams;
      const bool has_parameter = first.who.parameter.has_value();
      const Streams* here = has_parameter || !coming  ? nullptr
                            : first.who.is_everyone() ? coming
                                                      : inside.get();
      first.body = run(std::move(first.body), here);
      if (first.who.is_everyone() && !has_parameter) {
        out.push_back(std::move(first));
        ++k;
        continue;
      }
      std::size_t end = k + 1;
      const std::string condition = signature(first.who);
      while (end < nodes.size() && signature(nodes[end].who) == condition &&
             (has_parameter || !inside || *nodes[end].who.streams == *inside)) {
        nodes[end].body = run(std::move(nodes[end].body), here);
        ++end;
      }
      Node branch;
      branch.kind = Node::Kind::branch;
      branch.who = first.who;
      branch.frame = first.frame;
      const bool is_else = !out.empty() && out.back().kind == Node::Kind::branch &&
                           is_complement(out.back().who, branch.who, coming);
      if (is_else) branch.kind = Node::Kind::otherwise;
      for (; k < end; ++k) {
        nodes[k].who.condition = Expr(1);
        nodes[k].who.parameter.reset();
        branch.body.push_back(std::move(nodes[k]));
      }
      out.push_back(std::move(branch));
    }
    return out;
  }

 private:
  // Whether just one of the conditions holds on each stream that comes by. Which streams come by
  // within a procedure differs between its places: there it has to be so on all streams.
  bool is_complement(const Who& a, const Who& b, const Streams* coming) const {
    if (a.parameter || b.parameter) return false;
    // Of any number of ranks.
    if (!a.streams || !b.streams)
      return expr::simplify(Expr::make(expr::Op::logical_not, *a.condition)) == *b.condition;
    if (coming) return are_all(*a.streams, *b.streams, coming->size());
    const auto one = where_holds(a), other = where_holds(b);
    return one && other && are_all(*one, *other, streams_);
  }

  static bool are_all(const Streams& a, const Streams& b, std::uint64_t all) {
    return a.size() + b.size() == all && is_disjoint(a, b);
  }

  std::optional<Streams> where_holds(const Who& who) const {
    if (!who.condition) return *who.streams;
    if (streams_ > kMostStreams) return std::nullopt;
    const auto condition = expr::Program::compile(*who.condition, names_);
    if (!condition) return std::nullopt;
    Streams out;
    for (std::uint64_t s = 0; s < streams_; ++s) {
      auto rest = static_cast<std::int64_t>(s / threads_);
      std::vector<std::int64_t> slots = {rest, static_cast<std::int64_t>(streams_ / threads_),
                                         static_cast<std::int64_t>(s % threads_)};
      for (const std::int64_t extent : extents_) {
        slots.push_back(rest % extent);
        rest /= extent;
      }
      const auto holds = condition->run(slots);
      if (!holds) return std::nullopt;
      if (*holds != 0) out.push_back(s);
    }
    return out;
  }

  std::uint64_t streams_, threads_;
  std::vector<std::int64_t> extents_;
  std::vector<std::string> names_;  // of what conditions ask for, in the order of their slots
};

}  // namespace

void find_branches(Program& program) {
  const Streams all = first_streams(program.trace->streams());
  Finder finder(program);
  program.body = finder.run(std::move(program.body), program.domain ? nullptr : &all);
  for (Procedure& p : program.procedures) p.body = finder.run(std::move(p.body), nullptr);
}

}  // namespace reprise::program
