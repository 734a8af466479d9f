#include "conceptual/print.hpp"

#include "base/contract.hpp"
#include "base/escape.hpp"
#include "conceptual/print/print_expression.hpp"

namespace reprise::conceptual {
namespace {

const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::bit: return "BIT";
    case Unit::byte: return "BYTE";
    case Unit::halfword: return "HALFWORD";
    case Unit::word: return "WORD";
    case Unit::integer: return "INTEGER";
    case Unit::doubleword: return "DOUBLEWORD";
    case Unit::quadword: return "QUADWORD";
    case Unit::page: return "PAGE";
    case Unit::kilobyte: return "KILOBYTE";
    case Unit::megabyte: return "MEGABYTE";
    default: return "GIGABYTE";
  }
}

bool is_one(const Expr& e) { return e.op == Op::number && e.value == 1; }

class Printer {
 public:
  void statements(const std::vector<Statement>& all) {
    for (const Statement& s : all) {
      statement(s);
      out_.glue(".");
      out_.end_line();
    }
  }

  std::string finish() { return out_.finish(); }

  void statement(const Statement& s) {
    if (!s.comment.empty()) out_.comment(s.comment);
    std::visit([this](const auto& what) { print(what); }, s.what);
  }

 private:
  // Prints several statements in braces, and a single one without. The top level has no braces.
  void body(const Statement& s) {
    const auto* sequence = std::get_if<Sequence>(&s.what);
    const bool is_block = sequence != nullptr || !s.comment.empty();
    if (!is_block) return statement(s);
    block(s);
  }

  void block(const Statement& s) {
    out_.word("{");
    out_.end_line();
    out_.indent();
    statement(s);
    out_.end_line();
    out_.unindent();
    out_.word("}");
  }

  void print(const Sequence& s) {
    for (std::size_t i = 0; i < s.statements.size(); ++i) {
      if (i > 0) {
        out_.glue(" THEN");
        out_.end_line();
      }
      const Statement& one = s.statements[i];
      // Without braces the body of a LET or a loop would include the next statement.
      if (std::holds_alternative<Sequence>(one.what)) {
        body(one);
      } else {
        statement(one);
      }
    }
  }

  void print(const ForCount& f) {
    out_.word("FOR");
    print_operand(f.count, out_);
    out_.word("REPETITIONS");
    out_.end_clause();
    body(*f.body);
  }

  void print(const ForEach& f) {
    out_.word("FOR EACH");
    out_.word(f.name);
    out_.word("IN");
    print_ranges(f.ranges, out_);
    out_.end_clause();
    body(*f.body);
  }

  void print(const Let& let) {
    out_.word("LET");
    for (std::size_t i = 0; i < let.bindings.size(); ++i) {
      const Binding& b = let.bindings[i];
      if (i > 0) out_.word("AND");
      out_.word(b.name);
      out_.word("BE");
      REPRISE_REQUIRE(b.kind != Binding::Kind::random_task);
      if (b.kind == Binding::Kind::tasks) {
        tasks(b.tasks);
      } else {
        print_expression(b.value, out_);
      }
    }
    out_.word("WHILE");
    out_.end_clause();
    body(*let.body);
  }

  void print(const If& f) {
    out_.word("IF");
    print_relation(f.relation, out_);
    out_.word("THEN");
    out_.end_clause();
    if (!f.otherwise) return body(*f.then);
    // Without braces an inner IF would take the OTHERWISE.
    block(*f.then);
    out_.word("OTHERWISE");
    out_.end_clause();
    body(*f.otherwise);
  }

  void tasks(const Tasks& t) {
    switch (t.kind) {
      case Tasks::Kind::all:
        out_.word("ALL TASKS");
        if (!t.name.empty()) out_.word(t.name);
        return;
      case Tasks::Kind::single: out_.word("TASK"); return print_operand(t.expr, out_);
      case Tasks::Kind::such_that:
        out_.word("TASKS");
        out_.word(t.name);
        out_.word("SUCH THAT");
        out_.open();
        print_relation(t.relation, out_);
        out_.close();
        return;
      case Tasks::Kind::all_others: return out_.word("ALL OTHER TASKS");
      case Tasks::Kind::group: out_.word("TASK GROUP"); return out_.word(t.name);
    }
  }

  // "SENDS" of one, "SEND" of several.
  void act(const Tasks& t, const char* verb, bool asynchronously = false) {
    tasks(t);
    out_.end_clause();
    if (asynchronously) out_.word("ASYNCHRONOUSLY");
    out_.word(verb);
    if (t.kind == Tasks::Kind::single) out_.glue("S");
  }

  void message(const Message& m) {
    if (is_one(m.count)) {
      out_.word("A");
    } else {
      print_operand(m.count, out_);
    }
    print_operand(m.size, out_);
    out_.word(unit_name(m.unit));
    out_.word(is_one(m.count) ? "MESSAGE" : "MESSAGES");
    if (!m.tag) return;
    out_.word("USING TAG");
    print_operand(*m.tag, out_);
  }

  void print(const Send& s) {
    REPRISE_REQUIRE(s.unsuspecting || !s.received_tag);
    act(s.source, "SEND", s.asynchronously);
    message(s.message);
    out_.word(s.unsuspecting ? "TO UNSUSPECTING" : "TO");
    tasks(s.target);
  }

  void print(const Receive& r) {
    act(r.target, "RECEIVE", r.asynchronously);
    message(r.message);
    out_.word("FROM");
    tasks(r.source);
  }

  void print(const Await& a) {
    act(a.source, "AWAIT");
    out_.word("COMPLETION");
  }
  void print(const Synchronize& s) { act(s.source, "SYNCHRONIZE"); }

  void print(const Multicast& m) {
    act(m.source, "MULTICAST");
    message(m.message);
    out_.word("TO");
    tasks(m.target);
  }

  void print(const Reduce& r) {
    act(r.source, "REDUCE");
    print_operand(r.message.count, out_);
    out_.word(unit_name(r.message.unit));
    out_.glue("S");
    if (!r.target) return;
    out_.word("TO");
    tasks(*r.target);
  }

  void print(const Delay& d) {
    act(d.source, d.how == Delay::How::spin ? "COMPUTE" : "SLEEP");
    out_.word("FOR");
    print_expression(d.length, out_);
    REPRISE_REQUIRE(d.unit_us == 1);
    out_.word("MICROSECONDS");
  }

  void items(const std::vector<Item>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) out_.word("AND");
      REPRISE_REQUIRE(all[i].kind != Item::Kind::comment);
      if (all[i].kind == Item::Kind::number) {
        print_expression(all[i].number, out_);
      } else {
        out_.word(conceptual_string(all[i].text));
      }
    }
  }

  void print(const Output& o) {
    act(o.source, "OUTPUT");
    items(o.items);
  }

  void print(const Backend& b) {
    tasks(b.source);
    out_.word(b.source.kind == Tasks::Kind::single ? "BACKEND EXECUTES" : "BACKEND EXECUTE");
    items(b.items);
  }

  void print(const Log& l) {
    act(l.source, "LOG");
    for (std::size_t i = 0; i < l.columns.size(); ++i) {
      const Column& c = l.columns[i];
      REPRISE_REQUIRE(c.aggregate == Aggregate::only_value);
      out_.word(i > 0 ? "AND THE" : "THE");
      print_expression(c.expr, out_);
      out_.word("AS");
      out_.word(conceptual_string(c.title.text));
    }
  }

  void print(const Counters& c) {
    act(c.source, c.action == Counters::Action::reset   ? "RESET"
                  : c.action == Counters::Action::store ? "STORE"
                                                        : "RESTORE");
    out_.word(c.source.kind == Tasks::Kind::single ? "ITS COUNTERS" : "THEIR COUNTERS");
  }

  void print(const Assert& a) {
    out_.word("ASSERT THAT");
    out_.word(conceptual_string(a.text));
    out_.word("WITH");
    print_relation(a.relation, out_);
  }

  // Writers never produce these statements.
  template <class Other>
  void print(const Other&) {
    REPRISE_REQUIRE(false);
  }

  Lines out_;
};

std::string one_line(Lines lines) {
  std::string out = lines.finish();
  for (char& c : out) {
    if (c == '\n') c = ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

std::string print_parameters(const std::vector<Parameter>& parameters) {
  Lines lines;
  for (const Parameter& p : parameters) {
    for (const std::string& word : {p.name, std::string("IS"), conceptual_string(p.help)})
      lines.word(word);
    lines.end_clause();
    for (const std::string& word :
         {std::string("AND COMES FROM"), conceptual_string(p.long_option), std::string("OR"),
          conceptual_string(p.short_option), std::string("WITH DEFAULT"), print(p.value)})
      lines.word(word);
    lines.glue(".");
    lines.end_line();
  }
  return lines.finish();
}

std::string print_statements(const std::vector<Statement>& statements) {
  Printer printer;
  printer.statements(statements);
  return printer.finish();
}

std::string print(const Expr& e) {
  Lines lines;
  print_expression(e, lines);
  return one_line(std::move(lines));
}

std::string print(const Relation& r) {
  Lines lines;
  print_relation(r, lines);
  return one_line(std::move(lines));
}

}  // namespace reprise::conceptual
