#include "generate/c_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace reprise::generate {
namespace {

constexpr std::size_t kLongestRun = 16;      // [lines]
constexpr std::size_t kMostParameters = 10;  // of a function that can be read
constexpr std::ptrdiff_t kLeastSaved = 4;    // [lines]
constexpr const char* kSite = "site";        // the parameter that tells the place

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Whether the function is of numbers, and one itself.
bool is_value(const std::string& function) {
  return function == "around" || function == "across" || function == "of" || function == "meant" ||
         function == "rank_in" || function == "turn" || function == "runs" ||
         function.starts_with("reprise_");
}

enum class Kind { plain, site, time };  // the last two are of `at`

// A statement without the arguments of its calls, and these.
struct Shape {
  std::string skeleton;
  std::vector<std::string> leaves;
  std::vector<Kind> kinds;  // of the leaves

  void add(const std::string& expression, Kind kind = Kind::plain) {
    const std::size_t open = expression.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const std::string function = expression.substr(0, std::min(open, expression.size()));
    const bool is_call = open != std::string::npos && open > 0 && expression[open] == '(' &&
                         closing(expression, open) == expression.size() - 1;
    if (!is_call || is_value(function)) {
      skeleton += '\1';
      leaves.push_back(expression);
      kinds.push_back(kind);
      return;
    }
    skeleton += function + "(";
    std::size_t at = open + 1;
    for (int n = 0; at < expression.size() - 1; ++n) {
      const std::size_t end = next_comma(expression, at);
      const bool is_told = function == "at" || function == "early";
      add(expression.substr(at, end - at), !is_told ? Kind::plain
                                           : n == 0 ? Kind::site
                                                    : Kind::time);
      skeleton += ",";
      at = end + 2;
    }
    skeleton += ")";
  }

 private:
  static std::size_t closing(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth == 0) return i;
    }
    return std::string::npos;
  }
  // That of the next argument, or the end of the call.
  static std::size_t next_comma(const std::string& text, std::size_t from) {
    int depth = 0;
    for (std::size_t i = from; i < text.size() - 1; ++i) {
      if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
      if (text[i] == ')' || text[i] == '}' || text[i] == ']') --depth;
      if (text[i] == ',' && depth == 0) return i;
    }
    return text.size() - 1;
  }
};

Shape shape_of(const Line& line) {
  Shape out;
  for (const std::string& s : line.statements) {
    if (s.ends_with(");") && !s.starts_with("do ") && !s.starts_with("if ")) {
      out.add(s.substr(0, s.size() - 1));
    } else {
      out.skeleton += s;
    }
    out.skeleton += ";";
  }
  out.skeleton += line.comment;
  return out;
}

bool can_move(const Line& line) {
  return !line.comment.empty() && std::ranges::none_of(line.statements, [](const std::string& s) {
    return s.find(" = ") != std::string::npos || s.find("argc") != std::string::npos;
  });
}

// Whether the text names an index of a loop.
bool is_local(const std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins = i == 0 || !is_word(text[i - 1]);
    if (!begins || (text[i] != 'i' && text[i] != 'n')) continue;
    std::size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end > i + 1 && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

using Column = std::vector<std::string>;  // of one leaf, by place

// What one column is beside another, if they are numbers always as far apart.
std::optional<std::int64_t> distance(const Column& from, const Column& to) {
  std::optional<std::int64_t> out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto a = number_of(from[i]), b = number_of(to[i]);
    if (!a || !b || out.value_or(*b - *a) != *b - *a) return std::nullopt;
    out = *b - *a;
  }
  return out;
}

struct Run {
  std::vector<std::size_t> places;  // where it begins
  std::size_t length = 0;           // [lines]
};

class Outliner {
 public:
  Outliner(std::vector<Line>& lines, const Outlining& how) : lines_(lines), how_(how) {}

  std::vector<Outlined> run() {
    std::vector<Outlined> out;
    while (true) {
      shapes_.clear();
      for (const Line& l : lines_) shapes_.push_back(can_move(l) ? shape_of(l) : Shape());
      std::optional<Function> best;
      for (std::size_t length = 1; length <= kLongestRun; ++length) {
        for (const auto& [key, places] : runs_of(length)) {
          if (places.size() < 2) continue;
          const Run run{alike({places, length}), length};
          if (run.places.size() < 2) continue;
          auto f = function_of(run);
          if (f && (!best || f->saved > best->saved)) best = std::move(f);
        }
      }
      if (!best || best->saved < kLeastSaved) return out;
      apply(*best, out);
    }
  }

 private:
  struct Function {
    Run run;
    std::vector<std::string> types, words;     // of parameters
    std::vector<Column> columns;               // what is passed for them
    std::vector<std::vector<std::string>> in;  // by line: the leaves in the body
    std::set<std::string> changed = {};        // types of handles that calls in it may make or free
    std::ptrdiff_t saved = 0;
  };

  std::map<std::string, std::vector<std::size_t>> runs_of(std::size_t length) const {
    std::map<std::string, std::vector<std::size_t>> out;
    for (std::size_t at = 0; at + length <= lines_.size(); ++at) {
      std::string key;
      for (std::size_t k = at; k < at + length; ++k) {
        if (shapes_[k].skeleton.empty() || lines_[k].depth != lines_[at].depth) key.clear();
        if (shapes_[k].skeleton.empty() || lines_[k].depth != lines_[at].depth) break;
        key += shapes_[k].skeleton + "\n";
      }
      if (key.empty()) continue;
      std::vector<std::size_t>& places = out[key];
      if (places.empty() || places.back() + length <= at) places.push_back(at);
    }
    return out;
  }

  // Those of the places at which arguments are of the types that they are at most places, and times
  // do not ask what came before but for the first.
  std::vector<std::size_t> alike(const Run& run) const {
    std::vector<std::size_t> left = run.places;
    for (std::size_t k = 0; k < run.length; ++k) {
      const Shape& first = shapes_[run.places.front() + k];
      for (std::size_t i = 0; i < first.leaves.size(); ++i) {
        std::map<std::string, std::vector<std::size_t>> by_type;
        bool is_same = !is_local(first.leaves[i]);
        for (const std::size_t p : left) {
          const std::string& leaf = shapes_[p + k].leaves[i];
          is_same &= leaf == first.leaves[i];
          const std::string type = first.kinds[i] == Kind::time ? "double" : how_.type(leaf);
          by_type[k > 0 && asks_the_past(leaf) ? "" : type].push_back(p);
        }
        if (is_same) continue;
        by_type.erase("");
        left.clear();
        for (const auto& [type, places] : by_type) {
          if (places.size() > left.size()) left = places;
        }
      }
    }
    return left;
  }

  static bool asks_the_past(const std::string& text) {
    return text.find("++") != std::string::npos || text.find("+=") != std::string::npos ||
           text.find("from(") != std::string::npos || text.find("drawn(") != std::string::npos;
  }

  std::optional<Function> function_of(const Run& run) const {
    Function f;
    f.run = run;
    for (std::size_t k = 0; k < run.length; ++k) {
      for (const std::string& leaf : shapes_[run.places.front() + k].leaves) {
        const std::string type = how_.type(leaf);
        if (type.ends_with(" *")) f.changed.insert(type.substr(0, type.size() - 2));
      }
    }
    for (std::size_t k = 0; k < run.length; ++k) {
      std::vector<std::string>& leaves = f.in.emplace_back();
      const Shape& first = shapes_[run.places.front() + k];
      for (std::size_t i = 0; i < first.leaves.size(); ++i) {
        Column column;
        for (const std::size_t p : run.places) column.push_back(shapes_[p + k].leaves[i]);
        const auto text = parameter(column, first.kinds[i], k == 0, f);
        if (!text) return std::nullopt;
        leaves.push_back(*text);
      }
    }
    join_times(f);
    if (f.words.size() > kMostParameters) return std::nullopt;
    f.saved = saved_by(f);
    return f;
  }

  // Several times are one array.
  static void join_times(Function& f) {
    if (std::ranges::count(f.types, "double") < 3) return;
    std::map<std::string, std::string> element;
    Column all(f.run.places.size());
    Function joined = f;
    joined.types.clear(), joined.words.clear(), joined.columns.clear();
    for (std::size_t p = 0; p < f.words.size(); ++p) {
      if (f.types[p] != "double") {
        joined.types.push_back(f.types[p]);
        joined.words.push_back(f.words[p]);
        joined.columns.push_back(f.columns[p]);
        continue;
      }
      if (element.empty()) {
        joined.types.emplace_back("const double *");
        joined.words.emplace_back("ns");
        joined.columns.emplace_back();
      }
      element[f.words[p]] = fmt::format("ns[{}]", element.size());
      for (std::size_t j = 0; j < all.size(); ++j)
        all[j] += (all[j].empty() ? "" : ", ") + f.columns[p][j];
    }
    for (std::string& a : all) a = "(double[]){" + a + "}";
    joined.columns[static_cast<std::size_t>(std::ranges::find(joined.words, "ns") -
                                            joined.words.begin())] = all;
    for (auto& leaves : joined.in) {
      for (std::string& l : leaves) {
        if (const auto e = element.find(l); e != element.end()) l = e->second;
      }
    }
    f = std::move(joined);
  }

  // What stands for the column in the body; nothing: it cannot be passed.
  std::optional<std::string> parameter(const Column& column, Kind kind, bool is_first,
                                       Function& f) const {
    const bool is_time = kind == Kind::time;
    const bool is_same =
        std::ranges::adjacent_find(column, std::ranges::not_equal_to()) == column.end();
    if (is_same && !is_local(column.front())) return column.front();
    if (!is_first && std::ranges::any_of(column, asks_the_past)) return std::nullopt;
    for (std::size_t p = 0; p < f.columns.size() && !is_time; ++p) {
      if ((f.words[p] == kSite) != (kind == Kind::site)) continue;
      if (f.columns[p] == column) return f.words[p];
      bool is_at_it = f.types[p].ends_with('*');
      for (std::size_t j = 0; j < column.size() && is_at_it; ++j)
        is_at_it = f.columns[p][j] == "&" + column[j];
      if (is_at_it) return "*" + f.words[p];
      bool is_copy = f.types[p] == "MPI_Group *";
      for (std::size_t j = 0; j < column.size() && is_copy; ++j)
        is_copy = column[j] == "&(MPI_Group){" + f.columns[p][j].substr(1) + "}";
      if (is_copy) return "&(MPI_Group){*" + f.words[p] + "}";
      const auto d = f.types[p] == "double" ? std::nullopt : distance(f.columns[p], column);
      if (d) return fmt::format("{} {} {}", f.words[p], *d < 0 ? "-" : "+", std::abs(*d));
    }
    std::string type = is_time ? "double" : how_.type(column.front());
    for (const std::string& c : column) {
      if (!is_time && (type.empty() || how_.type(c) != type)) return std::nullopt;
    }
    // What is passed is what it was before the first call.
    const bool names_comm = std::ranges::any_of(
        column, [](const std::string& c) { return c.find("comm") != std::string::npos; });
    if (f.changed.contains(type) ||
        (type == "long long" && names_comm && f.changed.contains("MPI_Comm")) ||
        column.front().starts_with("&(MPI_Group)"))
      return std::nullopt;
    if (kind == Kind::site) type = "int";
    static constexpr const char* kWords[] = {kSite, "ns", "c", "t", "g", "n"};
    const std::size_t word = f.words.empty()                    ? 0
                             : is_time                          ? 1
                             : type.starts_with("MPI_Comm")     ? 2
                             : type.starts_with("MPI_Datatype") ? 3
                             : type.starts_with("MPI_Group")    ? 4
                                                                : 5;
    const auto same = std::ranges::count_if(f.words, [&](const std::string& w) {
      return w.starts_with(kWords[word]) &&
             w.substr(std::string(kWords[word]).size()).find_first_not_of("0123456789") ==
                 std::string::npos;
    });
    f.words.push_back(same ? fmt::format("{}{}", kWords[word], same + 1) : kWords[word]);
    f.types.push_back(type);
    f.columns.push_back(column);
    return f.words.back();
  }

  // The line with other leaves, as it stands in the body.
  static Line filled(const Line& line, const std::vector<std::string>& leaves) {
    Line out{1, {}, line.comment};
    std::size_t next = 0;
    for (const std::string& s : line.statements) {
      Shape own;
      const bool is_call = s.ends_with(");") && !s.starts_with("do ") && !s.starts_with("if ");
      if (is_call) own.add(s.substr(0, s.size() - 1));
      std::string text = is_call ? std::string() : s;
      for (const char c : own.skeleton) {
        if (c == '\1') {
          text += leaves[next++];
        } else if (c == ')' && text.ends_with(", ")) {
          text.replace(text.size() - 2, 2, ")");
        } else {
          text += c == ',' ? std::string(", ") : std::string(1, c);
        }
      }
      out.statements.push_back(text + (is_call ? ";" : ""));
    }
    return out;
  }

  Line call_of(const Function& f, std::size_t place, const std::string& name) const {
    std::vector<std::string> passed;
    for (const Column& c : f.columns) passed.push_back(c[place]);
    return {lines_[f.run.places[place]].depth,
            {fmt::format("{}({});", name, fmt::join(passed, ", "))},
            {}};
  }

  std::string head_of(const Function& f, const std::string& name) const {
    std::string parameters;
    for (std::size_t p = 0; p < f.words.size(); ++p)
      parameters += fmt::format("{}{}{}{}", p ? ", " : "", f.types[p],
                                f.types[p].ends_with('*') ? "" : " ", f.words[p]);
    return fmt::format("static void {}({}) {{", name, parameters.empty() ? "void" : parameters);
  }

  std::string word_of(const Function& f) const {
    const std::string& comment = lines_[f.run.places.front()].comment;
    std::string out = "do_";
    for (std::size_t i = 3; i < comment.size() && comment[i] != ' ' && comment[i] != ':'; ++i)
      out += is_word(comment[i]) ? comment[i] : '_';
    return out;
  }

  std::ptrdiff_t saved_by(const Function& f) const {
    std::size_t before = 0, after = how_.length({0, {head_of(f, word_of(f))}, {}}) + 1;
    for (std::size_t j = 0; j < f.run.places.size(); ++j) {
      for (std::size_t k = 0; k < f.run.length; ++k)
        before += how_.length(lines_[f.run.places[j] + k]);
      after += how_.length(call_of(f, j, word_of(f)));
    }
    for (std::size_t k = 0; k < f.run.length; ++k) {
      const std::size_t at = f.run.places.front() + k;
      after += how_.length(filled(lines_[at], f.in[k]));
    }
    return static_cast<std::ptrdiff_t>(before) - static_cast<std::ptrdiff_t>(after);
  }

  void apply(const Function& f, std::vector<Outlined>& out) {
    const std::string name = how_.name(word_of(f));
    Outlined function{head_of(f, name), {}};
    for (std::size_t k = 0; k < f.run.length; ++k) {
      const std::size_t at = f.run.places.front() + k;
      function.body.push_back(filled(lines_[at], f.in[k]));
    }
    out.push_back(std::move(function));
    for (std::size_t j = f.run.places.size(); j-- > 0;) {
      const auto at = static_cast<std::ptrdiff_t>(f.run.places[j]);
      lines_[f.run.places[j]] = call_of(f, j, name);
      lines_.erase(lines_.begin() + at + 1,
                   lines_.begin() + at + static_cast<std::ptrdiff_t>(f.run.length));
    }
  }

  std::vector<Line>& lines_;
  const Outlining& how_;
  std::vector<Shape> shapes_;  // by line; empty: it cannot be moved
};

}  // namespace

std::vector<Outlined> outline(std::vector<Line>& lines, const Outlining& how) {
  return Outliner(lines, how).run();
}

}  // namespace reprise::generate
