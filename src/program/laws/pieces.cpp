#include "program/laws/pieces.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "program/conditions/predicate.hpp"
#include "program/laws/line.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

constexpr std::size_t kMostIterations = 64;  // of the loop that selects the piece
constexpr std::size_t kMostPieces = 3;       // more of them are harder to read than a table
// Samples beyond those that determine the pieces: with fewer, several lines fit by chance.
constexpr std::size_t kLeastEvidence = 2;

struct Piece {
  std::vector<std::int64_t> iterations;  // of the loop that selects the piece
  std::vector<std::size_t> executions;   // in order
  Line line;
};

// Samples beyond those that determine the line: one for each combination of the indices that it
// depends on, less its unknowns.
std::size_t evidence_of(const Piece& piece, const Indices& indices) {
  std::size_t unknowns = 1;
  std::set<std::vector<std::int64_t>> places;
  for (const std::int64_t slope : piece.line.slopes) unknowns += slope != 0;
  for (const std::size_t k : piece.executions) {
    std::vector<std::int64_t> place;
    for (std::size_t j = 0; j < indices.size(); ++j) {
      if (piece.line.slopes[j] != 0 || unknowns == 1) place.push_back(indices[j][k]);
    }
    places.insert(std::move(place));
  }
  return places.size() - unknowns;
}

// The executions of both, in order.
std::vector<std::size_t> merged(const std::vector<std::size_t>& a,
                                const std::vector<std::size_t>& b) {
  std::vector<std::size_t> out;
  std::ranges::merge(a, b, std::back_inserter(out));
  return out;
}

// The fewest pieces, each of consecutive iterations. Empty: there are more than kMostPieces.
std::vector<Piece> pieces_of(std::span<const std::int64_t> values, const Indices& indices,
                             std::size_t loop) {
  std::map<std::int64_t, std::vector<std::size_t>> by_iteration;
  for (std::size_t k = 0; k < values.size(); ++k) by_iteration[indices[loop][k]].push_back(k);
  if (by_iteration.size() > kMostIterations) return {};
  std::vector<Piece> out;
  for (const auto& [iteration, executions] : by_iteration) {
    if (!out.empty()) {
      std::vector<std::size_t> longer = merged(out.back().executions, executions);
      if (const auto line = line_through(values, indices, longer)) {
        out.back().iterations.push_back(iteration);
        out.back().executions = std::move(longer);
        out.back().line = *line;
        continue;
      }
    }
    const auto line = line_through(values, indices, executions);
    if (!line || out.size() == kMostPieces) return {};
    out.push_back({{iteration}, executions, *line});
  }
  return out;
}

std::optional<Expr> choice(const std::vector<Piece>& pieces, const Expr& index, std::size_t scope) {
  Expr out = expression_of(pieces.back().line, scope);
  std::vector<std::int64_t> later = pieces.back().iterations;
  for (std::size_t p = pieces.size() - 1; p-- > 0;) {
    const auto where = predicate_of(index, pieces[p].iterations, later);
    if (!where) return std::nullopt;
    out = Expr::conditional(*where, expression_of(pieces[p].line, scope), out);
    later.insert(later.begin(), pieces[p].iterations.begin(), pieces[p].iterations.end());
  }
  return out;
}

}  // namespace

std::optional<Expr> law_in_pieces(std::span<const std::int64_t> values, const Indices& indices,
                                  std::size_t scope) {
  Cheapest best;
  for (std::size_t loop = 0; loop < indices.size(); ++loop) {
    const std::vector<Piece> pieces = pieces_of(values, indices, loop);
    if (pieces.size() < 2) continue;
    std::size_t evidence = 0;
    bool has_evidence = true;
    for (const Piece& p : pieces) {
      const std::size_t here = evidence_of(p, indices);
      const bool is_constant =
          p.line == Line{p.line.first, std::vector<std::int64_t>(indices.size())};
      has_evidence = has_evidence && (here > 0 || is_constant);
      evidence += here;
    }
    if (!has_evidence || evidence < kLeastEvidence) continue;
    const Expr index = Expr::variable(loop_index(scope + loop));
    if (const auto law = choice(pieces, index, scope)) best.offer(*law);
  }
  return best.get();
}

}  // namespace reprise::program
