// Long tables of a program in C, in a text file beside it that the program reads when it starts
// (runtime/store.h describes it). In the program stand their places in an array of all words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "write/c/language/syntax.hpp"

namespace reprise::write::c {

class TableFile {
 public:
  // `name`: of the file, for the program.
  explicit TableFile(std::string name) : name_(std::move(name)) {}

  // Takes the words of long tables out of the blocks, or of none if there are too few.
  void take(const std::vector<Block*>& blocks);

  bool is_empty() const { return words_ == 0; }
  // The array of words, and what the program knows of the file: `stored`.
  Block definitions() const;
  std::string text() const;

 private:
  using Words = std::vector<Expression>;

  Expression place(const std::string& table, const Words& words);

  std::string name_;
  std::string body_;                             // of the file, behind its first line
  std::int64_t words_ = 0;                       // in the file
  std::map<std::string, std::int64_t> places_;   // by the text of a table: its first word
  std::map<std::string, Expression> constants_;  // by their names in the file
};

}  // namespace reprise::write::c
