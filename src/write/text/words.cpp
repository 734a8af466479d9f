#include "write/text/words.hpp"

namespace reprise::write {

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
  for (std::size_t begin = 0; begin < words_.size();) {
    const std::size_t limit = out.empty() ? first : others;
    std::size_t end = begin, width = 0, best = begin;
    for (; end < words_.size(); ++end) {
      width += words_[end].text.size() + (end > begin);
      if (width > limit && end > begin) break;
      // The line may end before the next word; the last of the best places counts.
      const bool is_good = end + 1 < words_.size() && width >= limit / 2 &&
                           (best == begin || words_[end + 1].level <= words_[best].level);
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
