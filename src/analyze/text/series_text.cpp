#include "analyze/text/series_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trace/series/series_folder.hpp"

namespace reprise::analyze {
namespace {

using trace::Term;

constexpr std::size_t kMaxTerms = 16;        // that passes of a moving repeat are written out to
constexpr std::uint64_t kSpelledOut = 8;     // so few values are written one by one
constexpr std::uint64_t kLongestInFull = 4;  // "1 2 3 4" is as short as "1 2 .. 4"
constexpr std::size_t kLongestRepeat = 64;   // things in a repeat

// Appends the first n values of the terms, moved by `shift`, to `out`.
void take(const std::vector<Term>& terms, std::uint64_t n, std::int64_t shift,
          std::vector<Term>& out) {
  for (const Term& t : terms) {
    if (n == 0) return;
    const std::uint64_t taken = t.count == trace::kUnbounded ? n : std::min(n, t.count * t.period);
    n -= taken;
    const std::uint64_t passes = taken / t.period, rest = taken % t.period;
    if (t.is_run() || shift == 0) {
      Term whole = t;
      if (t.is_run()) whole.value = trace::wrapping_add(t.value, shift);
      whole.count = passes;
      if (passes > 0) out.push_back(std::move(whole));
    } else {
      for (std::uint64_t p = 0; p < passes && out.size() <= kMaxTerms; ++p) {
        take(t.body, t.period, trace::wrapping_add(shift, trace::wrapping_mul(t.step, p)), out);
      }
    }
    if (rest > 0)
      take(t.body, rest, trace::wrapping_add(shift, trace::wrapping_mul(t.step, passes)), out);
  }
}

class Text {
 public:
  Text(const std::function<std::string(std::int64_t)>& number, std::size_t most)
      : number_(number), most_(most) {}

  std::string write(const std::vector<Term>& terms) {
    add(terms);
    return std::move(text_);
  }

 private:
  void word(const std::string& w) {
    text_ += (text_.empty() || text_.ends_with('(') ? "" : " ") + w;
    ++words_;
  }

  void add(const std::vector<Term>& terms) {
    for (const Term& t : terms) {
      if (words_ >= most_) return text_.ends_with("...") ? void() : word("...");
      if (!t.is_run()) {
        repeat(t);
      } else if (t.count == 1) {
        word(number_(t.value));
      } else if (t.step == 0) {
        word(number_(t.value) +
             (t.count == 2 ? " " + number_(t.value) : fmt::format(" x{}", t.count)));
      } else {
        const auto at = [&](std::uint64_t i) {
          return number_(trace::wrapping_add(t.value, trace::wrapping_mul(t.step, i)));
        };
        const std::uint64_t shown = t.count <= kLongestInFull ? t.count : 2;
        for (std::uint64_t i = 0; i < shown; ++i) word(at(i));
        if (shown < t.count) word(".. " + at(t.count - 1));
      }
    }
  }

  void repeat(const Term& t) {
    if (t.count == 1) return add(t.body);
    word("(");
    add(t.body);
    text_ += fmt::format(")x{}", t.count);
    if (t.step != 0) text_ += fmt::format(" by {:+}", t.step);
  }

  const std::function<std::string(std::int64_t)>& number_;
  std::string text_;
  std::size_t most_;
  std::size_t words_ = 0;
};

// The repeats in a list, at each place the shortest. Cost: the list times `longest` squared.
std::vector<Term> repeats(std::span<const std::int64_t> values, std::size_t longest) {
  std::vector<Term> out;
  for (std::size_t i = 0; i < values.size();) {
    const std::span<const std::int64_t> left = values.subspan(i);
    Term next{.value = left.front()};
    for (std::size_t p = 1; p <= std::min(left.size() / 2, longest) && next.count == 1; ++p) {
      const auto is_again = [&](std::size_t pass) {
        return (pass + 1) * p <= left.size() &&
               std::ranges::equal(left.first(p), left.subspan(pass * p, p));
      };
      while (is_again(next.count)) ++next.count;
      if (next.count == 1 || p == 1) continue;
      next.period = p;
      next.body = repeats(left.first(p), longest);
    }
    i += next.count * next.period;
    out.push_back(std::move(next));
  }
  return out;
}

}  // namespace

std::vector<Term> first_terms(const trace::Series& series, std::uint64_t n) {
  std::vector<Term> out;
  take(series.terms(), n, 0, out);
  return out;
}

trace::Series refolded(const trace::Series& series, std::uint64_t n) {
  constexpr std::uint64_t kMostRefolded = 1 << 12;
  if (n == 0 || n > kMostRefolded) return series;
  trace::SeriesFolder folder;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) folder.append(cursor.next());
  return folder.finish();
}

std::string series_text(const trace::Series& series, std::uint64_t n,
                        const std::function<std::string(std::int64_t)>& number,
                        std::size_t most_words) {
  if (n > kSpelledOut) return Text(number, most_words).write(first_terms(series, n));
  std::vector<Term> one_by_one;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n && !cursor.at_end(); ++k) {
    const std::int64_t v = cursor.next();
    if (!one_by_one.empty() && one_by_one.back().value == v) {
      ++one_by_one.back().count;
    } else {
      one_by_one.push_back({.value = v});
    }
  }
  return Text(number, most_words).write(one_by_one);
}

std::string repeats_text(std::span<const std::int64_t> things,
                         const std::function<std::string(std::int64_t)>& text,
                         std::size_t most_words) {
  const std::size_t longest = things.size() > kSpelledOut ? kLongestRepeat : 1;
  return Text(text, most_words).write(repeats(things, longest));
}

}  // namespace reprise::analyze
