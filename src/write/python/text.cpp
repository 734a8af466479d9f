#include "write/python/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/printable.hpp"

namespace reprise::write::python {
namespace {

constexpr std::array<std::string_view, 37> kKeywords = {
    "False",   "None",     "True",     "and",    "as",   "assert", "async",  "await",
    "break",   "class",    "continue", "def",    "del",  "elif",   "else",   "except",
    "finally", "for",      "from",     "global", "if",   "import", "in",     "is",
    "lambda",  "nonlocal", "not",      "or",     "pass", "raise",  "return", "try",
    "while",   "with",     "yield",    "match",  "case"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string quoted(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c >= 32 && c < 127) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out + "\"";
}

std::string comment_text(std::string_view text) { return printable(text); }

std::string identifier(std::string_view text) {
  std::string out;
  for (const char c : text) out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || is_digit(out.front())) out.insert(out.begin(), '_');
  if (std::ranges::count(kKeywords, out) > 0) out += '_';
  return out;
}

}  // namespace reprise::write::python
