// Words of a line, and where the line may be broken.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::write {

struct Word {
  std::string text;
  int level = 0;        // a line is broken before words of the lowest level first
  bool strong = false;  // the name of a call

  bool operator==(const Word&) const = default;
};

class Words {
 public:
  // A word behind a space.
  void add(std::string text, int level = 0, bool strong = false) {
    words_.push_back({std::move(text), level, strong});
  }
  // More of the last word.
  void glue(std::string_view text);
  // The words of a text, of which the first is glued to the last word if `is_glued`.
  void split(std::string_view text, int level, bool is_glued = false);
  void append(const Words& other);

  bool empty() const { return words_.empty(); }
  // Characters in one line.
  std::size_t width() const;
  const std::vector<Word>& list() const { return words_; }

  // The words in lines, the first of which has `first` characters at most and the others `others`,
  // as far as words allow.
  std::vector<Words> lines(std::size_t first, std::size_t others) const;

  bool operator==(const Words&) const = default;

 private:
  std::vector<Word> words_;
};

}  // namespace reprise::write
