#include "write/c/data/tables.hpp"

#include <algorithm>

#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"
#include "write/directions.hpp"
#include "write/series_terms.hpp"

namespace reprise::write::c {
namespace {

using program::Neighbor;
using program::Streams;

constexpr std::uint64_t kMostSpelled = 64;  // values of a term that may be written one by one

Expression count_of(std::uint64_t count) {
  return number(count == trace::kUnbounded ? 0 : static_cast<std::int64_t>(count));
}

// Adds the values of a term, of which this is one pass on from a repeat around it by `moved`.
void expand(const trace::Term& t, std::int64_t moved, std::vector<std::int64_t>& out) {
  for (std::uint64_t k = 0; k < t.count; ++k) {
    const std::int64_t by = trace::wrapping_add(moved, trace::wrapping_mul(t.step, k));
    if (t.is_run()) out.push_back(trace::wrapping_add(t.value, by));
    for (const trace::Term& b : t.body) expand(b, by, out);
  }
}

// Terms are listed where that takes no more words than to say how they go on.
class Words {
 public:
  explicit Words(const ElementOf& element) : element_(element) {}

  std::vector<Expression> of(const std::vector<trace::Term>& terms) {
    std::vector<Expression> out, listed;
    const auto end_list = [&] {
      if (listed.empty()) return;
      out.push_back(name("LIST"));
      out.push_back(number(std::ssize(listed)));
      std::ranges::move(listed, std::back_inserter(out));
      listed.clear();
    };
    for (const trace::Term& t : terms) {
      const bool had_steps = has_steps_;
      std::vector<Expression> folded =
          t.count == 1 && t.is_run() ? std::vector<Expression>{} : of(t);
      std::vector<Expression> plain;
      const std::uint64_t values =
          t.count == trace::kUnbounded ? trace::kUnbounded : t.count * t.period;
      if (values <= kMostSpelled) {
        std::vector<std::int64_t> all;
        expand(t, 0, all);
        for (const std::int64_t v : all) plain.push_back(element_(v));
      }
      const bool is_listed =
          folded.empty() || (!plain.empty() && plain.size() <= folded.size() + 1);
      has_steps_ = is_listed ? had_steps : has_steps_ || t.step != 0;
      if (is_listed) {
        std::ranges::move(plain, std::back_inserter(listed));
      } else {
        end_list();
        std::ranges::move(folded, std::back_inserter(out));
      }
    }
    end_list();
    return out;
  }

  // Whether some numbers are not written, but follow from those before.
  bool has_steps() const { return has_steps_; }

 private:
  std::vector<Expression> of(const trace::Term& t) {
    if (t.is_run()) return {name("RUN"), count_of(t.count), number(t.step), element_(t.value)};
    std::vector<Expression> body = of(writable_terms(trace::Series(t.body), kAll));
    std::vector<Expression> out = {name("LOOP"), count_of(t.count), number(t.step),
                                   number(static_cast<std::int64_t>(t.period)),
                                   number(std::ssize(body))};
    std::ranges::move(body, std::back_inserter(out));
    return out;
  }

  const ElementOf& element_;
  bool has_steps_ = false;
};

Expression plain(std::int64_t v) { return number(v); }

}  // namespace

Expression terms_of(const trace::Series& series, std::uint64_t length, const ElementOf& element) {
  std::vector<Expression> words = Words(element).of(writable_terms(series, length));
  if (words.empty()) words = {name("LIST"), number(1), number(0)};  // nobody asks
  return call("TERMS", std::move(words));
}

bool goes_on_by_steps(const program::Sequence& s) {
  const ElementOf element = plain;
  Words words(element);
  (void)words.of(writable_terms(s.values, s.length > 0 ? s.length : kAll));
  return words.has_steps();
}

Expression plain_terms(const trace::Series& series, std::uint64_t length) {
  return terms_of(series, length, plain);
}

Expression terms_by_case(const std::vector<StreamTerms>& cases) {
  std::vector<Expression> all;
  const auto add = [&all](const Expression& terms, bool is_counted) {
    std::vector<Expression> words = std::get<Call>(terms->content).arguments;
    if (is_counted) {
      words.push_back(name("END"));
      all.push_back(number(std::ssize(words)));
    }
    std::ranges::move(words, std::back_inserter(all));
  };
  for (const StreamTerms& c : cases) {
    const bool is_last = &c == &cases.back();
    if (!is_last) {
      all.push_back(name("CASE"));
      add(plain_terms(trace::fold_numbers(c.streams), c.streams.size()), true);
    }
    add(c.terms, !is_last);
  }
  return call("TERMS", std::move(all));
}

std::string Tables::define(std::string_view wanted, Expression terms) {
  std::string own = names_.add(upper(wanted));
  definitions_.push_back(
      {Declare{"static struct table", own, "", initializer({{"terms", std::move(terms)}})}});
  return own;
}

Expression Tables::sequence(const program::Sequence& s, std::string_view wanted,
                            const ElementOf& element) {
  const auto known = sequences_.find(&s);
  if (known != sequences_.end()) return address_of(name(known->second));
  Expression terms = terms_of(s.values, s.length > 0 ? s.length : kAll, element);
  if (s.each_time) {
    // It has no memory: one will do for all that are alike.
    for (const auto& [other, table] : shared_) {
      if (is_same(other, terms)) return address_of(name(sequences_[&s] = table));
    }
  }
  const std::string& table = sequences_[&s] = define(wanted, terms);
  if (s.each_time) shared_.emplace_back(std::move(terms), table);
  return address_of(name(table));
}

namespace {

// As runtime/laws.h has them: repeats are measured there, and what does not occur is left out.
std::vector<Expression> words_of(const std::vector<program::PatternTerm>& terms,
                                 const Tables::CalculationOf& value,
                                 const Tables::CalculationOf& number) {
  std::vector<Expression> out;
  for (const program::PatternTerm& t : terms) {
    const Expression count =
        t.count.is_constant() ? number(t.count) : call("often", {number(t.count)});
    out.push_back(name(t.body.empty() ? "RUN" : "LOOP"));
    out.push_back(count);
    out.push_back(number(t.step));
    if (t.body.empty()) {
      out.push_back(value(t.value));
      continue;
    }
    std::vector<Expression> body = words_of(t.body, value, number);
    out.push_back(c::number(0));
    out.push_back(c::number(std::ssize(body)));
    std::ranges::move(body, std::back_inserter(out));
  }
  return out;
}

}  // namespace

Expression Tables::pattern(const program::Pattern& p, std::string_view wanted,
                           const CalculationOf& value, const CalculationOf& number) {
  const auto [known, is_new] = patterns_.try_emplace(&p);
  if (is_new) {
    known->second = names_.add(std::string(wanted) + "_law");
    const Expression table = name("law");
    functions_.push_back(
        {Function{"struct table *",
                  known->second,
                  {},
                  {{Declare{"static struct table", "law"}},
                   evaluate(call("settle", {address_of(table),
                                            call("TERMS", words_of(p.terms, value, number))})),
                   {Return{address_of(table)}}}}});
  }
  return call(known->second);
}

Expression Tables::turn(const program::Alternation& a, std::string_view wanted) {
  const auto [known, is_new] = turns_.try_emplace(&a);
  if (is_new) {
    const auto n = std::ssize(a.laws);
    known->second = define(wanted, call("TERMS", {name("RUN"), number(n), number(1), number(0)}));
  }
  return address_of(name(known->second));
}

Expression Tables::by_case(const program::Value& v, const std::vector<const program::Case*>& cases,
                           std::string_view wanted, const ElementOf& element) {
  const auto [known, is_new] = cases_.try_emplace(&v);
  if (!is_new) return address_of(name(known->second));
  std::vector<StreamTerms> all;
  for (const program::Case* c : cases) {
    const auto* s = std::get_if<program::Sequence>(&c->content);
    Expression terms = s ? terms_of(s->values, s->length > 0 ? s->length : kAll, element)
                         : call("TERMS", {name("RUN"), number(0), number(0),
                                          element(std::get<expr::Expr>(c->content).value())});
    all.push_back({*c->who.streams, std::move(terms)});
  }
  known->second = define(wanted, terms_by_case(all));
  return address_of(name(known->second));
}

Expression Tables::by_stream(const Streams& streams, const trace::Series& values,
                             std::string_view wanted, const ElementOf& element) {
  // Ranks that do not ask have what the rank before has.
  trace::SeriesCursor cursor(values);
  std::vector<std::int64_t> all;
  for (const std::uint64_t s : streams) {
    const std::int64_t v = cursor.next();
    all.resize(s, all.empty() ? v : all.back());
    all.push_back(v);
  }
  std::vector<Expression> elements;
  for (const std::int64_t v : all) elements.push_back(element(v));
  Expression array = list(std::move(elements));
  for (const auto& [other, table] : shared_) {
    if (is_same(other, array)) return subscript(name(table), name("rank"));
  }
  std::string own = names_.add(upper(wanted));
  definitions_.push_back({Declare{"static const long long", own, "[]", array}});
  shared_.emplace_back(std::move(array), own);
  return subscript(name(std::move(own)), name("rank"));
}

Expression Tables::matrix(const std::vector<std::vector<std::int64_t>>& rows,
                          std::string_view wanted, const ElementOf& element) {
  std::size_t columns = 0;
  std::vector<Expression> lists;
  for (const auto& row : rows) {
    columns = std::max(columns, row.size());
    std::vector<Expression> elements;
    for (const std::int64_t v : row) elements.push_back(element(v));
    lists.push_back(list(std::move(elements)));
  }
  Expression all = list(std::move(lists));
  for (const auto& [other, table] : shared_) {
    if (is_same(other, all)) return subscript(name(table), name("rank"));
  }
  std::string own = names_.add(upper(wanted));
  definitions_.push_back(
      {Declare{"static const int", own, "[RANKS][" + std::to_string(columns) + "]", all}});
  shared_.emplace_back(std::move(all), own);
  return subscript(name(std::move(own)), name("rank"));
}

Expression Tables::is_in(const program::Who& who) {
  const auto [known, is_new] = sets_.try_emplace(*who.streams);
  if (is_new) {
    const std::string wanted =
        who.group ? "is_in_" + program_.groups[*who.group].name : "is_one_of_these";
    known->second = names_.add(wanted);
    definitions_.push_back({Declare{"static int", known->second}});
    of_rank_.push_back(assign(
        name(known->second),
        call("is_among",
             {plain_terms(trace::fold_numbers(*who.streams), who.streams->size()), name("rank")})));
  }
  return name(known->second);
}

Expression Tables::is_in(const program::Who& who, Expression condition) {
  const auto [known, is_new] = told_groups_.try_emplace(*who.group);
  if (is_new) {
    known->second = names_.add("is_in_" + program_.groups[*who.group].name);
    of_rank_.push_back(assign(name(known->second), std::move(condition)));
  }
  return name(known->second);
}

Block Tables::groups() const {
  std::string all;
  for (const auto& [group, variable] : told_groups_) all += (all.empty() ? "" : ", ") + variable;
  if (all.empty()) return {};
  return {{Declare{"static int", std::move(all)}, "whether the rank is in these groups"}};
}

Block Tables::neighbors() const {
  std::string all;
  for (const auto& [neighbor, variable] : neighbors_) all += (all.empty() ? "" : ", ") + variable;
  if (all.empty()) return {};
  return {{Declare{"static int", std::move(all)}, "neighbors in the grid"}};
}

Expression Tables::neighbor(const Neighbor& n, const Expression& distance) {
  if (std::ranges::count(n.steps, 0) == std::ssize(n.steps)) return name("rank");
  auto& all = distance ? distant_neighbors_ : neighbors_;
  const auto own = [&](const std::string& function) {
    return distance ? call(function, {distance}) : name(function);
  };
  for (const auto& [known, variable] : all) {
    if (known == n) return own(variable);
  }
  const std::string out = names_.add(direction(n) + (distance ? "_by" : ""));
  all.emplace_back(n, out);
  const Expression times = distance ? name("distance") : nullptr;
  std::vector<Expression> steps, wraps;
  for (const std::int64_t step : n.steps) {
    const bool is_along = times && step != 0;
    steps.push_back(!is_along    ? number(step)
                    : step == 1  ? times
                    : step == -1 ? unary(Prefix::negate, times)
                                 : binary(Operator::multiply, number(step), times));
  }
  for (std::size_t d = 0; d < n.steps.size(); ++d)
    wraps.push_back(number(d < n.wraps.size() && n.wraps[d] ? 1 : 0));
  Expression found =
      call("neighbor", {number(std::ssize(n.steps)), name("GRID"),
                        compound("int[]", std::move(steps)), compound("int[]", std::move(wraps))});
  if (distance) {
    distant_functions_.push_back(
        {Function{"int", out, {{"int", "distance"}}, {{Return{std::move(found)}}}}});
  } else {
    of_rank_.push_back(assign(name(out), std::move(found)));
  }
  return own(out);
}

}  // namespace reprise::write::c
