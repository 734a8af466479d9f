// The C file in the making: its tables, and the helpers that it calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "trace/series.hpp"

namespace reprise::generate {

// What cannot be written, in words. Thrown within the C back end and caught by its `write`.
struct Unwritable {
  std::string why;
};

class Source {
 public:
  // The name of a table with the first n values of the series, to be read by the helper `of`;
  // behind them it begins anew. Equal tables are one, which bears the name first asked for.
  std::string table(const std::string& name, const trace::Series& series, std::uint64_t n);
  // The same for several series, of which the helper `one` picks that of an index.
  struct Part {
    trace::Series series;
    std::uint64_t n;
  };
  std::string table(const std::string& name, const std::vector<Part>& parts);
  // How much text such a table is [characters].
  static std::size_t table_size(const trace::Series& series, std::uint64_t n);
  // The same as an array of C, of words.
  std::string array(const std::string& name, const std::string& type,
                    const std::vector<std::string>& words);
  // The same of elements that are arrays themselves, of these extents: "[4][2]".
  std::string array(const std::string& name, const std::string& type, const std::string& extents,
                    const std::vector<std::string>& elements);
  // The arrays whose elements are arrays of that type and extents, by name: the elements.
  using Rows = std::map<std::string, std::vector<std::string>>;
  const Rows& arrays_of(const std::string& type, const std::string& extents) {
    return rows_[type + extents];
  }
  // The name of a variable of numbers that begins with 0.
  std::string counter(const std::string& name);
  // The name itself, or with a number behind it if something else bears it.
  std::string unique(const std::string& name);
  // A declaration of the file; equal ones stand there once.
  void declare(const std::string& line);
  // A helper that something calls; the runtime has those that are.
  void need(const std::string& helper) { needed_.insert(helper); }
  const std::set<std::string>& needed() const { return needed_; }

  // A variable or an array of handles of this type.
  void note_object(const std::string& type, const std::string& name) {
    objects_[type].insert(name);
  }
  const std::map<std::string, std::set<std::string>>& objects() const { return objects_; }
  // Whether the text is one number of an array of numbers.
  bool is_number_of_array(const std::string& text) const;
  // Ranks that calls name, as they are written.
  void note_peer(const std::string& text) { peers_.insert(text); }
  const std::set<std::string>& peers() const { return peers_; }

  // Lines of the file in front of the program.
  std::vector<std::string> declarations() const;

 private:
  // `extent` is that of its rows, if it has some.
  std::string add_table(const std::string& name, const std::string& type,
                        const std::string& content, const std::string& extent);

  std::set<std::string> needed_;
  std::set<std::string> names_;
  std::map<std::string, std::string> tables_;  // by content
  std::map<std::string, Rows> rows_;           // by type and extents
  std::vector<std::string> declarations_, counters_;
  std::map<std::string, std::ptrdiff_t> dimensions_;  // of arrays of numbers
  std::set<std::string> peers_;
  std::map<std::string, std::set<std::string>> objects_;
};

// Breaks a line behind a comma or a space so that none is longer than 120 characters.
std::string wrapped(const std::string& text, std::size_t indent);

// The expression with parentheses, unless it is one word, a call or has them.
std::string operand(const std::string& text);

// The expression without parentheses around the whole of it.
std::string inside(const std::string& text);

// A number as a C expression; a special value as the macro that tables have for it.
std::string number_text(std::int64_t v);

}  // namespace reprise::generate
