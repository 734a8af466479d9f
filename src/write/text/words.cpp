#include "write/text/words.hpp"

#include <algorithm>

namespace reprise::write {
namespace {

// How bad it is to break a line before each of some words: of the same level, the fewer brackets
// are open the better, then behind a comma, and then before a part of a condition. What an argument
// is called stays beside it.
std::vector<int> costs_of(const std::vector<Word>& words) {
  constexpr int kOfLevel = 1 << 16, kMostOpen = 1 << 12;
  std::vector<int> out;
  int open = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    const bool is_behind_comma = i > 0 && words[i - 1].text.ends_with(',');
    const bool begins_part = text == "if" || text == "else" || text == "&&" || text == "||";
    const bool is_behind_name = i > 0 && words[i - 1].level < words[i].level;
    const int kind = is_behind_name ? 6 : is_behind_comma ? 0 : begins_part ? 1 : 2;
    out.push_back(words[i].level * kOfLevel + 3 * std::clamp(open, 0, kMostOpen) + kind);
    for (const char c : text) {
      if (c == '(' || c == '[' || c == '{') ++open;
      if (c == ')' || c == ']' || c == '}') --open;
    }
  }
  return out;
}

}  // namespace

void Words::glue(std::string_view text) {
  if (words_.empty()) words_.emplace_back();
  words_.back().text += text;
}

void Words::split(std::string_view text, int level, bool is_glued) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (is_glued) {
      glue(text.substr(0, end));
    } else {
      add(std::string(text.substr(0, end)), level);
    }
    is_glued = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Words::append(const Words& other) {
  words_.insert(words_.end(), other.words_.begin(), other.words_.end());
}

std::size_t Words::width() const {
  std::size_t width = words_.empty() ? 0 : words_.size() - 1;
  for (const Word& w : words_) width += w.text.size();
  return width;
}

std::vector<Words> Words::lines(std::size_t first, std::size_t others) const {
  std::vector<Words> out;
  const std::vector<int> costs = costs_of(words_);
  for (std::size_t begin = 0; begin < words_.size();) {
    const std::size_t limit = out.empty() ? first : others;
    std::size_t end = begin, width = 0, best = begin;
    for (; end < words_.size(); ++end) {
      width += words_[end].text.size() + (end > begin);
      if (width > limit && end > begin) break;
      // The line may end before the next word; the last of the best places counts.
      const bool is_good = end + 1 < words_.size() && width >= limit / 2 &&
                           (best == begin || costs[end + 1] <= costs[best]);
      if (is_good) best = end + 1;
    }
    if (end == words_.size()) {
      best = end;
    } else if (best == begin || best > end) {
      best = end;
    }
    Words line;
    line.words_.assign(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                       words_.begin() + static_cast<std::ptrdiff_t>(best));
    out.push_back(std::move(line));
    begin = best;
  }
  return out;
}

}  // namespace reprise::write
