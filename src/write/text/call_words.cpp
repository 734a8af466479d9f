#include "write/text/call_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "trace/calls/predefined.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::write {

using program::Argument;
using program::Node;
using trace::Kind;

namespace {

constexpr std::size_t kLongRequest = 80;  // [characters]

class CallWords {
 public:
  CallWords(const program::Program& program, const Node& call, const ValueWords& values)
      : call_(call),
        values_(values),
        function_(trace::function(program.trace->calls[call.call].function)) {}

  Words run() {
    std::string name(function_.name);
    if (!values_.is_full() && name.starts_with("MPI_")) name = name.substr(4);
    out_.add(name, 0, true);
    if (values_.is_full()) {
      add_all();
    } else {
      add_plain();
    }
    if (is_first_) return std::move(out_);
    out_.glue(")");
    return std::move(out_);
  }

 private:
  void put(const std::string& text, bool is_one_word = false) {
    if (is_first_) {
      out_.glue("(");
      if (is_one_word) {
        out_.glue(text);
      } else {
        out_.split(text, 3, true);
      }
      is_first_ = false;
      return;
    }
    if (!values_.is_full()) out_.glue(",");
    const std::size_t space = is_one_word ? text.size() : std::min(text.find(' '), text.size());
    out_.add(text.substr(0, space), 2);
    if (space < text.size()) out_.split(std::string_view(text).substr(space + 1), 3);
  }

  void add_all() {
    for (const Argument& a : call_.arguments) {
      if (values_.is_unsaid(a)) continue;
      const std::string text = a.length ? values_.list(a) : values_.value(a.value, a.column);
      put(fmt::format("{}={}", a.column.name, text), a.column.kind == Kind::character);
    }
    if (is_first_) {
      out_.glue("()");
    }
  }

  // Counts by the index of the datatype that is theirs, and datatypes that have one.
  void pair_counts() {
    for (const trace::Payload& p : function_.payloads) {
      const bool is_pair =
          p.count >= 0 && p.datatype >= 0 && p.blocks != trace::Blocks::listed && !p.typed_each;
      if (is_pair)
        datatype_of_[static_cast<std::size_t>(p.count)] = static_cast<std::size_t>(p.datatype);
    }
  }

  // What the stream is in what the call makes follows from the call.
  void hide_membership() {
    for (const Kind kind : {Kind::comm, Kind::window}) {
      if (!(function_.traits & trace::traits::kCreate)) continue;
      if (const auto made = trace::made_column(function_, kind)) {
        hidden_.push_back(*made + 1);
        hidden_.push_back(*made + 2);
      }
    }
  }

  void add_plain() {
    pair_counts();
    hide_membership();
    std::string last_data;
    for (std::size_t i = 0; i < call_.arguments.size(); ++i) {
      const Argument& a = call_.arguments[i];
      if (values_.is_unsaid(a) || std::ranges::count(hidden_, i)) continue;
      const auto pair = datatype_of_.find(i);
      if (pair != datatype_of_.end() && i < function_.scalars.size()) {
        const Argument& type = call_.arguments[pair->second];
        const bool is_one = a.value.constant() == 1;
        const expr::Expr* e = a.value.expression();
        const bool is_formula = e && !e->operands().empty();
        std::string data = is_one ? "" : values_.value(a.value, a.column) + " ";
        if (is_formula) data = "(" + values_.expression(*e) + ") ";
        data += values_.value(type.value, type.column);
        hidden_.push_back(pair->second);
        if (data != last_data) put(data);
        last_data = std::move(data);
        continue;
      }
      if (a.length) {
        add_list(a);
      } else {
        add_scalar(a);
      }
      if (a.column.kind == Kind::peer) last_data.clear();
    }
  }

  void add_scalar(const Argument& a) {
    const auto n = a.value.constant();
    const std::string text = values_.value(a.value, a.column);
    const std::string name(a.column.name);
    // A parameter of the procedure that has the name already.
    if (a.value.parameter && text.starts_with(name) && a.column.kind != Kind::peer)
      return put(text);
    switch (a.column.kind) {
      case Kind::tag:
        if (n != 0) put(name + " " + text);
        return;
      case Kind::datatype:
      case Kind::op: return put(text);
      case Kind::request:
        // Which request it is, by those that are younger, may take a term for each of these.
        if (n != 0) put(name + " " + (text.size() > kLongRequest ? "..." : text));
        return;
      case Kind::buffer:
        return put(n == trace::kInPlace  ? "in place"
                   : n == trace::kBottom ? "bottom"
                                         : name + " " + text);
      case Kind::peer:
        return put((name == "dest" ? "to" : name == "source" ? "from" : name) + " " + text);
      default: return put(name + " " + text);
    }
  }

  void add_list(const Argument& a) {
    static const trace::Column kNumber{"", Kind::integer, -1};
    const expr::Expr* e = a.value.expression();
    const bool is_all = a.column.kind == Kind::request && e && !e->is_constant();
    if (is_all) {
      const bool one = a.length->constant() == 1;
      return put(values_.value(*a.length, kNumber) + (one ? " request" : " requests"));
    }
    if (a.column.kind == Kind::matched) return;
    const bool is_text = a.column.kind == Kind::character;
    put(is_text ? values_.list(a) : std::string(a.column.name) + " " + values_.list(a), is_text);
  }

  const Node& call_;
  const ValueWords& values_;
  const trace::Function& function_;
  std::map<std::size_t, std::size_t> datatype_of_;  // by count
  std::vector<std::size_t> hidden_;
  Words out_;
  bool is_first_ = true;
};

}  // namespace

Words call_words(const program::Program& program, const Node& call, const ValueWords& values) {
  return CallWords(program, call, values).run();
}

}  // namespace reprise::write
