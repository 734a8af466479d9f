#include "expr/codec.hpp"

#include <algorithm>
#include <cctype>

#include "base/contract.hpp"

namespace reprise::expr {

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), fits);
}

namespace {

Expr decode_below(ByteReader& in, std::uint32_t depth, std::uint32_t& nodes) {
  if (depth > kMaxDepth) return in.fail("an expression is nested too deeply"), Expr();
  if (++nodes > kMaxNodes) return in.fail("an expression is too long"), Expr();
  const std::uint8_t number = in.byte();
  if (in.failed()) return {};
  if (number >= kOps) return in.fail("an unknown operator of an expression"), Expr();
  const Op op = static_cast<Op>(number);
  if (op == Op::constant) return in.signed_varint();
  if (op == Op::variable) {
    const std::string name = in.text();
    if (!in.failed() && !is_name(name)) in.fail("a variable of an expression has no proper name");
    return in.failed() ? Expr() : Expr::variable(name);
  }
  std::vector<Expr> operands;
  for (std::uint8_t i = 0; i < traits(op).operands && !in.failed(); ++i) {
    operands.push_back(decode_below(in, depth + 1, nodes));
  }
  if (op == Op::sum && !in.failed() && !operands[0].is_variable()) {
    in.fail("a sum of an expression has no index");
  }
  return in.failed() ? Expr() : Expr::make(op, operands);
}

}  // namespace

void encode(ByteWriter& out, const Expr& e) {
  REPRISE_REQUIRE(e.depth() <= kMaxDepth && e.nodes() <= kMaxNodes);
  out.byte(static_cast<std::uint8_t>(e.op()));
  if (e.is_constant()) out.signed_varint(e.value());
  if (e.is_variable()) out.text(e.name());
  for (const Expr& operand : e.operands()) encode(out, operand);
}

Expr decode(ByteReader& in) {
  std::uint32_t nodes = 0;
  return decode_below(in, 1, nodes);
}

}  // namespace reprise::expr
