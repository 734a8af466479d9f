#include "write/c/data/shared_tables.hpp"

#include <algorithm>
#include <limits>

#include "expr/program.hpp"
#include "trace/values/special.hpp"

namespace reprise::write::c {

using expr::Expr;
using program::Case;
using program::Sequence;
using program::Value;
using trace::Column;
using trace::Encoding;
using trace::Kind;

namespace {

constexpr std::size_t kLeastRows = 3;    // of a matrix that differ; fewer stand where they are used
constexpr std::uint64_t kMostRows = 64;  // ranks
constexpr std::uint64_t kMostColumns = 64;  // iterations of a loop

// Whether its numbers are an int in C, but for a few constants.
bool is_plain_number(const Column& column) {
  return column.enumeration < 0 && (column.kind == Kind::peer || column.kind == Kind::tag ||
                                    column.kind == Kind::count || column.kind == Kind::integer);
}

bool is_int(std::int64_t n) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return trace::is_special(n) || (n >= -kMost && n <= kMost);
}

// How many numbers it takes to write terms down, apart from steps and counts.
std::uint64_t numbers_in(const std::vector<trace::Term>& terms) {
  std::uint64_t out = 0;
  for (const trace::Term& t : terms) out += t.is_run() ? 1 : numbers_in(t.body);
  return out;
}

// Whether the entries of both begin anew together, and are read in the same way.
bool are_alike(const Sequence& a, const Sequence& b) {
  return a.scope == b.scope && a.encoding == b.encoding && a.each_time == b.each_time;
}

// Whether entries can be read as those of `first` are. If each execution takes all entries of a
// list that is the same each time, the next execution starts at its beginning again.
bool is_read_as(const Sequence& s, bool is_asked_whole, const Sequence& first) {
  const bool is_whole = s.each_time && s.length > 0 && is_asked_whole;
  return are_alike(s, first) || (is_whole && !first.each_time && s.encoding == first.encoding);
}

// The rank, the number of ranks and the coordinates of a stream.
std::vector<expr::Value> values_on(std::uint64_t stream, const program::Program& program) {
  std::vector<expr::Value> out = {
      {std::string(expr::kRank), static_cast<std::int64_t>(stream)},
      {std::string(expr::kRanks), static_cast<std::int64_t>(program.trace->ranks)}};
  const std::size_t dimensions = program.grid ? program.grid->coordinates.size() : 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto at = expr::evaluate(program.grid->coordinates[d], out);
    if (at) out.push_back({std::string(program::coordinate(d)), *at});
  }
  return out;
}

bool depends_on(const Case& c, std::size_t loop) {
  const auto* e = std::get_if<Expr>(&c.content);
  return e && expr::free_variables(*e).contains(program::loop_index(loop));
}

// The entries of one case of a matrix; nothing if they depend on more than the stream and the loop.
std::optional<std::vector<std::int64_t>> row_of(const Case& c, std::uint64_t stream,
                                                const program::ByLoop& loop, std::uint64_t columns,
                                                const program::Program& program) {
  std::vector<std::int64_t> out;
  if (const auto* s = std::get_if<Sequence>(&c.content)) {
    trace::SeriesCursor cursor(s->values);
    for (std::uint64_t k = 0; k < s->length; ++k) {
      const std::int64_t n = cursor.next();
      const bool is_plain = s->encoding == Encoding::absolute || trace::is_special(n);
      if (!is_plain && s->encoding != Encoding::relative) return std::nullopt;
      const auto ranks = static_cast<std::int64_t>(program.trace->ranks);
      const std::int64_t there = static_cast<std::int64_t>(stream) + n;
      out.push_back(is_plain ? n : (there % ranks + ranks) % ranks);
    }
    return out;
  }
  const auto* e = std::get_if<Expr>(&c.content);
  if (!e) return std::nullopt;
  for (std::uint64_t k = 0; k < columns; ++k) {
    std::vector<expr::Value> values = values_on(stream, program);
    values.push_back({program::loop_index(loop.loop), static_cast<std::int64_t>(k) * loop.per});
    const auto n = expr::evaluate(*e, values);
    if (!n) return std::nullopt;
    out.push_back(*n);
  }
  return out;
}

}  // namespace

std::optional<SharedTable> shared_table(const Value& v,
                                        const std::function<bool(const Case&)>& is_whole) {
  constexpr std::size_t kFew = 2;  // that are told apart where they are asked for
  if (v.parameter || v.cases.size() <= kFew || !v.cases.front().who.streams) return std::nullopt;
  std::optional<SharedTable> best;
  std::vector<const Sequence*> tried;
  for (const Case& one : v.cases) {
    const auto* first = std::get_if<Sequence>(&one.content);
    const auto is_tried = [&](const Sequence* other) { return are_alike(*other, *first); };
    if (!first || std::ranges::any_of(tried, is_tried)) continue;
    tried.push_back(first);
    SharedTable out;
    out.first = first;
    for (const Case& c : v.cases) {
      const auto* e = std::get_if<Expr>(&c.content);
      const auto* s = std::get_if<Sequence>(&c.content);
      const bool is_number =
          e && e->is_constant() &&
          (first->encoding == Encoding::absolute || trace::is_special(e->value()));
      (is_number || (s && is_read_as(*s, is_whole && is_whole(c), *first)) ? out.cases : out.apart)
          .push_back(&c);
    }
    if (!best || out.cases.size() > best->cases.size()) best = std::move(out);
  }
  return best && best->cases.size() > kFew ? best : std::nullopt;
}

std::optional<RankMatrix> rank_matrix(const Value& v, const Column& column, const TripsOf& most,
                                      const program::Program& program) {
  const std::uint64_t ranks = program.trace->ranks;
  if (v.parameter || v.distance || !is_plain_number(column) || program.domain) return std::nullopt;
  if (program.trace->threads > 1 || ranks > kMostRows) return std::nullopt;
  std::size_t lists = 0;
  std::uint64_t columns = 0, rows = 0;
  std::optional<program::ByLoop> loop;
  for (const Case& c : v.cases) {
    if (!c.who.streams) return std::nullopt;
    rows += c.who.streams->size();
    const auto* s = std::get_if<Sequence>(&c.content);
    if (!s) continue;
    const bool is_by_loop = s->by_loop && s->by_loop->first == 0 && !s->each_time &&
                            !s->by_loop->is_partial && (!loop || *loop == *s->by_loop);
    const bool recurs = 2 * numbers_in(s->values.terms()) < s->length;
    if (!is_by_loop || recurs || s->length > kMostColumns) return std::nullopt;
    loop = s->by_loop;
    columns = std::max(columns, s->length);
    ++lists;
  }
  if (lists < kLeastRows || columns < 2) return std::nullopt;
  // Ranks whose values are an expression may execute more iterations than those with lists.
  if (std::ranges::any_of(v.cases, [&](const Case& c) { return depends_on(c, loop->loop); })) {
    const std::uint64_t iterations = most(loop->loop), per = static_cast<std::uint64_t>(loop->per);
    columns = std::max(columns, iterations / per + (iterations % per != 0 ? 1 : 0));
    if (iterations == 0 || columns > kMostColumns) return std::nullopt;
  }
  RankMatrix out{std::vector<std::vector<std::int64_t>>(ranks, {0}), *loop, rows == ranks};
  for (const Case& c : v.cases) {
    for (const std::uint64_t stream : *c.who.streams) {
      auto row = row_of(c, stream, *loop, columns, program);
      if (!row || stream >= ranks || !std::ranges::all_of(*row, is_int)) return std::nullopt;
      out.rows[stream] = std::move(*row);
    }
  }
  return out;
}

bool holds_on_any(const Expr& condition, const program::Streams& streams,
                  const program::Program& program) {
  return std::ranges::any_of(streams, [&](std::uint64_t s) {
    const auto holds = expr::evaluate(condition, values_on(s, program));
    return !holds || *holds != 0;
  });
}

}  // namespace reprise::write::c
