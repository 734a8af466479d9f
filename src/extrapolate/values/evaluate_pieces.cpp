// What consecutive ranks have in common (pieces.hpp).
#include <algorithm>

#include "extrapolate/values/evaluate.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Encoding;
using trace::Series;
using OutcomeKind = LineEvaluator::Outcome::Kind;

// A number for each rank, or a series for all of them.
Piece piece_of(Series series, std::uint64_t ranks) {
  Piece out{.ranks = ranks};
  if (series.is_constant()) {
    out.numbers = Line{series.at(0), 0};
  } else {
    out.absolute = std::move(series);
  }
  return out;
}

// The values of ranks, execution by execution, as they are and relative to the rank.
class Folder {
 public:
  Folder(std::int64_t rank, std::uint64_t ranks, std::int64_t size, bool relative)
      : rank_(rank), ranks_(ranks), size_(size), has_relative_(relative) {}

  void add(const Line& l) {
    if (executions_++ == 0) one_ = l;
    if (one_ && !(*one_ == l)) one_.reset();
    has_absolute_ = has_absolute_ && l.step == 0;
    const bool special = trace::is_special(l.first) && l.step == 0;
    const bool moves = ranks_ == 1 || l.step == 1;
    has_relative_ = has_relative_ && (special || (moves && 0 <= l.first && l.first < size_));
    if (has_absolute_) absolute_.append(l.first);
    if (has_relative_) {
      relative_.append(trace::encode_rank(Encoding::relative, l.first, {rank_, size_}));
    }
  }

  // Nothing if the ranks have nothing in common.
  std::optional<Piece> finish() const {
    if (executions_ == 0) return Piece::absent(ranks_);
    Piece out{.ranks = ranks_, .executions = executions_};
    if (one_) {
      out.numbers = one_;
      out.executions = 0;
      return out;
    }
    if (has_absolute_) out.absolute = absolute_.finish();
    if (has_relative_) out.relative = relative_.finish();
    if (!has_absolute_ && !has_relative_) return std::nullopt;
    return out;
  }

 private:
  std::int64_t rank_;
  std::uint64_t ranks_;
  std::int64_t size_;
  bool has_absolute_ = true, has_relative_;
  std::optional<Line> one_;  // if all executions have the same
  trace::SeriesFolder absolute_, relative_;
  std::uint64_t executions_ = 0;
};

}  // namespace

std::optional<Piece> LawValues::piece(std::int64_t rank, std::uint64_t ranks, bool relative,
                                      const std::function<SlotWalk()>& walk) {
  if (form_ == Law::Form::series || form_ == Law::Form::none) return piece_of(series_, ranks);
  if (form_ == Law::Form::terms) return piece_of_terms(rank, pointwise_ ? 1 : ranks);
  std::uint64_t count = pointwise_ ? 1 : number_.row(rank, ranks);
  while (true) {
    LineEvaluator::Outcome outcome{OutcomeKind::line, {}, 0};
    auto piece = piece_of_indexed(rank, count, relative, walk, outcome);
    if (piece || outcome.kind == OutcomeKind::none) return piece;
    if (outcome.kind == OutcomeKind::pointwise) pointwise_ = true;
    count = outcome.kind == OutcomeKind::split ? outcome.ranks : 1;
  }
}

// Nothing if these ranks have nothing in common, for the reason that `outcome` has: a line if they
// have their values in different ways.
std::optional<Piece> LawValues::piece_of_indexed(std::int64_t rank, std::uint64_t ranks,
                                                 bool relative,
                                                 const std::function<SlotWalk()>& walk,
                                                 LineEvaluator::Outcome& outcome) {
  Folder folder(rank, ranks, ranks_, relative);
  for (SlotWalk w = walk(); w.next();) {
    outcome = number_.on(rank, ranks, w.parameters());
    if (outcome.kind != OutcomeKind::line) return std::nullopt;
    folder.add(outcome.line);
  }
  return folder.finish();
}

// How many ranks have the same numbers in the terms.
std::uint64_t LawValues::alike(std::vector<Term>& laws, std::int64_t rank, std::uint64_t ranks) {
  for (Term& law : laws) {
    for (Number* number : {&law.value, &law.step, &law.count}) {
      ranks = number->row(rank, ranks);
      auto found = number->on(rank, ranks);
      while (found.kind == OutcomeKind::split) {
        ranks = found.ranks;
        found = number->on(rank, ranks);
      }
      if (found.kind != OutcomeKind::line || found.line.step != 0) ranks = 1;
    }
    ranks = alike(law.body, rank, ranks);
  }
  return ranks;
}

std::optional<Piece> LawValues::piece_of_terms(std::int64_t rank, std::uint64_t ranks) {
  const bool single = terms_.size() == 1 && terms_[0].is_open && terms_[0].body.empty() &&
                      terms_[0].step.on(rank, 1).line == Line{};
  if (single) {
    Number& value = terms_[0].value;
    std::uint64_t count = value.row(rank, ranks);
    auto found = value.on(rank, count);
    while (found.kind == OutcomeKind::split) {
      count = found.ranks;
      found = value.on(rank, count);
    }
    if (found.kind == OutcomeKind::pointwise) {
      pointwise_ = true;
      count = 1;
      found = value.on(rank, count);
    }
    if (found.kind != OutcomeKind::line) return std::nullopt;
    return Piece{.ranks = count, .numbers = found.line};
  }
  const std::uint64_t count = alike(terms_, rank, ranks);
  std::vector<trace::Term> terms;
  if (!fill(terms_, rank, terms)) return std::nullopt;
  if (terms.empty()) return Piece::absent(count);
  return piece_of(Series(std::move(terms)), count);
}

}  // namespace reprise::extrapolate
