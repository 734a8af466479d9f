#include "base/printable.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace reprise {
namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_escape(char c, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<std::uint8_t>(c);
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
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

std::string broken_lines(const LineStarts& starts, std::string_view text) {
  constexpr std::size_t kWidth = 120;  // columns; a byte is taken for one
  std::string out(starts.first);
  std::size_t begin = 0;  // of the line, in `out`
  while (!text.empty()) {
    const std::size_t room = kWidth - std::min(kWidth, out.size() - begin);
    std::size_t end = text.size();
    if (end > room) {
      end = text.rfind(' ', room);
      if (end == std::string_view::npos || end == 0) end = text.find(' ', 1);
      if (end == std::string_view::npos) end = text.size();
    }
    out.append(text.substr(0, end)).append("\n");
    text.remove_prefix(end);
    if (text.empty()) return out;
    text.remove_prefix(1);
    begin = out.size();
    out += starts.next;
  }
  return out + "\n";
}

}  // namespace reprise
