#include "write/c/data/times.hpp"

#include <cmath>

#include "trace/series/series_folder.hpp"
#include "write/c/data/tables.hpp"
#include "write/series_terms.hpp"

namespace reprise::write::c {
namespace {

using times::Computation;
using times::Computations;
using times::Draws;
using times::Numbers;

Expression whole(double ns) { return number(std::llround(ns)); }

Expression terms(const Numbers& numbers) {
  return plain_terms(trace::fold_numbers(numbers), numbers.size());
}

class TimesWriter {
 public:
  TimesWriter(const Computations& found, std::uint64_t streams, Names& names)
      : found_(found), streams_(streams), names_(names) {}

  TimeRows run() {
    define_rows();
    std::vector<Expression> rows;
    for (const times::Overlap& o : found_.overlaps)
      rows.push_back(list({number(o.site), number(o.next), whole(o.ns)}));
    out_.overlaps = rows.size();
    if (!rows.empty()) define("static const struct overlap", "overlaps", std::move(rows));
    return std::move(out_);
  }

 private:
  void define(const char* type, std::string own, std::vector<Expression> elements) {
    out_.definitions.push_back({Declare{type, std::move(own), "[]", list(std::move(elements))}});
  }

  void define_rows() {
    std::map<std::int64_t, std::size_t> rows;
    for (const Computation& c : found_.all) ++rows[c.site];
    for (const times::Spread& s : found_.spreads) {
      spread_names_.push_back(names_.add("SPREAD"));
      std::vector<Expression> all;
      for (const std::int64_t n : s.table()) all.push_back(number(n));
      define("static const int", spread_names_.back(), std::move(all));
    }
    std::vector<Expression> all;
    for (const Computation& c : found_.all) {
      if (rows[c.site] == 1 && c.from == times::kAnywhere && c.is_plain()) {
        out_.of_sites.emplace(c.site, whole(c.ns));
      } else {
        all.push_back(row_of(c));
      }
    }
    out_.rows = all.size();
    if (!all.empty()) define("static struct computation", "computations", std::move(all));
  }

  Expression row_of(const Computation& c) {
    std::vector<Entry> members = {{"site", number(c.site)}};
    members.push_back({"from", c.from == times::kAnywhere ? name("ANYWHERE")
                               : c.from == times::kStart  ? name("START")
                                                          : number(c.from)});
    if (c.by_execution) {
      members.push_back({"by_execution", address_of(name(executions_table(c)))});
    } else if (c.by_rank.empty()) {
      members.push_back({"ns", whole(c.ns)});
    } else {
      members.push_back({"by_rank", terms(c.by_rank)});
    }
    if (!c.shares.empty()) members.push_back({"shares", terms(c.shares)});
    if (c.drawn) add_draws(*c.drawn, members);
    return initializer(std::move(members));
  }

  std::string executions_table(const Computation& c) {
    const trace::Value& v = *c.by_execution;
    std::vector<program::Streams> streams(v.classes.size());
    for (std::uint64_t s = 0; s < streams_; ++s)
      streams[static_cast<std::size_t>(v.by_stream.at(s))].push_back(s);
    std::vector<StreamTerms> all;
    for (std::size_t k = 0; k < v.classes.size(); ++k)
      all.push_back({std::move(streams[k]), plain_terms(v.classes[k], c.executions)});
    std::string own = names_.add("TIMES_" + std::to_string(c.site));
    out_.definitions.push_back(
        {Declare{"static struct table", own, "", initializer({{"terms", terms_by_case(all)}})}});
    return own;
  }

  void add_draws(const Draws& draws, std::vector<Entry>& members) const {
    std::vector<Expression> spreads;
    for (const std::size_t s : draws.spreads) spreads.push_back(name(spread_names_[s]));
    members.push_back({"spreads", compound("const int *const[]", std::move(spreads))});
    if (draws.spreads.size() > 1) members.push_back({"which", terms(draws.which)});
    if (draws.draws_of.empty()) {
      members.push_back({"draws", whole(draws.draws)});
    } else {
      members.push_back({"draws_of", terms(draws.draws_of)});
    }
    if (draws.together) members.push_back({"together", number(1)});
  }

  const Computations& found_;
  std::uint64_t streams_;
  Names& names_;
  TimeRows out_;
  std::vector<std::string> spread_names_;
};

}  // namespace

TimeRows time_rows(const Computations& found, std::uint64_t streams, Names& names) {
  return TimesWriter(found, streams, names).run();
}

}  // namespace reprise::write::c
