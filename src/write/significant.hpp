// What matters of a value to a program that is written.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "program/program.hpp"
#include "trace/values/special.hpp"

namespace reprise::write {

// Values as if they were any other number where they are a certain one; by default where they do
// not count, as nothing was recorded there. So they may be simpler.
class Significant {
 public:
  // REQUIRES: the value lives as long as this. The result has an address as the values of the
  // program do.
  const program::Value& of(const program::Value& v, std::int64_t left_out = trace::kNone);

 private:
  std::map<std::pair<const program::Value*, std::int64_t>, program::Value> known_;
};

// The number that a value is on all of these streams, if it is one.
std::optional<std::int64_t> constant_on(const program::Value& v, const program::StreamSet& streams);

// Whether all cases are constants.
bool are_constants(const program::Value& v);

// The characters of a text in one case of its value; none: they differ from execution to execution.
std::optional<std::string> text_of(const program::Case& c, std::optional<std::int64_t> length);

// Throws Unwritable if the text follows a law over numbers of ranks.
void throw_if_by_ranks(const program::Value& text);

// Whether a table is so short that it stands where it is asked for, and the index of a loop chooses
// from it.
bool is_chosen_by_loop(const program::Sequence& s);
bool is_chosen_by_loop(const program::Alternation& a);
bool has_choice_by_loop(const program::Value& v);

// Whether a value changes from one time that it is asked for to the next in one iteration.
bool has_table(const program::Value& v);

// The value of an expression of a list's index and length alone.
std::optional<std::int64_t> element_at(const expr::Expr& e, std::int64_t index,
                                       std::int64_t length);

// How many newer requests there are, if the ages are those of the newest but for these.
std::optional<std::int64_t> newer_ones(const expr::Expr& ages);

}  // namespace reprise::write
