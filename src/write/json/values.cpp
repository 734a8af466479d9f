#include "write/json/values.hpp"

#include "write/json/numbers.hpp"

namespace reprise::write {

using expr::Expr;
using nlohmann::ordered_json;
using program::Case;
using program::Neighbor;
using trace::Column;

namespace {

ordered_json loop_json(const program::ByLoop& by) {
  ordered_json out{{"index", program::loop_index(by.loop)}, {"first", by.first}};
  if (by.per != 1) out["per"] = by.per;
  if (by.is_partial) out["is_partial"] = true;
  return out;
}

const char* encoding_name(trace::Encoding encoding) {
  switch (encoding) {
    case trace::Encoding::relative: return "relative";
    case trace::Encoding::exclusive_or: return "xor";
    case trace::Encoding::absolute: break;
  }
  return "absolute";
}

// Each form of a content is an object whose one member says which it is.
struct ContentJson {
  const program::Program& program;
  const Case& of;
  const Column& column;
  std::string distance;  // the parameter that says how many times as far neighbors are; empty: none

  ordered_json operator()(const Expr& e) const {
    return {{"expression", expression_json(column, e)}};
  }
  ordered_json operator()(const Neighbor& n) const {
    ordered_json neighbor{{"steps", n.steps}, {"wraps", n.wraps}, {"has_borders", n.has_borders}};
    if (!distance.empty()) neighbor["distance"] = distance;
    return {{"neighbor", std::move(neighbor)}};
  }
  ordered_json operator()(const program::Sequence& s) const {
    ordered_json sequence{{"values", series_json(column, s.values, s.length)},
                          {"length", s.length},
                          {"scope", s.scope},
                          {"each_time", s.each_time},
                          {"encoding", encoding_name(s.encoding)}};
    if (s.by_loop) sequence["by_loop"] = loop_json(*s.by_loop);
    return {{"sequence", std::move(sequence)}};
  }
  ordered_json operator()(const program::Alternation& a) const {
    ordered_json laws = ordered_json::array();
    for (const auto& law : a.laws)
      laws.push_back(std::visit([&](const auto& l) { return (*this)(l); }, law));
    ordered_json alternation{{"laws", std::move(laws)}, {"scope", a.scope}};
    if (a.by_loop) alternation["by_loop"] = loop_json(*a.by_loop);
    return {{"alternation", std::move(alternation)}};
  }
  ordered_json operator()(const program::Pattern& p) const {
    return {{"pattern", {{"terms", terms(p.terms)}, {"encoding", encoding_name(p.encoding)}}}};
  }
  ordered_json operator()(const program::Drawn& d) const {
    ordered_json quantiles = ordered_json::array();
    for (const fit::Curve& c : d.quantiles) quantiles.push_back(curve_json(c, program.sizes));
    return {{"drawn", {{"quantiles", std::move(quantiles)}}}};
  }
  ordered_json operator()(const program::ByStream& t) const {
    const std::size_t n = of.who.streams->size();
    return {
        {"by_stream",
         {{"streams", set_json(*of.who.streams)}, {"values", series_json(column, t.values, n)}}}};
  }

  ordered_json terms(const std::vector<program::PatternTerm>& all) const {
    ordered_json out = ordered_json::array();
    for (const program::PatternTerm& t : all) {
      ordered_json term = ordered_json::object();
      if (t.body.empty()) {
        term["value"] = expression_json(column, t.value);
      } else {
        term["repeat"] = terms(t.body);
      }
      term["count"] = expression_json(kPlainNumber, t.count);
      term["step"] = expression_json(kPlainNumber, t.step);
      out.push_back(std::move(term));
    }
    return out;
  }
};

}  // namespace

ordered_json ValueJson::who(const program::Who& who) const {
  if (who.parameter) return {{"parameter", procedure_->parameters[*who.parameter].name}};
  if (who.condition) return {{"condition", expression_json(kPlainNumber, *who.condition)}};
  if (who.group) return {{"group", program_.groups[*who.group].name}};
  return {{"streams", set_json(*who.streams)}};
}

ordered_json ValueJson::value(const program::Value& value, const Column& column) const {
  if (value.parameter) return {{"parameter", procedure_->parameters[*value.parameter].name}};
  const std::string distance =
      value.distance ? procedure_->parameters[*value.distance].name : std::string();
  const auto content = [&](const Case& c) {
    return std::visit(ContentJson{program_, c, column, distance}, c.content);
  };
  if (value.cases.size() == 1 && value.cases.front().who.is_everyone())
    return content(value.cases.front());
  ordered_json cases = ordered_json::array();
  for (const Case& c : value.cases) cases.push_back({{"who", who(c.who)}, {"value", content(c)}});
  return {{"cases", std::move(cases)}};
}

}  // namespace reprise::write
