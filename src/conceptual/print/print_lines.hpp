// Words to lines: indented, and broken where a reader expects it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise::conceptual {

class Lines {
 public:
  // Puts a word behind what the line has, with a blank between them.
  void word(std::string_view text);
  // Puts text directly behind the last word.
  void glue(std::string_view text);
  // Behind the last word a clause begins: a good place to break the line.
  void end_clause();
  // Parentheses: a line is rather broken outside of them.
  void open() { ++depth_; }
  void close() { --depth_; }

  void end_line();
  // A line of its own that is not broken.
  void comment(std::string_view text);
  void indent() { ++indent_; }
  void unindent() { --indent_; }

  // Ends the last line.
  std::string finish();

 private:
  struct Word {
    std::string text;
    int depth = 0;  // of the blank in front of it
    bool begins_clause = false;
  };

  std::size_t end_of_part(std::size_t from, std::size_t width) const;

  std::string out_;
  std::vector<Word> line_;
  int depth_ = 0, indent_ = 0;
  bool is_clause_over_ = false;
};

}  // namespace reprise::conceptual
