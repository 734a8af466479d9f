#include "generate/c_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "trace/predefined.hpp"

namespace reprise::generate {
namespace {

constexpr std::size_t kOneLine = 120;      // [characters]
constexpr std::size_t kLongArgument = 14;  // [characters]
constexpr std::size_t kManyCalls = 4;      // that one argument stands in

// Whether the text of so many characters there is a whole argument.
bool is_argument(const std::string& statement, std::size_t at, std::size_t size) {
  if (at == 0 || at + size >= statement.size()) return false;
  const char before = statement[at - 1], behind = statement[at + size];
  const bool begins = before == '(' || (before == ' ' && at > 1 && statement[at - 2] == ',');
  return begins && (behind == ',' || behind == ')');
}

// Replaces arguments that are the text, all or none; returns how many there are.
std::size_t replace(std::string& statement, const std::string& text, const std::string* by) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = statement.find(text, at)) != std::string::npos;) {
    const bool is_whole = is_argument(statement, at, text.size());
    n += is_whole;
    if (is_whole && by) statement.replace(at, text.size(), *by);
    at += is_whole && by ? by->size() : text.size();
  }
  return n;
}

// A word for a rank that many calls name.
std::string word_for(const std::string& text, std::size_t number, std::uint64_t ranks) {
  if (text == "(rank + 1) % ranks") return "next";
  if (text == fmt::format("(rank + {}) % ranks", ranks - 1)) return "prev";
  if (text.starts_with("rank > 0 ? rank - 1 :")) return "lower";
  return fmt::format("peer_{}", number);
}

// The type of an expression that may be passed to a function; empty: unknown.
std::string type_of(const std::string& text, const Source& source) {
  const std::size_t name = text.find_first_not_of("&");
  if (name == std::string::npos) return {};
  if (text.starts_with("&(MPI_Group)")) return "MPI_Group copy";
  const std::string base = text.substr(name, text.find('[') - name);
  for (const auto& [type, names] : source.objects()) {
    if (names.contains(base)) return type + (name > 0 ? " *" : "");
  }
  if (text == "WORLD") return "MPI_Comm";
  for (std::int64_t t = 0; t < trace::kFirstMadeType; ++t) {
    if (text == trace::type_name(t)) return "MPI_Datatype";
  }
  if (text == "MPI_PROC_NULL" || text == "MPI_ANY_SOURCE" || text == "MPI_ANY_TAG")
    return "long long";
  for (const char* function : {"around(", "across(", "of(", "meant(", "rank_in(", "turn("}) {
    if (text.starts_with(function)) return "long long";
  }
  if (source.is_number_of_array(text)) return "long long";
  // Arithmetic of small letters.
  const bool is_number =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789+-*/%() ") == std::string::npos;
  return is_number && text.find("type") == std::string::npos &&
                 text.find("NULL") == std::string::npos
             ? "long long"
             : "";
}

std::ptrdiff_t lines_of(const std::string& text, std::size_t depth) {
  return 1 + std::ranges::count(wrapped(std::string(2 * depth, ' ') + text, 2 * depth), '\n');
}

std::size_t count_lines(const std::vector<std::string>& texts) {
  std::size_t n = 0;
  for (const std::string& t : texts) n += 1 + static_cast<std::size_t>(std::ranges::count(t, '\n'));
  return n;
}

// "main" of the comment that a call at main:25 has; empty: it is none of the usual file.
std::string function_of(const std::string& comment) {
  const std::size_t colon = comment.find(':');
  const bool is_plain =
      comment.starts_with("/* ") && colon != std::string::npos && comment.find(' ', 3) > colon;
  return is_plain ? comment.substr(3, colon - 3) : std::string();
}

// In one line if that is long enough, else with the comment behind the first; or behind the last,
// where that takes fewer.
std::vector<std::string> laid_out(const Line& line, const std::string& comment) {
  const std::size_t indent = 2 * line.depth;
  const auto add = [&](const std::string& text) {
    return wrapped(std::string(indent, ' ') + text, indent);
  };
  const std::string joined =
      fmt::format("{}{}{}", fmt::join(line.statements, " "), comment.empty() ? "" : " ", comment);
  if (comment.empty() || indent + joined.size() <= kOneLine) return {add(joined)};
  std::vector<std::string> apart{line.statements.front() + " " + comment};
  for (std::size_t i = 1; i < line.statements.size(); ++i) {
    const std::string& s = line.statements[i];
    const bool fits = apart.size() > 1 && apart.back().size() + s.size() + indent + 1 <= kOneLine;
    if (fits) apart.back() += " " + s;
    if (!fits) apart.push_back(s);
  }
  std::ptrdiff_t taken = 0;
  for (const std::string& l : apart) taken += lines_of(l, line.depth);
  const bool declares = std::ranges::any_of(
      line.statements, [](const std::string& s) { return s.find(" = ") != std::string::npos; });
  if (!declares && lines_of(joined, line.depth) < taken) apart = {joined};
  std::vector<std::string> out;
  for (const std::string& l : apart) out.push_back(add(l));
  return out;
}

}  // namespace

bool Layout::has_variables(std::size_t depth, std::size_t site) const {
  for (std::size_t i = lines_.size(); i-- > 0 && lines_[i].depth >= depth;) {
    if (lines_[i].depth == depth && lines_[i].declares == site) return true;
  }
  return false;
}

void Layout::call(std::size_t depth, const std::vector<std::string>& statements,
                  const std::string& comment, std::optional<std::size_t> declares) {
  const bool again = declares && has_variables(depth, *declares);
  if (again) line(depth, "{");
  lines_.push_back({depth + (again ? 1 : 0), statements, comment, declares});
  if (again) line(depth, "}");
}

void Layout::extend_loop(std::size_t line, const std::string& statement) {
  std::string& text = lines_[line].statements.front();
  text.insert(text.rfind(") {"), ", " + statement);
}

void Layout::begin_anew(std::size_t line, const std::string& variable, const std::string& count,
                        const std::string& trips) {
  const auto names_it = [&variable](const std::string& text) {
    const auto is_part = [&](std::size_t at) {
      return at < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    for (std::size_t at = text.find(variable); at != std::string::npos;
         at = text.find(variable, at + 1)) {
      if ((at == 0 || !is_part(at - 1)) && !is_part(at + variable.size())) return true;
    }
    return false;
  };
  const auto behind = lines_.begin() + static_cast<std::ptrdiff_t>(line) + 1;
  if (std::none_of(behind, lines_.end(),
                   [&](const Line& l) { return std::ranges::any_of(l.statements, names_it); }))
    return;
  std::string& text = lines_[line].statements.front();
  const std::string plain =
      fmt::format("long long {0} = 0; {0} < trips({1}); {0}++", variable, trips);
  const std::size_t at = text.find(plain);
  if (at == std::string::npos) return;
  text.replace(at, plain.size(),
               fmt::format("long long {2} = 0, {0} = 0; {2} < trips({1}); {0} = ++{2} % {1}",
                           variable, trips, count));
}

std::vector<std::string> Layout::name_arguments(const std::set<std::string>& texts,
                                                const std::string& start, std::uint64_t ranks) {
  const auto first = std::ranges::find_if(lines_, [&](const Line& l) {
    return std::ranges::find(l.statements, start) != l.statements.end();
  });
  if (first == lines_.end()) return {};
  std::string set;
  std::vector<std::string> names;
  std::size_t number = 0;
  for (const std::string& text : texts) {
    if (text.size() < kLongArgument) continue;
    std::size_t calls = 0;
    for (Line& l : lines_) {
      for (std::string& s : l.statements) calls += replace(s, text, nullptr) > 0;
    }
    if (calls < kManyCalls) continue;
    const std::string word = word_for(text, ++number, ranks);
    for (Line& l : lines_) {
      for (std::string& s : l.statements) replace(s, text, &word);
    }
    set += fmt::format("{}{} = {}", set.empty() ? "" : ", ", word, text);
    names.push_back(word);
  }
  if (!set.empty()) lines_.insert(first + 1, {first->depth, {set + ";"}, {}});
  return names;
}

std::vector<std::string> Layout::outline(Source& source) {
  const auto type = [&source](const std::string& text) { return type_of(text, source); };
  const auto name = [&source](const std::string& text) { return source.unique(text); };
  const auto length = [](const Line& l) {
    std::vector<std::string> text;
    std::string function = function_of(l.comment);
    append(l, function, text);
    return count_lines(text);
  };
  std::vector<std::string> out;
  for (const Outlined& f : generate::outline(lines_, {type, name, length})) {
    out.push_back(wrapped(f.head, 0));
    std::string function;
    for (const Line& l : f.body) append(l, function, out);
    out.emplace_back("}");
  }
  return out;
}

void Layout::append(const Line& line, std::string& function, std::vector<std::string>& out) {
  const std::string own = function_of(line.comment);
  std::vector<std::string> best = laid_out(line, line.comment);
  if (!own.empty() && own == function) {
    const std::string comment = "/* " + line.comment.substr(3 + own.size());
    std::vector<std::string> brief = laid_out(line, comment);
    if (count_lines(brief) < count_lines(best)) best = std::move(brief);
  }
  if (!line.comment.empty()) function = own;
  out.insert(out.end(), best.begin(), best.end());
}

// A loop over one call of a function, if that is a line.
std::optional<std::string> Layout::one_call(std::size_t first) const {
  if (first + 2 >= lines_.size()) return std::nullopt;
  const Line &head = lines_[first], &body = lines_[first + 1], &end = lines_[first + 2];
  const std::string& loop = head.statements.front();
  const bool is_one = loop.starts_with("for (") && loop.ends_with(") {") &&
                      body.depth == head.depth + 1 && body.statements.size() == 1 &&
                      body.comment.empty() && body.statements.front().ends_with(");") &&
                      end.depth == head.depth && end.statements.front() == "}";
  const std::string text =
      std::string(2 * head.depth, ' ') + loop.substr(0, loop.size() - 1) + body.statements.front();
  if (!is_one || text.size() > kOneLine) return std::nullopt;
  return text;
}

std::vector<std::string> Layout::lines() const {
  std::vector<std::string> out;
  std::string function;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (const auto loop = one_call(i)) {
      out.push_back(*loop);
      i += 2;
    } else {
      append(lines_[i], function, out);
    }
  }
  return out;
}

}  // namespace reprise::generate
