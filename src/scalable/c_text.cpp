#include "scalable/c_text.hpp"

namespace reprise::scalable {
namespace {

constexpr std::size_t kWidth = 120;  // of a line [characters]

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out, rest = text;
  while (rest.size() > kWidth) {
    // Not within a string or a comment.
    std::size_t at = std::string::npos;
    bool quoted = false, told = false;
    for (std::size_t i = 0; i < rest.size() && (i < kWidth || at == std::string::npos); ++i) {
      if (rest[i] == '"' && (i == 0 || rest[i - 1] != '\\')) quoted = !quoted;
      if (rest[i] == ' ' && !quoted && !told && i > indent + 8) at = i;
      told = (told || rest.compare(i, 2, "/*") == 0) &&
             rest.compare(i - std::min<std::size_t>(i, 1), 2, "*/") != 0;
    }
    if (at == std::string::npos) break;
    out += rest.substr(0, at) + "\n";
    rest = std::string(indent + 4, ' ') + rest.substr(at + 1);
  }
  return out + rest;
}

}  // namespace reprise::scalable
