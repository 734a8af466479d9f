#include "extrapolate/inputs/command_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace reprise::extrapolate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// What a number is no part of; sizes are written 240x96.
bool is_of_name(char c) {
  return c != 'x' && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.');
}

// Whether the number from `begin` on is the exponent of another one, as in 2.5e-10.
bool is_exponent(std::string_view word, std::size_t begin) {
  if (begin < 3 || (word[begin - 1] != '-' && word[begin - 1] != '+')) return false;
  const char e = word[begin - 2], mantissa = word[begin - 3];
  return (e == 'e' || e == 'E' || e == 'd' || e == 'D') && (is_digit(mantissa) || mantissa == '.');
}

// Whether it is behind the prefix of hexadecimal numbers, as in 0x100; 240x96 has none.
bool is_hexadecimal(std::string_view word, std::size_t begin) {
  return begin >= 2 && word[begin - 1] == 'x' && word[begin - 2] == '0' &&
         (begin == 2 || !is_digit(word[begin - 3]));
}

void add_numbers(std::string_view word, std::set<std::int64_t>& out) {
  constexpr std::size_t kFewestDigits = 2, kMostDigits = 9;
  if (word.find('/') != std::string_view::npos) return;  // a path
  for (std::size_t begin = 0; begin < word.size();) {
    if (!is_digit(word[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < word.size() && is_digit(word[end])) ++end;
    const bool is_part = (begin > 0 && is_of_name(word[begin - 1])) ||
                         (end < word.size() && is_of_name(word[end])) || is_exponent(word, begin) ||
                         is_hexadecimal(word, begin);
    if (!is_part && end - begin >= kFewestDigits && end - begin <= kMostDigits) {
      std::int64_t number = 0;
      std::from_chars(word.data() + begin, word.data() + end, number);
      out.insert(number);
    }
    begin = end;
  }
}

std::set<std::int64_t> numbers_in(std::string_view command) {
  std::set<std::int64_t> out;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find_first_of(" \t\n"), command.size());
    add_numbers(command.substr(0, end), out);
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  return out;
}

}  // namespace

std::set<std::int64_t> numbers_in_commands(std::span<const std::string> commands) {
  std::set<std::int64_t> out;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::set<std::int64_t> here = numbers_in(commands[i]);
    if (i == 0) {
      out = here;
      continue;
    }
    std::set<std::int64_t> common;
    std::ranges::set_intersection(out, here, std::inserter(common, common.end()));
    out = std::move(common);
  }
  return out;
}

}  // namespace reprise::extrapolate
