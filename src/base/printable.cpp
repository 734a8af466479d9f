#include "base/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace reprise {
namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text is not UTF-8 here
};

// The character at the begin of a text that is not empty (RFC 3629: the shortest form, no
// surrogates).
Character first_character(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  if (bytes == 0 || bytes > text.size() || lead > 0xf4) return {};
  char32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<std::uint8_t>(text[i]);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escape(char c, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<std::uint8_t>(c);
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

std::string escape(std::string_view text, bool keeps_lines) {
  const auto stays = [=](char c) { return is_plain(c) || (keeps_lines && c == '\n'); };
  if (std::ranges::all_of(text, stays)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const Character c = first_character(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(1, c.bytes));
    if (stays(text[0]) || (c.bytes > 0 && !is_control(c.code))) {
      out += bytes;
    } else {
      for (const char byte : bytes) append_escape(byte, out);
    }
    text.remove_prefix(bytes.size());
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escape(text, false); }

std::string printable_lines(std::string_view text) { return escape(text, true); }

}  // namespace reprise
