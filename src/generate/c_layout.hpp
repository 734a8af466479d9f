// The statements of a generated program, and how they are broken into lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generate/c_outline.hpp"
#include "generate/c_source.hpp"

namespace reprise::generate {

class Layout {
 public:
  void line(std::size_t depth, const std::string& text) { lines_.push_back({depth, {text}, {}}); }
  // The statements of one call, with a comment that says where it comes from. `declares`: the call
  // site that the variables which they make are called after, if they make any.
  void call(std::size_t depth, const std::vector<std::string>& statements,
            const std::string& comment, std::optional<std::size_t> declares = std::nullopt);
  // Where the next line will stand.
  std::size_t next_line() const { return lines_.size(); }
  // What a loop does at the end of each trip, beside what it does already.
  void extend_loop(std::size_t line, const std::string& statement);

  // Lets the variable of a loop of so many trips, which may be asked to make more, begin anew then,
  // if something behind it names the variable. `count`: a name for the trips that were made.
  void begin_anew(std::size_t line, const std::string& variable, const std::string& count,
                  const std::string& trips);

  // Of these texts, arguments that are long and stand in many calls become variables, which are set
  // behind the statement `start`: their names.
  std::vector<std::string> name_arguments(const std::set<std::string>& texts,
                                          const std::string& start, std::uint64_t ranks);

  // Calls that are made alike become functions, which are returned as lines of the file.
  std::vector<std::string> outline(Source& source);

  // The lines as they stand in the file, none longer than 120 characters where that can be.
  std::vector<std::string> lines() const;

 private:
  // Whether the block that the next line of this depth stands in has these variables.
  bool has_variables(std::size_t depth, std::size_t site) const;
  std::optional<std::string> one_call(std::size_t first) const;
  // `function`: that of the comment before, which need not be said again where a line would be too
  // long.
  static void append(const Line& line, std::string& function, std::vector<std::string>& out);

  std::vector<Line> lines_;
};

}  // namespace reprise::generate
