#include "cli/say.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/printable.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;

void say_text(std::FILE* to, const std::string& text) {
  const std::string printable = printable_lines(text);
  if (to == stderr) {  // if that fails, nobody is left to be told
    (void)std::fwrite(printable.data(), 1, printable.size(), stderr);
  } else {
    fmt::print(to, "{}", printable);
  }
}

bool is_watched() { return ::isatty(STDERR_FILENO) != 0; }

std::string json_text(const ordered_json& json, int indent) {
  return json.dump(indent, ' ', true, ordered_json::error_handler_t::replace);
}

void say_json(const ordered_json& json) { say("{}\n", json_text(json)); }

}  // namespace reprise::cli
