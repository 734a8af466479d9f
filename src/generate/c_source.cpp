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

// The values of a term, of which this is one pass on from a repeat around it by `moved`.
void expand(const Term& t, std::int64_t moved, std::vector<std::int64_t>& out) {
  for (std::uint64_t k = 0; k < t.count; ++k) {
    const std::int64_t by = trace::wrapping_add(moved, trace::wrapping_mul(t.step, k));
    if (t.is_run()) out.push_back(trace::wrapping_add(t.value, by));
    for (const Term& b : t.body) expand(b, by, out);
  }
}

std::uint64_t values_of(const Term& t) { return t.is_run() ? t.count : t.count * t.period; }

std::size_t size_of(const std::vector<std::string>& words) {
  std::size_t n = 0;
  for (const std::string& w : words) n += w.size() + 2;
  return n;
}

class Words {
 public:
  // The values of a term are listed where that takes no more text than to say how they go on.
  std::vector<std::string> of(const std::vector<Term>& terms) {
    std::vector<std::string> out, listed;
    const auto end_list = [&] {
      if (listed.empty()) return;
      out.insert(out.end(), {"LIST", std::to_string(listed.size())});
      out.insert(out.end(), listed.begin(), listed.end());
      listed.clear();
    };
    for (const Term& t : terms) {
      std::vector<std::string> folded, plain;
      if (t.count != 1 || !t.is_run()) add(t, folded);
      if (values_of(t) > 0 && values_of(t) <= kMaxListed) {
        std::vector<std::int64_t> values;
        expand(t, 0, values);
        for (const std::int64_t v : values) plain.push_back(number_text(v));
      }
      const bool is_listed =
          folded.empty() || (!plain.empty() && size_of(plain) <= size_of(folded) + kListHead);
      if (!is_listed) end_list();
      auto& to = is_listed ? listed : out;
      auto& from = is_listed ? plain : folded;
      to.insert(to.end(), from.begin(), from.end());
      if (out.size() + listed.size() > kMaxWords) {
        throw Unwritable{
            "its values do not fold (a table of more than a million numbers would be "
            "no benchmark to read); replay the trace instead"};
      }
    }
    end_list();
    return out;
  }

 private:
  static constexpr std::uint64_t kMaxListed = 64;  // values of a term
  static constexpr std::size_t kListHead = 10;     // "LIST, 12, " [characters]

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

// With an end behind n values.
std::vector<Term> ended(std::vector<Term> terms, std::uint64_t n) {
  std::uint64_t before = 0;
  for (const Term& t : terms) before += values_of(t);
  if (Term& last = terms.back(); last.count == trace::kUnbounded && n > before)
    last.count = (n - before + last.period - 1) / last.period;
  return terms;
}

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
  const std::vector<std::string> terms =
      Words().of(is_endless ? series.terms() : ended(series.terms(), n));
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
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] == ' ' && depth == 0) return "(" + text + ")";
  }
  return text;
}

std::string inside(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && i + 1 < text.size()) return text;
  }
  return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out, rest = text;
  while (rest.size() > kWidth) {
    // Not within a string or a comment.
    std::size_t at = std::string::npos;
    bool quoted = false, told = false;
    for (std::size_t i = 0; i < rest.size() && (i < kWidth || at == std::string::npos); ++i) {
      if (rest[i] == '"' && (i == 0 || rest[i - 1] != '\\')) quoted = !quoted;
      if (rest[i] == ' ' && !quoted && !told && i > indent + 8) at = i;
      told = (told || rest.compare(i, 2, "/*") == 0) &&
             rest.compare(i - std::min<std::size_t>(i, 1), 2, "*/") != 0;
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
  if (type == "int" || type == "long long") dimensions_[own] = 1 + std::ranges::count(extent, '[');
  declarations_.push_back(
      wrapped(fmt::format("static const {} {}[]{} = {{{}}};", type, own, extent, content), 0));
  return own;
}

std::string Source::array(const std::string& name, const std::string& type,
                          const std::vector<std::string>& words) {
  return add_table(name, type, fmt::format("{}", fmt::join(words, ", ")), "");
}

std::string Source::array(const std::string& name, const std::string& type,
                          const std::string& extents, const std::vector<std::string>& elements) {
  const std::string own =
      add_table(name, type, fmt::format("{}", fmt::join(elements, ", ")), extents);
  rows_[type + extents].try_emplace(own, elements);
  return own;
}

std::size_t Source::table_size(const Series& series, std::uint64_t n) {
  return size_of(words_of(series, n));
}

bool Source::is_number_of_array(const std::string& text) const {
  const auto array = dimensions_.find(text.substr(0, text.find('[')));
  if (array == dimensions_.end()) return false;
  std::ptrdiff_t depth = 0, indices = 0;
  for (std::size_t i = array->first.size(); i < text.size(); ++i) {
    if (depth == 0 && text[i] != '[') return false;
    if (text[i] == '[' && depth++ == 0) ++indices;
    if (text[i] == ']') --depth;
  }
  return indices == array->second;
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

}  // namespace reprise::generate
