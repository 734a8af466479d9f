// All that the program prints goes through here: what comes from files cannot control the terminal.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace reprise::cli {

// Prints text of any number of lines; control characters but line feeds become escape sequences.
// Throws std::system_error if it cannot be written, but for what goes to stderr.
void say_text(std::FILE* to, const std::string& text);

template <class... Args>
void say(std::FILE* to, fmt::format_string<Args...> text, Args&&... args) {
  say_text(to, fmt::format(text, std::forward<Args>(args)...));
}

template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  say_text(stdout, fmt::format(text, std::forward<Args>(args)...));
}

// Whether stderr is a terminal. Success is reported only there: scripts find stderr empty.
bool is_watched();

// JSON in ASCII: what is not, and what is no UTF-8, is escaped or replaced. An indent of -1 keeps
// it on one line.
std::string json_text(const nlohmann::ordered_json& json, int indent = 2);
void say_json(const nlohmann::ordered_json& json);

}  // namespace reprise::cli
