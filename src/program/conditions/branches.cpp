#include "program/conditions/branches.hpp"

#include <algorithm>

#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "program/conditions/streams.hpp"
#include "program/nodes/slots.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

constexpr std::size_t kMostTogether = 8;  // branches that are looked at together
constexpr Bits kNestingBits = 8;          // of a branch around others
// Streams of programs in which common conditions are searched: each search looks at all of them.
constexpr std::size_t kMostStreamsTogether = std::size_t{1} << 12;

// The condition around neighboring nodes, and that of each of them within it.
struct Common {
  Who who;
  std::vector<Who> inside;
};

class Finder {
 public:
  Finder(const Program& program, Conditions* conditions)
      : conditions_(conditions),
        all_(first_streams(program.trace->streams())),
        streams_(program.trace->streams()),
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
      if (auto common = common_from(nodes, k, coming)) {
        Node branch;
        branch.kind = Node::Kind::branch;
        branch.who = std::move(common->who);
        branch.frame = nodes[k].frame;
        for (Who& who : common->inside) {
          nodes[k].who = std::move(who);
          branch.body.push_back(std::move(nodes[k++]));
        }
        branch.body = run(std::move(branch.body), coming ? branch.who.streams.get() : nullptr);
        append_branch(std::move(branch), coming, out);
        continue;
      }
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
      for (; k < end; ++k) {
        nodes[k].who.condition = Expr(1);
        nodes[k].who.parameter.reset();
        branch.body.push_back(std::move(nodes[k]));
      }
      append_branch(std::move(branch), coming, out);
    }
    return out;
  }

 private:
  void append_branch(Node branch, const Streams* coming, std::vector<Node>& out) const {
    const bool is_else = !out.empty() && out.back().kind == Node::Kind::branch &&
                         is_complement(out.back().who, branch.who, coming);
    if (is_else) branch.kind = Node::Kind::otherwise;
    out.push_back(std::move(branch));
  }

  // The streams for which a condition holds; within a procedure, those of the whole program. None
  // if they are not known.
  std::optional<Streams> streams_of(const Who& who, const Streams* coming) const {
    if (who.parameter || !who.streams) return std::nullopt;
    return coming ? *who.streams : where_holds(who);
  }

  // Of the conditions as they are listed: a branch for the same streams as the one before it, or
  // for all others, has none.
  static Bits bits_of_branches(const std::vector<Streams>& parts, const std::vector<Bits>& bits,
                               std::size_t all) {
    Bits out = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const bool is_same = j > 0 && parts[j] == parts[j - 1];
      const bool is_else = j > 0 && are_all(parts[j], parts[j - 1], all);
      if (!is_same && !is_else) out += bits[j];
    }
    return out;
  }

  // The condition that saves the most if it is taken out of nodes from k on.
  std::optional<Common> common_from(const std::vector<Node>& nodes, std::size_t k,
                                    const Streams* coming) const {
    if (!conditions_ || streams_ > kMostStreamsTogether) return std::nullopt;
    const Streams& all = coming ? *coming : all_;
    std::optional<Common> best;
    Bits saved = 0;
    std::vector<Streams> parts;
    std::vector<Bits> outside;
    Streams together;
    for (std::size_t end = k; end < std::min(nodes.size(), k + kMostTogether); ++end) {
      const Who& who = nodes[end].who;
      if (who.is_everyone()) break;
      auto part = streams_of(who, coming);
      if (!part || part->empty()) break;
      together = joined(together, *part);
      if (together.size() >= all.size()) break;
      outside.push_back(who.condition ? bits_of(*who.condition) : conditions_->of(*part, all).bits);
      parts.push_back(std::move(*part));
      if (parts.size() < 2) continue;
      const Bits before = bits_of_branches(parts, outside, all.size());
      const Condition around = conditions_->of(together, all);
      const Bits least = saved + kNestingBits + around.bits;
      if (!around.expression || before <= least) continue;
      auto [here, bits] = within(nodes, k, parts, together);
      if (before <= least + bits) continue;
      saved = before - kNestingBits - around.bits - bits;
      here.who.condition = around.expression;
      best = std::move(here);
    }
    return best;
  }

  // The conditions of nodes from k on within one of all together, and their bits.
  std::pair<Common, Bits> within(const std::vector<Node>& nodes, std::size_t k,
                                 const std::vector<Streams>& parts, const Streams& together) const {
    Common out;
    std::vector<Bits> bits;
    Streams streams;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const StreamSet& part = nodes[k + j].who.streams;
      streams = joined(streams, *part);
      const Condition here = conditions_->of(parts[j], together);
      out.inside.push_back({part, here.expression, {}, {}});
      bits.push_back(here.bits);
    }
    out.who.streams = std::make_shared<const Streams>(std::move(streams));
    return {std::move(out), bits_of_branches(parts, bits, together.size())};
  }

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

  Conditions* conditions_;
  Streams all_;
  std::uint64_t streams_, threads_;
  std::vector<std::int64_t> extents_;
  std::vector<std::string> names_;  // of what conditions ask for, in the order of their slots
};

}  // namespace

void find_branches(Program& program, Conditions* conditions) {
  const Streams all = first_streams(program.trace->streams());
  Finder finder(program, conditions);
  program.body = finder.run(std::move(program.body), program.domain ? nullptr : &all);
  for (Procedure& p : program.procedures) p.body = finder.run(std::move(p.body), nullptr);
}

}  // namespace reprise::program
