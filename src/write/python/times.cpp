#include "write/python/times.hpp"

#include <cmath>

#include "trace/series/series_folder.hpp"
#include "write/python/tables.hpp"
#include "write/series_terms.hpp"

namespace reprise::write::python {
namespace {

using times::Computation;
using times::Computations;
using times::Draws;
using times::Numbers;

Expression whole(double ns) { return number(std::llround(ns)); }

std::vector<Expression> terms(const trace::Series& series, std::uint64_t length) {
  return terms_of(series, length, [](std::int64_t v) { return number(v); });
}

Expression terms(const Numbers& numbers) {
  return list(terms(trace::fold_numbers(numbers), numbers.size()));
}

class TimesWriter {
 public:
  TimesWriter(const Computations& found, std::uint64_t streams, Names& names, Parts& parts)
      : found_(found), streams_(streams), names_(names), parts_(parts) {}

  Block run(std::size_t sites) {
    Block out;
    for (const times::Spread& s : found_.spreads) {
      spread_names_.push_back(names_.add("SPREAD"));
      std::vector<Expression> all;
      for (const std::int64_t n : s.table()) all.push_back(number(n));
      out.push_back(assign(name(spread_names_.back()), list(std::move(all))));
    }
    std::vector<Expression> all;
    std::size_t next = 0;
    sites_ = sites;
    for (std::size_t site = 0; site < sites; ++site) all.push_back(before(site, next));
    out.push_back(assign(name("COMPUTE"), list(std::move(all))));
    return out;
  }

 private:
  // `next`: the first computation of the site, and behind its last one afterwards.
  Expression before(std::size_t site, std::size_t& next) {
    std::vector<Entry> by_path;
    for (; next < found_.all.size(); ++next) {
      const Computation& c = found_.all[next];
      if (c.site != static_cast<std::int64_t>(site)) break;
      Expression from = c.from == times::kAnywhere ? name("None") : number(c.from);
      by_path.push_back({std::move(from), computation(c)});
    }
    if (by_path.empty()) return number(0);
    const bool is_one = by_path.size() == 1 && found_.all[next - 1].from == times::kAnywhere;
    return is_one ? by_path.front().value : dict(std::move(by_path));
  }

  Expression computation(const Computation& c) {
    if (c.is_plain()) return whole(c.ns);
    parts_.insert(RuntimePart::tables);
    parts_.insert(RuntimePart::times);
    std::vector<Argument> arguments;
    if (c.by_execution) {
      arguments.push_back({"by_execution", executions_table(c)});
    } else if (c.by_rank.empty()) {
      arguments.push_back({{}, whole(c.ns)});
    } else {
      arguments.push_back({"by_rank", terms(c.by_rank)});
    }
    if (!c.shares.empty()) arguments.push_back({"shares", terms(c.shares)});
    if (c.drawn) arguments.push_back({"drawn", draws(*c.drawn, seed_of(c))});
    return call(name("Computation"), std::move(arguments));
  }

  Expression executions_table(const Computation& c) const {
    const trace::Value& v = *c.by_execution;
    const auto table = [&](std::size_t k) {
      return call("Table", terms(v.classes[k], c.executions));
    };
    if (v.classes.size() == 1) return table(0);
    std::vector<program::Streams> streams(v.classes.size());
    for (std::uint64_t s = 0; s < streams_; ++s)
      streams[static_cast<std::size_t>(v.by_stream.at(s))].push_back(s);
    std::vector<Expression> all;
    for (std::size_t k = 0; k < v.classes.size(); ++k) {
      Expression ranks = k + 1 == v.classes.size()
                             ? name("None")
                             : list(terms(trace::fold_numbers(streams[k]), streams[k].size()));
      all.push_back(tuple({std::move(ranks), table(k)}));
    }
    return call("TableByRank", std::move(all));
  }

  // As benchmarks in C have it.
  std::int64_t seed_of(const Computation& c) const {
    return c.site * (static_cast<std::int64_t>(sites_) + 1) + c.from + 2;
  }

  Expression draws(const Draws& d, std::int64_t seed) const {
    std::vector<Argument> arguments = {{{}, number(seed)}};
    arguments.push_back({{}, d.draws_of.empty() ? whole(d.draws) : terms(d.draws_of)});
    for (const std::size_t s : d.spreads) arguments.push_back({{}, name(spread_names_[s])});
    if (d.spreads.size() > 1) arguments.push_back({"which", terms(d.which)});
    if (d.together) arguments.push_back({"together", name("True")});
    return call(name("Drawn"), std::move(arguments));
  }

  const Computations& found_;
  std::uint64_t streams_;
  std::size_t sites_ = 0;
  Names& names_;
  Parts& parts_;
  std::vector<std::string> spread_names_;
};

}  // namespace

Block compute_table(const Computations& found, std::size_t sites, std::uint64_t streams,
                    Names& names, Parts& parts) {
  return TimesWriter(found, streams, names, parts).run(sites);
}

}  // namespace reprise::write::python
