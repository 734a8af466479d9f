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

std::set<std::int64_t> numbers_in(std::string_view command) {
  constexpr std::size_t kFewestDigits = 2, kMostDigits = 9;
  std::set<std::int64_t> out;
  for (std::size_t begin = 0; begin < command.size();) {
    if (!is_digit(command[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < command.size() && is_digit(command[end])) ++end;
    const bool is_part = (begin > 0 && is_of_name(command[begin - 1])) ||
                         (end < command.size() && is_of_name(command[end]));
    if (!is_part && end - begin >= kFewestDigits && end - begin <= kMostDigits) {
      std::int64_t number = 0;
      std::from_chars(command.data() + begin, command.data() + end, number);
      out.insert(number);
    }
    begin = end;
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
