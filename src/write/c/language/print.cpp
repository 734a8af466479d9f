#include "write/c/language/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/escape.hpp"

namespace reprise::write::c {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kContinued = 4;  // of what goes on on another line

// How tight a construct binds, as in the grammar of C99, section 6.5.
enum Precedence : int {
  kConditional,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kRelation,
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
constexpr std::array<OperatorText, 18> kOperators = {{{"||", kOr},
                                                      {"&&", kAnd},
                                                      {"|", kBitOr},
                                                      {"^", kBitXor},
                                                      {"&", kBitAnd},
                                                      {"==", kEquality},
                                                      {"!=", kEquality},
                                                      {"<", kRelation},
                                                      {"<=", kRelation},
                                                      {">", kRelation},
                                                      {">=", kRelation},
                                                      {"<<", kShift},
                                                      {">>", kShift},
                                                      {"+", kSum},
                                                      {"-", kSum},
                                                      {"*", kProduct},
                                                      {"/", kProduct},
                                                      {"%", kProduct}}};

const OperatorText& text_of(Operator op) { return kOperators[static_cast<std::size_t>(op)]; }

// A text as words between which lines may be broken: each stands behind a space, or begins a line.
using Words = std::vector<std::string>;

void append(Words& out, const std::string& text) {
  if (out.empty()) out.emplace_back();
  out.back() += text;
}

void append(Words& out, Words more) {
  if (more.empty()) return;
  append(out, more.front());
  out.insert(out.end(), std::make_move_iterator(more.begin() + 1),
             std::make_move_iterator(more.end()));
}

Words words(const Expression& e, int least);

Words listed(const std::string& open, const std::vector<Expression>& all,
             const std::string& close) {
  Words out{open};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) {
      append(out, ",");
      out.emplace_back();
    }
    append(out, words(all[i], kConditional));
  }
  append(out, close);
  return out;
}

std::string number_text(std::int64_t v) {
  // A minus is an operator: what it would negate is too large.
  if (v == std::numeric_limits<std::int64_t>::min()) return fmt::format("({}LL - 1)", v + 1);
  const bool is_int =
      v > std::numeric_limits<std::int32_t>::min() && v <= std::numeric_limits<std::int32_t>::max();
  return fmt::format("{}{}", v, is_int ? "" : "LL");
}

std::string real_text(double v) {
  const std::string out = fmt::format("{:.6g}", v);
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

std::string_view text_of(Prefix p) {
  switch (p) {
    case Prefix::logical_not: return "!";
    case Prefix::negate: return "-";
    case Prefix::address: return "&";
    case Prefix::indirection: return "*";
  }
  return "";
}

bool is_of_bits(Precedence p) { return (p >= kBitOr && p <= kBitAnd) || p == kShift; }
bool is_comparison(Precedence p) { return p == kEquality || p == kRelation; }

// Compilers ask for parentheses where operators of these kinds meet.
bool wants_parentheses(Precedence outer, const Expression& operand) {
  const auto* b = std::get_if<Binary>(&operand->content);
  if (!b) return false;
  const Precedence inner = text_of(b->op).precedence;
  if (is_comparison(outer)) return is_comparison(inner) || is_of_bits(inner);
  return inner != outer && (is_of_bits(outer) || (outer == kOr && inner == kAnd));
}

Words operand(const Expression& e, Precedence outer, int least) {
  if (!wants_parentheses(outer, e)) return words(e, least);
  Words out{"("};
  append(out, words(e, kConditional));
  append(out, ")");
  return out;
}

std::size_t width(const Words& all) {
  std::size_t out = all.empty() ? 0 : all.size() - 1;
  for (const std::string& w : all) out += w.size();
  return out;
}

std::string joined(const Words& all) { return fmt::format("{}", fmt::join(all, " ")); }

// Short operations other than && and || stay on one line.
Words binary_words(const Binary& b) {
  constexpr std::size_t kShort = 40;
  const OperatorText& t = text_of(b.op);
  Words out = operand(b.left, t.precedence, t.precedence);
  out.push_back(std::string(t.text) + " ");
  append(out, operand(b.right, t.precedence, t.precedence + 1));
  if (t.precedence > kAnd && width(out) <= kShort) return {joined(out)};
  return out;
}

// Of a prefix or what binds closer.
bool begins_with_minus(const Expression& e) {
  if (const auto* n = std::get_if<Number>(&e->content)) return n->value < 0;
  if (const auto* r = std::get_if<Real>(&e->content)) return r->value < 0;
  const auto* u = std::get_if<Unary>(&e->content);
  return u && u->prefix == Prefix::negate;
}

Words content(const Expression& e, int& precedence) {
  precedence = kPrimary;
  if (const auto* n = std::get_if<Name>(&e->content)) return {n->text};
  if (const auto* n = std::get_if<Number>(&e->content)) {
    const bool is_negated = n->value < 0 && n->value > std::numeric_limits<std::int64_t>::min();
    if (is_negated) precedence = kPrefix;
    return {number_text(n->value)};
  }
  if (const auto* r = std::get_if<Real>(&e->content)) {
    if (r->value < 0) precedence = kPrefix;
    return {real_text(r->value)};
  }
  if (const auto* t = std::get_if<Text>(&e->content)) return {c_string(t->bytes)};
  if (const auto* u = std::get_if<Unary>(&e->content)) {
    precedence = kPrefix;
    // Two minuses would be another operator.
    const bool is_second = u->prefix == Prefix::negate && begins_with_minus(u->operand);
    Words out{std::string(text_of(u->prefix))};
    append(out, words(u->operand, is_second ? kPrimary : kPrefix));
    return out;
  }
  if (const auto* b = std::get_if<Binary>(&e->content)) {
    precedence = text_of(b->op).precedence;
    return binary_words(*b);
  }
  if (const auto* c = std::get_if<Conditional>(&e->content)) {
    precedence = kConditional;
    Words out = words(c->condition, kOr);
    out.emplace_back("? ");
    append(out, words(c->yes, kOr));
    out.emplace_back(": ");
    append(out, words(c->no, kConditional));
    return out;
  }
  if (const auto* s = std::get_if<Subscript>(&e->content)) {
    Words out = words(s->value, kPrimary);
    append(out, "[");
    append(out, words(s->index, kConditional));
    append(out, "]");
    return out;
  }
  if (const auto* c = std::get_if<Call>(&e->content))
    return listed(c->function + "(", c->arguments, ")");
  if (const auto* c = std::get_if<Compound>(&e->content))
    return listed("(" + c->type + "){", c->elements, "}");
  if (const auto* c = std::get_if<Cast>(&e->content)) {
    precedence = kPrefix;
    Words out{"(" + c->type + ")"};
    append(out, words(c->value, kPrefix));
    return out;
  }
  const auto& i = std::get<Initializer>(e->content);
  Words out{"{"};
  for (std::size_t k = 0; k < i.entries.size(); ++k) {
    if (k > 0) {
      append(out, ",");
      out.emplace_back();
    }
    const Entry& entry = i.entries[k];
    if (!entry.member.empty()) append(out, fmt::format(".{} = ", entry.member));
    append(out, words(entry.value, kConditional));
  }
  append(out, "}");
  return out;
}

Words words(const Expression& e, int least) {
  int precedence = kPrimary;
  Words out = content(e, precedence);
  if (precedence >= least) return out;
  Words inside{"("};
  append(inside, std::move(out));
  append(inside, ")");
  return inside;
}

// A variable: "const int *counts[]".
std::string declarator(const std::string& type, const std::string& name) {
  return type + (type.ends_with('*') ? "" : " ") + name;
}

class Printer {
 public:
  std::string run(const Block& block) {
    body(block, 0);
    return std::move(out_);
  }

 private:
  static std::string spaces(std::size_t n) { return std::string(n, ' '); }

  void line(std::size_t depth, const std::string& text) {
    out_ += spaces(kIndent * depth) + text + "\n";
  }

  // On as many lines as it takes.
  void put(std::size_t depth, const Words& all, const std::string& comment) {
    const std::string behind = comment.empty() ? "" : fmt::format("  /* {} */", comment);
    const std::size_t indent = kIndent * depth;
    if (indent + width(all) + behind.size() <= kWidth) return line(depth, joined(all) + behind);
    if (!behind.empty()) line(depth, behind.substr(2));
    std::string text = spaces(indent);
    std::size_t column = indent;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool fits = column + 1 + all[i].size() <= kWidth;
      if (i > 0 && fits) {
        text += " ";
        ++column;
      } else if (i > 0) {
        text += "\n" + spaces(indent + kContinued);
        column = indent + kContinued;
      }
      text += all[i];
      column += all[i].size();
    }
    out_ += text + "\n";
  }

  void body(const Block& block, std::size_t depth) {
    for (const Statement& s : block) statement(s, depth);
  }

  void closed(const Block& block, std::size_t depth) {
    body(block, depth + 1);
    line(depth, "}");
  }

  // A statement without others in it.
  static Words simple(const Statement& s) {
    Words out;
    if (const auto* e = std::get_if<Evaluate>(&s.content)) {
      out = words(e->value, kConditional);
    } else if (const auto* a = std::get_if<Assign>(&s.content)) {
      out = words(a->target, kConditional);
      append(out, " = ");
      append(out, words(a->value, kConditional));
    } else if (const auto* r = std::get_if<Return>(&s.content)) {
      out = {"return"};
      out.emplace_back();
      append(out, words(r->value, kConditional));
    } else if (const auto* d = std::get_if<Declare>(&s.content)) {
      out = {declarator(d->type, d->name) + d->extent};
      if (d->value) {
        append(out, " = ");
        append(out, words(d->value, kConditional));
      }
    }
    append(out, ";");
    return out;
  }

  void row(const Row& r, std::size_t depth, const std::string& comment) {
    Words all;
    for (const Statement& s : r.statements) {
      Words more = simple(s);
      if (!all.empty()) all.emplace_back();
      append(all, std::move(more));
    }
    if (kIndent * depth + width(all) <= kWidth) return put(depth, all, comment);
    for (const Statement& s : r.statements)
      put(depth, simple(s), &s == &r.statements.front() ? comment : "");
  }

  void repeat(const Repeat& r, std::size_t depth, const std::string& comment) {
    Words condition{"while ("};
    append(condition, words(r.condition, kConditional));
    append(condition, ");");
    if (r.body.size() == 1) {
      Words all{"do"};
      all.emplace_back();
      append(all, simple(r.body.front()));
      all.emplace_back();
      append(all, condition);
      return put(depth, all, comment);
    }
    put(depth, {"do {"}, comment);
    body(r.body, depth + 1);
    Words end{"}"};
    end.emplace_back();
    append(end, condition);
    put(depth, end, "");
  }

  void loop(const For& f, std::size_t depth, const std::string& comment) {
    Words head{fmt::format("for ({} {} = 0", f.type, f.variable)};
    if (f.is_once) {
      append(head, ",");
      head.emplace_back(fmt::format("n_{} = ", f.variable));
      append(head, words(f.trips, kConditional));
      append(head, ";");
      head.emplace_back(fmt::format("{0} < n_{0};", f.variable));
    } else {
      append(head, ";");
      head.emplace_back(fmt::format("{} < ", f.variable));
      append(head, words(f.trips, kRelation + 1));
      append(head, ";");
    }
    head.emplace_back(f.variable + "++) {");
    put(depth, head, comment);
    closed(f.body, depth);
  }

  void choice(const If& i, std::size_t depth, const std::string& comment) {
    for (std::size_t k = 0; k < i.branches.size(); ++k) {
      const Branch& b = i.branches[k];
      Words head{k == 0 ? "if (" : b.condition ? "} else if (" : "} else {"};
      if (b.condition) {
        append(head, words(b.condition, kConditional));
        append(head, ") {");
      }
      put(depth, head, k == 0 ? comment : "");
      body(b.body, depth + 1);
    }
    line(depth, "}");
  }

  void function(const Function& f, std::size_t depth, const std::string& comment) {
    if (!comment.empty()) line(depth, fmt::format("/* {} */", comment));
    Words head{fmt::format("{}{}(", f.is_static ? "static " : "", declarator(f.type, f.name))};
    if (f.parameters.empty()) append(head, "void");
    for (const Parameter& p : f.parameters) {
      if (&p != &f.parameters.front()) {
        append(head, ",");
        head.emplace_back();
      }
      append(head, declarator(p.type, p.name));
    }
    append(head, ") {");
    put(depth, head, "");
    closed(f.body, depth);
  }

  void enumeration(const Enumeration& e, std::size_t depth) {
    Words all{"enum {"};
    for (const Entry& c : e.constants) {
      all.push_back(c.member);
      if (c.value) append(all, " = " + print(c.value));
      if (&c != &e.constants.back()) append(all, ",");
    }
    all.emplace_back("};");
    put(depth, all, "");
  }

  void statement(const Statement& s, std::size_t depth) {
    if (const auto* r = std::get_if<Row>(&s.content)) return row(*r, depth, s.comment);
    if (const auto* f = std::get_if<For>(&s.content)) return loop(*f, depth, s.comment);
    if (const auto* r = std::get_if<Repeat>(&s.content)) return repeat(*r, depth, s.comment);
    if (const auto* i = std::get_if<If>(&s.content)) return choice(*i, depth, s.comment);
    if (const auto* f = std::get_if<Function>(&s.content)) return function(*f, depth, s.comment);
    if (const auto* e = std::get_if<Enumeration>(&s.content)) return enumeration(*e, depth);
    if (const auto* d = std::get_if<Declare>(&s.content); d && is_table(*d))
      return table(*d, depth, s.comment);
    if (std::holds_alternative<Blank>(s.content)) {
      out_ += "\n";
      return;
    }
    if (const auto* c = std::get_if<Comment>(&s.content)) return prose(c->text, depth);
    put(depth, simple(s), s.comment);
  }

  // An array of structures has each on a line of its own.
  static bool is_table(const Declare& d) {
    const auto* all = d.value ? std::get_if<Initializer>(&d.value->content) : nullptr;
    return all && !all->entries.empty() && std::ranges::all_of(all->entries, [](const Entry& e) {
             return e.member.empty() && std::holds_alternative<Initializer>(e.value->content);
           });
  }

  void table(const Declare& d, std::size_t depth, const std::string& comment) {
    put(depth, {declarator(d.type, d.name) + d.extent + " = {"}, comment);
    for (const Entry& e : std::get<Initializer>(d.value->content).entries) {
      Words row = words(e.value, kConditional);
      append(row, ",");
      put(depth + 1, row, "");
    }
    line(depth, "};");
  }

  void prose(const std::string& text, std::size_t depth) {
    std::string rest = text, head = "/* ";
    const std::size_t room = kWidth - kIndent * depth - 6;
    while (rest.size() > room) {
      std::size_t cut = rest.rfind(' ', room);
      if (cut == std::string::npos) cut = rest.find(' ', room);
      if (cut == std::string::npos) break;
      line(depth, head + rest.substr(0, cut));
      rest.erase(0, cut + 1);
      head = " * ";
    }
    line(depth, head + rest + " */");
  }

  std::string out_;
};

}  // namespace

std::string print(const Block& block) { return Printer().run(block); }

std::string print(const Expression& e) { return joined(words(e, kConditional)); }

}  // namespace reprise::write::c
