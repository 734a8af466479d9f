#include "generate/detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "program/build.hpp"

namespace reprise::generate {
namespace {

using program::Node;
using program::Value;
using program::Who;

constexpr std::array<std::string_view, 3> kNames = {"exact", "mean", "statistical"};

bool is_irregular(const Value& v) {
  return std::ranges::any_of(v.cases, [](const program::Case& c) {
    return !std::holds_alternative<expr::Expr>(c.content) &&
           !std::holds_alternative<program::Neighbor>(c.content);
  });
}

bool is_irregular(const Who& who) { return !who.condition && !who.parameter; }

bool is_irregular(const program::Argument& a) {
  const bool is_met = a.column.kind == trace::Kind::matched ||
                      a.column.kind == trace::Kind::polls || a.column.name == "matched_tag";
  return !is_met && (is_irregular(a.value) || (a.length && is_irregular(*a.length)));
}

class Finder {
 public:
  explicit Finder(std::size_t calls) : found(calls, false) {}

  void visit(const std::vector<Node>& nodes, bool is_under) {
    for (const Node& n : nodes) {
      bool is = is_under || is_irregular(n.who) || is_irregular(n.trips);
      is |= std::ranges::any_of(n.arguments, [](const auto& a) { return is_irregular(a); });
      is |= std::ranges::any_of(n.passed, [](const auto& p) {
        return std::visit([](const auto& v) { return is_irregular(v); }, p);
      });
      if (is && n.kind == Node::Kind::call) found[n.call] = true;
      for (const std::uint32_t c : n.calls) found[c] = found[c] || is;
      visit(n.body, is);
    }
  }

  std::vector<bool> found;
};

std::string percent(std::uint64_t drawn, std::uint64_t recorded) {
  if (recorded == 0) return "0.0";
  return fmt::format("{:+.1f}",
                     100 * (static_cast<double>(drawn) / static_cast<double>(recorded) - 1));
}

std::vector<std::string> remarks_of(const transform::Drawn& drawn, Detail detail) {
  if (drawn.exchanges.empty()) return {};
  const transform::DrawnTotals &was = drawn.recorded, &is = drawn.drawn;
  return {
      fmt::format(
          "Its irregular messages are {} (--detail {}): {} messages with {} bytes in {} calls",
          detail == Detail::mean ? "means" : "drawn", name_of(detail), was.messages, was.bytes,
          was.calls),
      fmt::format("became {} ({} %) with {} ({} %) in {} ({} %). They keep how many there are each "
                  "time, in",
                  is.messages, percent(is.messages, was.messages), is.bytes,
                  percent(is.bytes, was.bytes), is.calls, percent(is.calls, was.calls)),
      "how many rounds, their sizes, how many a rank has and how many go to one partner, and what",
      "ranks compute. They do not keep who the partners are, tags and datatypes."};
}

}  // namespace

std::optional<Detail> find_detail(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Detail>(found - kNames.begin());
}

std::string_view name_of(Detail detail) { return kNames[static_cast<std::size_t>(detail)]; }

std::vector<bool> irregular_calls(const program::Program& program) {
  Finder finder(program.trace->calls.size());
  finder.visit(program.body, false);
  return std::move(finder.found);
}

Result<std::unique_ptr<DetailedProgram>> draw_program(const trace::Trace& trace, Detail detail) {
  const std::vector<bool> irregular = irregular_calls(program::explain(trace));
  auto drawn = transform::draw(
      trace, detail == Detail::mean ? transform::Drawing::mean : transform::Drawing::statistical,
      [&](std::uint32_t call) { return irregular[call]; });
  if (!drawn)
    return Error{fmt::format("--detail {} does not apply: {}; take --detail exact", name_of(detail),
                             drawn.error().message)};
  auto out = std::make_unique<DetailedProgram>();
  out->drawn = *std::move(drawn);
  program::Options options;
  options.exchanges = out->drawn.exchanges;
  out->program = program::explain(out->drawn.trace, options);
  out->remarks = remarks_of(out->drawn, detail);
  return out;
}

}  // namespace reprise::generate
