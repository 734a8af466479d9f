#include "conceptual/print/print_expression.hpp"

#include "base/contract.hpp"

namespace reprise::conceptual {
namespace {

// The precedence of operators in the grammar (parse_expression.cpp).
enum class Level { conditional, sum, product, unary, power, primary };

Level level_of(Op op) {
  switch (op) {
    case Op::conditional: return Level::conditional;
    case Op::add:
    case Op::subtract:
    case Op::bit_or:
    case Op::bit_xor: return Level::sum;
    case Op::multiply:
    case Op::divide:
    case Op::modulo:
    case Op::shift_left:
    case Op::shift_right:
    case Op::bit_and: return Level::product;
    case Op::negate:
    case Op::complement: return Level::unary;
    case Op::power: return Level::power;
    default: return Level::primary;
  }
}

const char* symbol(Op op) {
  switch (op) {
    case Op::add: return "+";
    case Op::subtract: return "-";
    case Op::multiply: return "*";
    case Op::divide: return "/";
    case Op::modulo: return "MOD";
    case Op::power: return "**";
    case Op::shift_left: return "<<";
    case Op::shift_right: return ">>";
    case Op::bit_and: return "&";
    case Op::bit_or: return "|";
    case Op::bit_xor: return "XOR";
    default: return nullptr;
  }
}

// Operators that stand between blanks, and next to which a reader wants parentheses.
bool is_word(Op op) {
  return op == Op::modulo || op == Op::shift_left || op == Op::shift_right || op == Op::bit_and ||
         op == Op::bit_or || op == Op::bit_xor;
}

class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(Lines& out) : out_(out) {}

  void expression(const Expr& e) {
    switch (e.op) {
      case Op::number: return number(e.value);
      case Op::variable: return text(e.name);
      case Op::negate:
      case Op::complement:
        text(e.op == Op::negate ? "-" : "NOT ");
        is_glued_ = true;
        return operand(e.operands[0], Level::power);
      case Op::conditional:
        operand(e.operands[0], Level::sum);
        out_.word("IF");
        relation(*e.condition);
        out_.word("OTHERWISE");
        // A chain of conditionals needs no parentheses; each of them begins a clause.
        out_.end_clause();
        return expression(e.operands[1]);
      case Op::real:
      case Op::call: return call(e);
      default: return binary(e);
    }
  }

  void enclosed(const Expr& e) {
    text("(");
    out_.open();
    is_glued_ = true;
    expression(e);
    out_.close();
    out_.glue(")");
  }

  void relation(const Relation& r) {
    using Kind = Relation::Kind;
    if (r.kind == Kind::both || r.kind == Kind::either) {
      for (std::size_t i = 0; i < r.parts.size(); ++i) {
        if (i > 0) out_.word(r.kind == Kind::both ? "/\\" : "\\/");
        const Relation& part = r.parts[i];
        const bool is_mixed = part.kind == Kind::both || part.kind == Kind::either;
        if (!is_mixed) {
          relation(part);
          continue;
        }
        text("(");
        out_.open();
        is_glued_ = true;
        relation(part);
        out_.close();
        out_.glue(")");
      }
      return;
    }
    operand(r.operands[0], Level::sum);
    switch (r.kind) {
      case Kind::even: return out_.word("IS EVEN");
      case Kind::odd: return out_.word("IS ODD");
      case Kind::in: out_.word("IS IN"); return ranges(r.ranges);
      case Kind::not_in: out_.word("IS NOT IN"); return ranges(r.ranges);
      case Kind::equal: out_.word("="); break;
      case Kind::less: out_.word("<"); break;
      case Kind::greater: out_.word(">"); break;
      case Kind::at_most: out_.word("<="); break;
      case Kind::at_least: out_.word(">="); break;
      case Kind::unequal: out_.word("<>"); break;
      default: out_.word("DIVIDES"); break;
    }
    operand(r.operands[1], Level::sum);
  }

  void ranges(const std::vector<Range>& all) {
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (r > 0) out_.glue(",");
      text("{");
      out_.open();
      is_glued_ = true;
      for (std::size_t i = 0; i < all[r].items.size(); ++i) {
        if (i > 0) out_.glue(",");
        expression(all[r].items[i]);
      }
      if (all[r].last) {
        out_.glue(",");
        out_.word("...,");
        expression(*all[r].last);
      }
      out_.close();
      out_.glue("}");
    }
  }

 private:
  void text(std::string_view t) {
    if (is_glued_) {
      out_.glue(t);
    } else {
      out_.word(t);
    }
    is_glued_ = false;
  }

  // The language has a minus before numbers, but reads a hyphen before some words as a blank.
  void number(std::int64_t v) {
    if (v >= 0) return text(std::to_string(v));
    text("(0-" + std::to_string(0 - static_cast<std::uint64_t>(v)) + ")");
  }

  void operand(const Expr& e, Level least) {
    if (level_of(e.op) < least) return enclosed(e);
    expression(e);
  }

  void binary(const Expr& e) {
    const Level own = level_of(e.op);
    side(e, e.operands[0], own);
    if (is_word(e.op)) {
      out_.word(symbol(e.op));
    } else {
      out_.glue(symbol(e.op));
      is_glued_ = true;
    }
    side(e, e.operands[1], static_cast<Level>(static_cast<int>(own) + 1));
  }

  // Next to words such as MOD, and behind a hyphen that would be a blank, there are parentheses.
  void side(const Expr& e, const Expr& operand, Level least) {
    const Op op = operand.op;
    const bool is_operator = symbol(op) != nullptr;
    const bool is_unclear =
        is_operator && ((is_word(e.op) && op != e.op) ||
                        (is_word(e.op) && least > level_of(e.op)) || (is_word(op) && op != e.op));
    if (is_unclear || (begins_with_function(operand) && e.op == Op::subtract))
      return enclosed(operand);
    this->operand(operand, least);
  }

  // Whether the first word may be the name of a function: that of a product is its left operand's.
  static bool begins_with_function(const Expr& e) {
    const Expr* first = &e;
    while (symbol(first->op) != nullptr && !first->operands.empty()) first = &first->operands[0];
    return first->op == Op::call || first->op == Op::real;
  }

  // MESH_NEIGHBOR has lists of extents and of steps: MESH_NEIGHBOR((4*, 3), t, (1, 0)).
  void call(const Expr& e) {
    text(e.op == Op::real ? "REAL" : e.name);
    out_.glue("(");
    out_.open();
    const std::size_t n = e.operands.size(), d = e.dimensions;
    const bool has_steps = e.name == "MESH_NEIGHBOR";
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) out_.glue(",");
      is_glued_ = i == 0;
      if ((i == 0 && d > 0) || (has_steps && i == d + 1)) {
        text("(");
        is_glued_ = true;
      }
      expression(e.operands[i]);
      if (i < d && e.wraps[i]) out_.glue("*");
      if (i + 1 == d || (has_steps && i + 1 == n)) out_.glue(")");
    }
    out_.close();
    out_.glue(")");
  }

  Lines& out_;
  bool is_glued_ = false;  // the next word follows without a blank
};

}  // namespace

void print_expression(const Expr& e, Lines& out) { ExpressionPrinter(out).expression(e); }

void print_operand(const Expr& e, Lines& out) {
  if (level_of(e.op) == Level::primary && e.op != Op::call && e.op != Op::real)
    return ExpressionPrinter(out).expression(e);
  ExpressionPrinter(out).enclosed(e);
}

void print_relation(const Relation& r, Lines& out) { ExpressionPrinter(out).relation(r); }

void print_ranges(const std::vector<Range>& ranges, Lines& out) {
  ExpressionPrinter(out).ranges(ranges);
}

}  // namespace reprise::conceptual
