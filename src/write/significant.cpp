#include "write/significant.hpp"

#include <algorithm>
#include <array>

#include "expr/program.hpp"
#include "write/series_terms.hpp"
#include "write/unwritable.hpp"

namespace reprise::write {

using expr::Expr;
using program::ByStream;
using program::Case;
using program::Sequence;
using program::Value;
using trace::Encoding;

namespace {

constexpr std::size_t kMostChosen = 8;    // entries of a table
constexpr std::size_t kMostLaws = 64;     // of an alternation whose entry a loop chooses
constexpr std::ptrdiff_t kMostApart = 2;  // tables that ranks are told apart for in place

}  // namespace

std::optional<std::int64_t> element_at(const Expr& e, std::int64_t index, std::int64_t length) {
  const std::array<expr::Value, 2> known = {expr::Value{std::string(program::kIndex), index},
                                            expr::Value{std::string(program::kLength), length}};
  const auto value = expr::evaluate(e, known);
  if (!value) return std::nullopt;
  return *value;
}

std::optional<std::int64_t> newer_ones(const Expr& ages) {
  constexpr std::int64_t kLength = 7;  // any: an expression that counts down from there does
  const auto last = element_at(ages, kLength - 1, kLength);
  if (!last || *last < 0) return std::nullopt;
  for (const std::int64_t length : {kLength, 2 * kLength}) {
    for (std::int64_t i = 0; i < length; ++i) {
      if (element_at(ages, i, length) != *last + length - 1 - i) return std::nullopt;
    }
  }
  return last;
}

const Value& Significant::of(const Value& v, std::int64_t left_out) {
  if (v.parameter) return v;
  const auto [known, is_new] = known_.try_emplace({&v, left_out});
  Value& out = known->second;
  if (!is_new) return out;
  out.distance = v.distance;
  for (const Case& c : v.cases) {
    std::optional<std::set<std::int64_t>> numbers;  // that it is, if they are few
    if (const auto* e = std::get_if<Expr>(&c.content); e && e->is_constant())
      numbers = {e->value()};
    if (const auto* s = std::get_if<Sequence>(&c.content); s && s->encoding == Encoding::absolute)
      numbers = few_numbers(s->values);
    if (const auto* t = std::get_if<ByStream>(&c.content)) numbers = few_numbers(t->values);
    if (numbers) numbers->erase(left_out);
    if (numbers && numbers->empty()) continue;
    out.cases.push_back(c);
    if (numbers && numbers->size() == 1) out.cases.back().content = Expr(*numbers->begin());
  }
  if (out.cases.empty()) out.cases.push_back(v.cases.back());
  return out;
}

std::optional<std::int64_t> constant_on(const Value& v, const program::StreamSet& streams) {
  if (const auto n = v.constant()) return n;
  if (v.parameter || !streams) return std::nullopt;
  std::optional<std::int64_t> out;
  for (const std::uint64_t s : *streams) {
    const auto own = std::ranges::find_if(
        v.cases, [&](const Case& c) { return std::ranges::binary_search(*c.who.streams, s); });
    if (own == v.cases.end()) return std::nullopt;
    const auto* e = std::get_if<Expr>(&own->content);
    if (!e || !e->is_constant() || (out && *out != e->value())) return std::nullopt;
    out = e->value();
  }
  return out;
}

bool are_constants(const Value& v) {
  return !v.parameter && std::ranges::all_of(v.cases, [](const Case& c) {
    const auto* e = std::get_if<Expr>(&c.content);
    return e && e->is_constant();
  });
}

std::optional<std::string> text_of(const Case& c, std::optional<std::int64_t> length) {
  const auto* s = std::get_if<Sequence>(&c.content);
  const auto* e = std::get_if<Expr>(&c.content);
  if (!length || !((s && s->each_time) || (e && e->is_constant()))) return std::nullopt;
  std::string out;
  trace::SeriesCursor cursor;
  if (s) cursor = trace::SeriesCursor(s->values);
  for (std::int64_t i = 0; i < *length; ++i)
    out += static_cast<char>(s ? cursor.next() : e->value());
  return out;
}

void throw_if_by_ranks(const Value& text) {
  const bool is_by_ranks = std::ranges::any_of(text.cases, [](const Case& c) {
    return std::holds_alternative<program::Pattern>(c.content);
  });
  if (is_by_ranks) throw Unwritable{"it has texts that follow the number of ranks"};
}

bool is_chosen_by_loop(const Sequence& s) {
  return s.by_loop && s.by_loop->first == 0 && !s.each_time && s.length > 0 &&
         s.length <= kMostChosen;
}

bool is_chosen_by_loop(const program::Alternation& a) {
  return a.by_loop && a.by_loop->first == 0 && a.laws.size() <= kMostLaws;
}

bool has_choice_by_loop(const Value& v) {
  return std::ranges::any_of(v.cases, [](const Case& c) {
    const auto* s = std::get_if<Sequence>(&c.content);
    const auto* a = std::get_if<program::Alternation>(&c.content);
    return (s && is_chosen_by_loop(*s)) || (a && is_chosen_by_loop(*a));
  });
}

// Many of them stand together in one table.
bool has_table(const Value& v) {
  const auto chosen = std::ranges::count_if(v.cases, [](const Case& c) {
    const auto* s = std::get_if<Sequence>(&c.content);
    return s && is_chosen_by_loop(*s);
  });
  return chosen > kMostApart || std::ranges::any_of(v.cases, [](const Case& c) {
           const auto* s = std::get_if<Sequence>(&c.content);
           const auto* a = std::get_if<program::Alternation>(&c.content);
           return (a && !is_chosen_by_loop(*a)) ||
                  std::holds_alternative<program::Pattern>(c.content) ||
                  (s && !s->each_time && !s->values.is_constant() && !is_chosen_by_loop(*s));
         });
}

}  // namespace reprise::write
