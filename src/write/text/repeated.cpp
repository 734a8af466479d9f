#include "write/text/repeated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "program/nodes/slots.hpp"

namespace reprise::write {

using program::Node;
using program::Value;
using trace::Column;

namespace {

// Characters that names save at least: less is not worth looking a name up.
constexpr std::size_t kLeastSaved = 50;
constexpr std::size_t kLeastText = 20;  // characters of what has one
constexpr std::size_t kMostNames = 24;  // more than a reader keeps in mind, or finds at a glance

// "a" to "h", which no loop and no dimension is named, then "a2" and so on.
std::string name_of(std::size_t number) {
  constexpr std::size_t kLetters = 8;
  const std::string letter(1, static_cast<char>('a' + number % kLetters));
  return number < kLetters ? letter : letter + std::to_string(number / kLetters + 1);
}

// Whether an expression is the same wherever it stands.
bool is_anywhere(const expr::Expr& e) {
  return std::ranges::all_of(expr::free_variables(e), [](const std::string& name) {
    if (name == expr::kRank || name == expr::kRanks || name == program::kThread) return true;
    for (std::size_t d = 0; d < expr::kMaxDimensions; ++d) {
      if (name == program::coordinate(d)) return true;
    }
    return false;
  });
}

bool is_anywhere(const program::Case& c) {
  if (const auto* e = std::get_if<expr::Expr>(&c.content)) return is_anywhere(*e);
  if (const auto* s = std::get_if<program::Sequence>(&c.content))
    return s->encoding == trace::Encoding::absolute;
  return std::holds_alternative<program::ByStream>(c.content) ||
         std::holds_alternative<program::Neighbor>(c.content);
}

// Several cases, or a table.
bool is_long(const Value& v) {
  if (v.parameter || v.distance || v.cases.empty()) return false;
  const bool is_table = !std::holds_alternative<expr::Expr>(v.cases.front().content) &&
                        !std::holds_alternative<program::Neighbor>(v.cases.front().content);
  return (v.cases.size() > 1 || is_table) &&
         std::ranges::all_of(v.cases, [](const program::Case& c) { return is_anywhere(c); });
}

std::string key(const Value& v, const Column& column) {
  return fmt::format("{} {} {}", static_cast<int>(column.kind), column.enumeration,
                     program::signature(v));
}

using Visit = std::function<void(const Value&, const Column&)>;

void visit_values(const program::Program& program, const std::vector<Node>& nodes,
                  const Visit& visit) {
  for (const Node& n : nodes) {
    for (const program::Argument& a : n.arguments) {
      if (!a.length) visit(a.value, a.column);
    }
    for (std::size_t k = 0; k < n.passed.size(); ++k) {
      const auto* v = std::get_if<Value>(&n.passed[k]);
      const auto& column = program.procedures[n.procedure].parameters[k].column;
      if (v && column) visit(*v, *column);
    }
    visit_values(program, n.body, visit);
  }
}

}  // namespace

RepeatedValues::RepeatedValues(const program::Program& program, const TextOf& text) {
  struct Uses {
    const Value* value;
    Column column;
    std::size_t count = 0;
  };
  std::map<std::string, Uses> uses;
  std::vector<std::string> order;
  const Visit count = [&](const Value& v, const Column& column) {
    if (!is_long(v)) return;
    const auto [entry, is_new] = uses.try_emplace(key(v, column), Uses{&v, column, 0});
    if (is_new) order.push_back(entry->first);
    ++entry->second.count;
  };
  for (const program::Procedure& p : program.procedures) visit_values(program, p.body, count);
  visit_values(program, program.body, count);
  std::vector<std::size_t> saved;  // characters, of each value in order
  for (const std::string& k : order) {
    const Uses& u = uses.at(k);
    const std::size_t width = u.count < 2 ? 0 : text(*u.value, u.column).size();
    const bool is_worth_it = width >= kLeastText && (u.count - 1) * width >= kLeastSaved;
    saved.push_back(is_worth_it ? (u.count - 1) * width : 0);
  }
  std::vector<std::size_t> named(order.size());
  std::iota(named.begin(), named.end(), std::size_t{0});
  std::erase_if(named, [&](std::size_t i) { return saved[i] == 0; });
  if (named.size() > kMostNames) {
    std::ranges::stable_sort(named, std::greater<>(), [&](std::size_t i) { return saved[i]; });
    named.resize(kMostNames);
    std::ranges::sort(named);
  }
  for (const std::size_t i : named) {
    const Uses& u = uses.at(order[i]);
    known_.emplace(order[i], all_.size());
    all_.push_back({name_of(all_.size()), u.value, u.column});
  }
}

const Repeated* RepeatedValues::find(const Value& value, const Column& column) const {
  if (all_.empty() || !is_long(value)) return nullptr;
  const auto known = known_.find(key(value, column));
  return known == known_.end() ? nullptr : &all_[known->second];
}

}  // namespace reprise::write
