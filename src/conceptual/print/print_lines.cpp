#include "conceptual/print/print_lines.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::size_t kWidth = 100;    // of a line that can be broken [columns]
constexpr std::size_t kIndent = 2;     // of what is within a loop
constexpr std::size_t kContinued = 4;  // of the rest of a line that was broken, beside that

}  // namespace

void Lines::word(std::string_view text) {
  line_.push_back({std::string(text), depth_, is_clause_over_});
  is_clause_over_ = false;
}

void Lines::glue(std::string_view text) {
  if (line_.empty()) return word(text);
  line_.back().text += text;
}

void Lines::end_clause() { is_clause_over_ = true; }

// The word in front of which the line is broken: in the second half of the line the one in the
// fewest parentheses, a new clause before others, and the last one of those.
std::size_t Lines::end_of_part(std::size_t from, std::size_t width) const {
  std::size_t column = line_[from].text.size(), best = from;
  int least = 0;
  for (std::size_t k = from + 1; k < line_.size(); ++k) {
    if (column > width && best != from) return best;
    const Word& w = line_[k];
    const int cost = 2 * w.depth - (w.begins_clause ? 1 : 0);
    if (best == from || cost <= least || column < width / 2) {
      best = k;
      least = cost;
    }
    column += 1 + w.text.size();
  }
  return column > width && best != from ? best : line_.size();
}

void Lines::end_line() {
  if (line_.empty()) return;
  std::size_t margin = kIndent * static_cast<std::size_t>(indent_);
  for (std::size_t from = 0; from < line_.size();) {
    const std::size_t end = end_of_part(from, kWidth > margin ? kWidth - margin : 1);
    out_.append(margin, ' ');
    for (std::size_t k = from; k < end; ++k) {
      if (k > from) out_ += ' ';
      out_ += line_[k].text;
    }
    out_ += '\n';
    if (from == 0) margin += kContinued;
    from = end;
  }
  line_.clear();
  is_clause_over_ = false;
}

void Lines::comment(std::string_view text) {
  end_line();
  out_.append(kIndent * static_cast<std::size_t>(indent_), ' ');
  out_ += "# ";
  out_ += text;
  out_ += '\n';
}

std::string Lines::finish() {
  end_line();
  return std::move(out_);
}

}  // namespace reprise::conceptual
