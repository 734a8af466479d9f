#include "compress/merge/rank_columns.hpp"

#include <algorithm>

#include "trace/values/special.hpp"

namespace reprise::compress {

using trace::Encoding;
using trace::Kind;
using trace::Series;

namespace {

// The first n ranks of a series in another encoding; `communicators` says of which communicator
// each is a rank. `spread` gives, per call, how many ranks there are (lists), or is null.
Series reencode(const Series& ranks, const Series* spread, std::uint64_t executions,
                const Series& communicators, Kind kind, const trace::Memberships& memberships,
                Encoding encoding) {
  trace::SeriesFolder out;
  trace::SeriesCursor rank(ranks), communicator(communicators), length;
  if (spread) length = trace::SeriesCursor(*spread);
  std::int64_t known = trace::kNone;
  trace::Membership m;
  for (std::uint64_t left = executions; left > 0;) {
    // Calls with one communicator and one rank go in one step.
    std::uint64_t n = 1;
    if (!spread && rank.step() == 0 && communicator.step() == 0) {
      n = std::min({left, rank.peek_count(), communicator.peek_count()});
    }
    if (communicator.peek() != known) m = memberships.find(kind, known = communicator.peek());
    communicator.skip(n);
    left -= n;
    if (!spread) {
      out.append(trace::encode_rank(encoding, rank.peek(), m), n);
      rank.skip(n);
      continue;
    }
    for (std::int64_t k = length.next(); k > 0; --k) {
      out.append(trace::encode_rank(encoding, rank.next(), m));
    }
  }
  return out.finish();
}

bool is_element(const trace::Function& f, std::size_t column) {
  return column >= f.scalars.size() && (column - f.scalars.size()) % 2 == 1;
}

}  // namespace

Kind kind_of_column(const trace::Function& f, std::size_t column) {
  if (column < f.scalars.size()) return f.scalars[column].kind;
  return is_element(f, column) ? f.lists[(column - f.scalars.size()) / 2].kind : Kind::integer;
}

bool holds_ranks(const trace::Function& f, std::size_t column) {
  const Kind kind = kind_of_column(f, column);
  return f.communicator >= 0 && (kind == Kind::peer || kind == Kind::matched);
}

std::vector<Series> encoded_column(const FoldedSite& site, std::size_t column,
                                   const trace::Memberships& memberships) {
  const trace::Function& f = trace::function(site.key.function);
  std::vector<Series> all{site.columns[column]};
  if (!holds_ranks(f, column) || site.columns[column].empty()) return all;
  const auto where = static_cast<std::size_t>(f.communicator);
  const Series* lengths = is_element(f, column) ? &site.columns[column - 1] : nullptr;
  for (const Encoding e : {Encoding::relative, Encoding::exclusive_or}) {
    all.push_back(reencode(site.columns[column], lengths, site.executions, site.columns[where],
                           f.scalars[where].kind, memberships, e));
  }
  return all;
}

std::vector<StreamValues> encoded_columns(const FoldedSite& site,
                                          const trace::Memberships& memberships) {
  std::vector<StreamValues> out;
  for (std::size_t c = 0; c < site.columns.size(); ++c) {
    std::vector<Series> encoded = encoded_column(site, c, memberships);
    if (site.columns[c].empty()) {
      out.push_back(StreamValues::absent());
    } else if (encoded.size() == 1) {
      out.emplace_back(std::move(encoded.front()));
    } else {
      out.emplace_back(std::move(encoded));
    }
  }
  return out;
}

}  // namespace reprise::compress
