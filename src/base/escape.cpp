#include "base/escape.hpp"

#include <cstdint>

#include "base/printable.hpp"
#include "base/utf8.hpp"

namespace reprise {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

// Characters that a compiler takes out, or a layout puts a line's end in place of, before it looks
// for the end of a comment: blanks, and backslashes, one of which may be a trigraph.
constexpr std::string_view kPassing = " \\?";

constexpr std::string_view kTrigraphs = "=/'()!<>-";

bool ends_with_any(std::string_view text, char last, std::string_view passing) {
  const std::size_t at = text.find_last_not_of(passing);
  return at != std::string_view::npos && text[at] == last;
}

bool is_trigraph(std::string_view text, std::size_t at) {
  return text.substr(at, 2) == "?\?" && at + 2 < text.size() &&
         kTrigraphs.find(text[at + 2]) != std::string_view::npos;
}

std::string without_trigraphs(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    out += is_trigraph(text, i) ? std::string("\\x3f") : std::string(1, text[i]);
  return out;
}

void append_utf16(char32_t code, std::string& out) {
  const auto unit = [&](unsigned value) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[value >> shift & 15];
  };
  if (code < 0x10000) return unit(code);
  unit(0xd800 + ((code - 0x10000) >> 10));
  unit(0xdc00 + ((code - 0x10000) & 0x3ff));
}

}  // namespace

std::string in_c_comment(std::string_view text) {
  std::string out;
  const std::string plain = printable(text);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (c == '/' && ends_with_any(out, '*', kPassing)) {
      out += "\\x2f";
    } else if (c == '*' && ends_with_any(out, '/', kPassing)) {
      out += "\\x2a";
    } else if (is_trigraph(plain, i)) {
      out += "\\x3f";
    } else {
      out += c;
    }
  }
  return out;
}

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte >= 0x20 && byte < 0x7f && c != '?') {
      out += c;
    } else {
      // Octal: a hexadecimal escape has no end.
      out += {'\\', kDigits[byte >> 6], kDigits[byte >> 3 & 7], kDigits[byte & 7]};
    }
  }
  return out + '"';
}

std::string in_conceptual_comment(std::string_view text) {
  return without_trigraphs(printable(text));
}

std::string conceptual_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : without_trigraphs(printable_lines(text))) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Character c = first_character(text);
    text.remove_prefix(c.bytes > 0 ? c.bytes : 1);
    switch (c.bytes == 0 ? 0xfffd : c.code) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (c.bytes == 1 && c.code >= 0x20 && c.code < 0x7f) {
          out += static_cast<char>(c.code);
        } else {
          append_utf16(c.bytes == 0 ? 0xfffd : c.code, out);
        }
    }
  }
  return out + '"';
}

std::string dimemas_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) out += c == '"' ? '\'' : c;
  return out + '"';
}

std::string in_html(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace reprise
