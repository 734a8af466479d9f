#include "generate/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "trace/series_map.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;
using trace::Term;

namespace {

constexpr std::size_t kWidth = 120;         // of a line [characters]
constexpr std::size_t kMaxWords = 1 << 20;  // of a table

// Constants of MPI in a table are numbers that no arithmetic takes beyond its range.
constexpr std::int64_t kFirstCode = -(std::int64_t{1} << 30);

class Words {
 public:
  std::vector<std::string> of(const std::vector<Term>& terms) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < terms.size();) {
      const std::size_t end = literals(terms, i);
      if (end > i) {
        out.insert(out.end(), {"LIST", std::to_string(end - i)});
        for (; i < end; ++i) out.push_back(number_text(terms[i].value));
      } else {
        add(terms[i++], out);
      }
      if (out.size() > kMaxWords) {
        throw Unwritable{
            "its values do not fold (a table of more than a million numbers would be "
            "no benchmark to read); replay the trace instead"};
      }
    }
    return out;
  }

 private:
  static std::size_t literals(const std::vector<Term>& terms, std::size_t from) {
    std::size_t end = from;
    while (end < terms.size() && terms[end].is_run() && terms[end].count == 1) ++end;
    return end;
  }

  void add(const Term& t, std::vector<std::string>& out) {
    const std::string count = std::to_string(t.count);
    if (t.is_run()) {
      out.insert(out.end(), {"RUN", count, number_text(t.step), number_text(t.value)});
      return;
    }
    const std::vector<std::string> body = of(t.body);
    out.insert(out.end(), {"LOOP", count, number_text(t.step), std::to_string(t.period),
                           std::to_string(body.size())});
    out.insert(out.end(), body.begin(), body.end());
  }
};

// A table of one series.
std::vector<std::string> words_of(const Series& stored, std::uint64_t n) {
  const auto code = [](std::int64_t v) {
    return trace::is_special(v) ? kFirstCode - (v - trace::kSpecialBase) : v;
  };
  const Series series =
      trace::may_have_special(stored) ? trace::map_values(stored, n, code) : stored;
  const bool is_endless = series.terms().size() == 1 && series.is_unbounded();
  // What goes round begins anew by itself.
  if (const Term& t = series.terms().front();
      series.terms().size() == 1 && !t.is_run() && t.step == 0 && t.count != 1) {
    std::vector<std::string> out{std::to_string(t.period)};
    const std::vector<std::string> terms = Words().of(t.body);
    out.insert(out.end(), terms.begin(), terms.end());
    return out;
  }
  std::vector<std::string> out{std::to_string(is_endless ? 0 : n)};
  const std::vector<std::string> terms = Words().of(series.terms());
  out.insert(out.end(), terms.begin(), terms.end());
  return out;
}

}  // namespace

std::string number_text(std::int64_t v) {
  if (trace::is_special(v)) return fmt::format("SPECIAL({})", v - trace::kSpecialBase);
  if (v <= kFirstCode && v > kFirstCode - trace::kSpecialCount)
    return fmt::format("SPECIAL({})", kFirstCode - v);
  const bool is_int = v >= std::numeric_limits<std::int32_t>::min() + 1 &&
                      v <= std::numeric_limits<std::int32_t>::max();
  return fmt::format("{}{}", v, is_int ? "" : "LL");
}

std::string operand(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ' ' && depth == 0) return "(" + text + ")";
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out, rest = text;
  while (rest.size() > kWidth) {
    // Not within a string.
    std::size_t at = std::string::npos;
    bool quoted = false;
    for (std::size_t i = 0; i < rest.size() && (i < kWidth || at == std::string::npos); ++i) {
      if (rest[i] == '"' && (i == 0 || rest[i - 1] != '\\')) quoted = !quoted;
      if (rest[i] == ' ' && !quoted && i > indent + 8) at = i;
    }
    if (at == std::string::npos) break;
    out += rest.substr(0, at) + "\n";
    rest = std::string(indent + 4, ' ') + rest.substr(at + 1);
  }
  return out + rest;
}

std::string Source::unique(const std::string& name) {
  std::string out = name;
  for (int i = 2; !names_.insert(out).second; ++i) out = fmt::format("{}_{}", name, i);
  return out;
}

std::string Source::add_table(const std::string& name, const std::string& type,
                              const std::string& content, const std::string& extent) {
  const auto known = tables_.find(type + content);
  if (known != tables_.end()) return known->second;
  std::string own = unique(name);
  tables_.emplace(type + content, own);
  declarations_.push_back(
      wrapped(fmt::format("static const {} {}[]{} = {{{}}};", type, own, extent, content), 0));
  return own;
}

std::string Source::array(const std::string& name, const std::string& type,
                          const std::vector<std::string>& words) {
  return add_table(name, type, fmt::format("{}", fmt::join(words, ", ")), "");
}

std::string Source::array(const std::string& name, const std::string& type,
                          const std::vector<std::vector<std::string>>& rows) {
  std::size_t longest = 1;
  std::vector<std::string> texts;
  for (const auto& row : rows) {
    longest = std::max(longest, row.size());
    texts.push_back(row.empty() ? "{0}" : fmt::format("{{{}}}", fmt::join(row, ", ")));
  }
  return add_table(name, type, fmt::format("{}", fmt::join(texts, ", ")),
                   fmt::format("[{}]", longest));
}

std::string Source::counter(const std::string& name) {
  counters_.push_back(unique(name));
  return counters_.back();
}

std::vector<std::string> Source::declarations() const {
  std::vector<std::string> out = declarations_;
  if (!counters_.empty())
    out.push_back(wrapped(fmt::format("static long long {};", fmt::join(counters_, ", ")), 0));
  return out;
}

std::string Source::table(const std::string& name, const Series& series, std::uint64_t n) {
  need("of");
  return add_table(name, "long long", fmt::format("{}", fmt::join(words_of(series, n), ", ")), "");
}

std::string Source::table(const std::string& name, const std::vector<Part>& parts) {
  need("of");
  need("one");
  std::vector<std::string> words, all;
  for (const Part& p : parts) {
    words.push_back(std::to_string(parts.size() + all.size()));
    const std::vector<std::string> own = words_of(p.series, p.n);
    all.insert(all.end(), own.begin(), own.end());
  }
  words.insert(words.end(), all.begin(), all.end());
  return add_table(name, "long long", fmt::format("{}", fmt::join(words, ", ")), "");
}

void Source::declare(const std::string& text) {
  if (names_.insert(text).second) declarations_.push_back(wrapped(text, 0));
}

void Source::line(std::size_t depth, const std::string& text) {
  const std::size_t indent = 2 * depth;
  lines_.push_back(wrapped(std::string(indent, ' ') + text, indent));
}

void Source::extend_loop(std::size_t line, const std::string& statement) {
  std::string& text = lines_[line];
  text.insert(text.rfind(") {"), ", " + statement);
}

}  // namespace reprise::generate
