#include "write/python/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "write/python/text.hpp"

namespace reprise::write::python {
namespace {

constexpr std::size_t kIndent = 4;

// How tight a construct binds, as in the reference of Python, section 6.17.
enum Precedence : int {
  kConditional,
  kOr,
  kAnd,
  kNot,
  kComparison,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kPrefix,
  kPrimary,
};

struct OperatorText {
  std::string_view text;
  Precedence precedence;
};

// By Operator.
constexpr std::array<OperatorText, 21> kOperators = {
    {{"or", kOr},         {"and", kAnd},       {"<", kComparison},      {"<=", kComparison},
     {">", kComparison},  {">=", kComparison}, {"==", kComparison},     {"!=", kComparison},
     {"in", kComparison}, {"is", kComparison}, {"is not", kComparison}, {"|", kBitOr},
     {"^", kBitXor},      {"&", kBitAnd},      {"<<", kShift},          {">>", kShift},
     {"+", kSum},         {"-", kSum},         {"*", kProduct},         {"//", kProduct},
     {"%", kProduct}}};

const OperatorText& text_of(Operator op) { return kOperators[static_cast<std::size_t>(op)]; }

// A text that may be broken: pieces one behind the other, of which brackets may have their elements
// on lines of their own.
struct Doc {
  enum class Kind : std::uint8_t { text, concat, brackets, chain };

  Kind kind = Kind::text;
  std::string text;        // or the opening bracket
  std::string close = {};  // the closing one
  bool is_filled = false;  // brackets: as many elements on a line as fit
  std::vector<Doc> parts = {};

  std::size_t width() const {
    std::size_t out = text.size() + close.size();
    for (const Doc& d : parts) out += d.width();
    if (kind == Kind::brackets && !parts.empty()) out += 2 * (parts.size() - 1);
    if (kind == Kind::chain && !parts.empty()) out += parts.size() - 1;
    return out;
  }
};

Doc plain(std::string text) { return {Doc::Kind::text, std::move(text)}; }
Doc concat(std::vector<Doc> parts) { return {Doc::Kind::concat, {}, {}, false, std::move(parts)}; }
Doc brackets(std::string open, std::string close, std::vector<Doc> parts, bool is_filled = false) {
  return {Doc::Kind::brackets, std::move(open), std::move(close), is_filled, std::move(parts)};
}

Doc doc(const Expression& e, int least);

std::vector<Doc> docs(const std::vector<Expression>& all) {
  std::vector<Doc> out;
  for (const Expression& e : all) out.push_back(doc(e, kConditional));
  return out;
}

bool are_leaves(const std::vector<Expression>& all) {
  return std::ranges::all_of(all, [](const Expression& e) {
    return std::holds_alternative<Number>(e->content) || std::holds_alternative<Name>(e->content) ||
           std::holds_alternative<Attribute>(e->content);
  });
}

constexpr std::size_t kMany = 16;  // elements or arguments, which stand in as few lines as do

bool is_filled(const std::vector<Expression>& all) { return all.size() > kMany || are_leaves(all); }

// The operands of operators of one kind in a row, with the operators in front of all but the first.
void flatten(const Expression& e, Operator op, std::vector<Doc>& out) {
  const OperatorText& t = text_of(op);
  const auto* b = std::get_if<Binary>(&e->content);
  if (!b || b->op != op) {
    out.push_back(doc(e, t.precedence));
    return;
  }
  flatten(b->left, op, out);
  Doc right = doc(b->right, t.precedence + 1);
  out.push_back(concat({plain(std::string(t.text) + " "), std::move(right)}));
}

Doc content(const Expression& e, int& precedence) {
  precedence = kPrimary;
  if (const auto* n = std::get_if<Name>(&e->content)) return plain(n->text);
  if (const auto* n = std::get_if<Number>(&e->content)) {
    if (n->value < 0) precedence = kPrefix;
    return plain(std::to_string(n->value));
  }
  if (const auto* t = std::get_if<Text>(&e->content)) return plain(quoted(t->bytes));
  if (const auto* u = std::get_if<Unary>(&e->content)) {
    precedence = u->prefix == Prefix::negate ? kPrefix : kNot;
    return concat({plain(u->prefix == Prefix::negate ? "-" : "not "), doc(u->operand, precedence)});
  }
  if (const auto* b = std::get_if<Binary>(&e->content)) {
    const OperatorText& t = text_of(b->op);
    precedence = t.precedence;
    if (t.precedence == kOr || t.precedence == kAnd) {
      std::vector<Doc> parts;
      flatten(e, b->op, parts);
      return {Doc::Kind::chain, {}, {}, false, std::move(parts)};
    }
    // Comparisons would chain.
    const int left = t.precedence == kComparison ? kComparison + 1 : t.precedence;
    return concat(
        {doc(b->left, left), plain(fmt::format(" {} ", t.text)), doc(b->right, t.precedence + 1)});
  }
  if (const auto* c = std::get_if<Conditional>(&e->content)) {
    precedence = kConditional;
    return {Doc::Kind::chain,
            {},
            {},
            false,
            {doc(c->yes, kOr), concat({plain("if "), doc(c->condition, kOr)}),
             concat({plain("else "), doc(c->no, kConditional)})}};
  }
  if (const auto* a = std::get_if<Attribute>(&e->content))
    return concat({doc(a->value, kPrimary), plain("." + a->name)});
  if (const auto* s = std::get_if<Subscript>(&e->content))
    return concat({doc(s->value, kPrimary), brackets("[", "]", {doc(s->index, kConditional)})});
  if (const auto* i = std::get_if<Invocation>(&e->content)) {
    std::vector<Doc> all;
    for (const Argument& a : i->arguments) {
      Doc value = doc(a.value, kConditional);
      all.push_back(a.keyword.empty() ? std::move(value)
                                      : concat({plain(a.keyword + "="), std::move(value)}));
    }
    const bool are_many = all.size() > kMany;
    return concat({doc(i->callee, kPrimary), brackets("(", ")", std::move(all), are_many)});
  }
  if (const auto* l = std::get_if<List>(&e->content))
    return brackets("[", "]", docs(l->elements), is_filled(l->elements));
  if (const auto* t = std::get_if<Tuple>(&e->content)) {
    if (t->elements.size() == 1)
      return concat({plain("("), doc(t->elements.front(), kConditional), plain(",)")});
    return brackets("(", ")", docs(t->elements), are_leaves(t->elements));
  }
  if (const auto* d = std::get_if<Dict>(&e->content)) {
    std::vector<Doc> all;
    for (const Entry& entry : d->entries)
      all.push_back(
          concat({doc(entry.key, kConditional), plain(": "), doc(entry.value, kConditional)}));
    return brackets("{", "}", std::move(all), true);
  }
  const auto& c = std::get<Comprehension>(e->content);
  return concat({plain("["), doc(c.element, kConditional),
                 plain(fmt::format(" for {} in ", c.variable)), doc(c.iterable, kOr), plain("]")});
}

Doc doc(const Expression& e, int least) {
  int precedence = kPrimary;
  Doc out = content(e, precedence);
  if (precedence >= least) return out;
  return brackets("(", ")", {std::move(out)});
}

class Layout {
 public:
  explicit Layout(std::size_t indent) : indent_(indent), out_(indent, ' '), column_(indent) {}

  // `behind`: columns of what stands behind it on the same line.
  void put(const Doc& d, std::size_t behind) {
    if (column_ + d.width() + behind <= kWidth) return flat(d);
    switch (d.kind) {
      case Doc::Kind::text: return word(d.text);
      case Doc::Kind::chain:
      case Doc::Kind::concat: return parts(d, behind);
      case Doc::Kind::brackets: return broken(d);
    }
  }

  std::string take() { return std::move(out_); }
  std::size_t column() const { return column_; }

 private:
  void word(std::string_view text) {
    out_ += text;
    column_ += text.size();
  }

  void line() {
    out_ += "\n" + std::string(indent_, ' ');
    column_ = indent_;
  }

  void flat(const Doc& d) {
    word(d.text);
    for (std::size_t i = 0; i < d.parts.size(); ++i) {
      if (i > 0 && d.kind == Doc::Kind::brackets) word(", ");
      if (i > 0 && d.kind == Doc::Kind::chain) word(" ");
      flat(d.parts[i]);
    }
    word(d.close);
  }

  // Within brackets a chain has its parts on lines of their own.
  void parts(const Doc& d, std::size_t behind) {
    for (std::size_t i = 0; i < d.parts.size(); ++i) {
      if (i > 0 && d.kind == Doc::Kind::chain) {
        if (nesting_ > 0) {
          line();
        } else {
          word(" ");
        }
      }
      std::size_t rest = behind;
      // What stands behind a part up to where the line may be broken again.
      for (std::size_t j = i + 1; j < d.parts.size() && d.kind == Doc::Kind::concat; ++j) {
        if (d.parts[j].kind == Doc::Kind::brackets) {
          rest = 1;
          break;
        }
        rest += d.parts[j].width();
      }
      put(d.parts[i], rest);
    }
  }

  void broken(const Doc& d) {
    word(d.text);
    indent_ += kIndent;
    ++nesting_;
    line();
    const bool is_one = d.parts.size() == 1;
    for (std::size_t i = 0; i < d.parts.size(); ++i) {
      const bool fits = column_ + 1 + d.parts[i].width() + 1 <= kWidth;
      const bool is_behind_broken = i > 0 && indent_ + d.parts[i - 1].width() + 1 > kWidth;
      if (i > 0 && d.is_filled && fits && !is_behind_broken) {
        word(" ");
      } else if (i > 0) {
        line();
      }
      put(d.parts[i], 1);
      if (!is_one) word(",");
    }
    indent_ -= kIndent;
    --nesting_;
    line();
    word(d.close);
  }

  std::size_t indent_, nesting_ = 0;
  std::string out_;
  std::size_t column_;
};

class Printer {
 public:
  std::string run(const Block& block) {
    body(block, 0);
    return std::move(out_);
  }

 private:
  // `head` and `tail` stand around the expression on its line; in parentheses if that is too long.
  void expression(std::size_t depth, const std::string& head, const Expression& e,
                  const std::string& tail, const std::string& comment) {
    const std::size_t indent = kIndent * depth;
    Doc inside = doc(e, kConditional);
    const bool is_chain = inside.kind == Doc::Kind::chain;
    const bool fits = indent + head.size() + inside.width() + tail.size() <= kWidth;
    if (is_chain && !fits) inside = brackets("(", ")", {std::move(inside)});
    const std::string behind = comment.empty() ? "" : "  # " + comment;
    Layout layout(indent);
    layout.put(plain(head), 0);
    layout.put(inside, tail.size());
    const std::size_t width = layout.column() + tail.size();  // of the last line
    const std::string text = layout.take() + tail;
    if (width + behind.size() <= kWidth || comment.empty()) {
      out_ += text + behind + "\n";
    } else {
      out_ += std::string(indent, ' ') + "# " + comment + "\n" + text + "\n";
    }
  }

  void line(std::size_t depth, const std::string& text) {
    out_ += std::string(kIndent * depth, ' ') + text + "\n";
  }

  void body(const Block& block, std::size_t depth) {
    if (block.empty()) return line(depth, "pass");
    for (const Statement& s : block) statement(s, depth);
  }

  void statement(const Statement& s, std::size_t depth) {
    if (const auto* e = std::get_if<Evaluate>(&s.content)) {
      expression(depth, "", e->value, "", s.comment);
    } else if (const auto* a = std::get_if<Assign>(&s.content)) {
      std::string head;
      for (const Expression& t : a->targets) head += (head.empty() ? "" : ", ") + print(t);
      expression(depth, head + " = ", a->value, "", s.comment);
    } else if (const auto* f = std::get_if<For>(&s.content)) {
      expression(depth, fmt::format("for {} in ", f->variable), f->iterable, ":", s.comment);
      body(f->body, depth + 1);
    } else if (const auto* i = std::get_if<If>(&s.content)) {
      for (std::size_t k = 0; k < i->branches.size(); ++k) {
        const Branch& b = i->branches[k];
        if (b.condition) {
          expression(depth, k == 0 ? "if " : "elif ", b.condition, ":", k == 0 ? s.comment : "");
        } else {
          line(depth, "else:");
        }
        body(b.body, depth + 1);
      }
    } else if (const auto* d = std::get_if<Function>(&s.content)) {
      if (!s.comment.empty()) line(depth, "# " + s.comment);
      std::vector<Expression> parameters;
      for (const std::string& p : d->parameters) parameters.push_back(name(p));
      expression(depth, "def ", call(d->name, std::move(parameters)), ":", "");
      body(d->body, depth + 1);
    } else if (const auto* g = std::get_if<Global>(&s.content)) {
      globals(*g, depth);
    } else if (const auto* c = std::get_if<Comment>(&s.content)) {
      line(depth, "# " + c->text);
    } else {
      out_ += "\n";
    }
  }

  // A statement has no brackets to be broken within; there are several of them.
  void globals(const Global& g, std::size_t depth) {
    std::string text;
    for (const std::string& n : g.names) {
      if (!text.empty() && kIndent * depth + text.size() + 2 + n.size() > kWidth) {
        line(depth, text);
        text.clear();
      }
      text += (text.empty() ? "global " : ", ") + n;
    }
    if (!text.empty()) line(depth, text);
  }

  std::string out_;
};

std::string flat_text(const Doc& d) {
  std::string out = d.text;
  for (std::size_t i = 0; i < d.parts.size(); ++i) {
    if (i > 0 && d.kind == Doc::Kind::brackets) out += ", ";
    if (i > 0 && d.kind == Doc::Kind::chain) out += " ";
    out += flat_text(d.parts[i]);
  }
  return out + d.close;
}

}  // namespace

std::string print(const Block& block) { return Printer().run(block); }

std::string print(const Expression& e) { return flat_text(doc(e, kConditional)); }

}  // namespace reprise::write::python
