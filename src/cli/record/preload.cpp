#include "cli/record/preload.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/record/programs.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "LD_PRELOAD";
constexpr std::string_view kAssignment = "LD_PRELOAD=";
constexpr std::uintmax_t kLongestScript = 1 << 20;  // [bytes]
constexpr const char* kAdd = "add to the variable instead, as in LD_PRELOAD=x.so:$LD_PRELOAD";

bool has_space(const std::string& word) {
  return std::ranges::any_of(word, [](unsigned char c) { return std::isspace(c); });
}

// Where a word assigns to the variable, from the begin or behind one of what separates variables
// in the options of launchers; npos: nowhere.
std::size_t assignment_in(const std::string& word) {
  for (std::size_t at = word.find(kAssignment); at != std::string::npos;
       at = word.find(kAssignment, at + 1)) {
    if (at == 0 || std::string_view("=,;").find(word[at - 1]) != std::string_view::npos) return at;
  }
  return std::string::npos;
}

// Whether the next two words are a variable and its value.
bool takes_variable(const std::string& option) {
  return option == "-env" || option == "-genv" || option == "--env" || option == "--genv";
}

std::string joined(const std::string& before, const std::string& library) {
  return before.empty() ? library : before + ":" + library;
}

std::string with_assigned(const std::string& word, std::size_t at, const std::string& library) {
  const std::size_t from = at + kAssignment.size();
  const std::size_t end = std::min(word.find_first_of(",;", from), word.size());
  return word.substr(0, from) + joined(word.substr(from, end - from), library) + word.substr(end);
}

// Whether a text for a shell sets the variable without what it was before, or unsets it.
bool replaces(const std::string& script) {
  if (script.find("unset LD_PRELOAD") != std::string::npos) return true;
  for (std::size_t at = script.find(kAssignment); at != std::string::npos;
       at = script.find(kAssignment, at + 1)) {
    const std::string value = script.substr(at, script.find_first_of(" ;\n", at) - at);
    if (value.find("$LD_PRELOAD") == std::string::npos &&
        value.find("${LD_PRELOAD") == std::string::npos)
      return true;
  }
  return false;
}

bool is_script_that_replaces(const std::string& word) {
  const std::string path = find_program(word);
  std::error_code error;
  if (path.empty() || is_binary(path) || fs::file_size(path, error) > kLongestScript) return false;
  std::ifstream file(path, std::ios::binary);
  return replaces({std::istreambuf_iterator<char>(file), {}});
}

std::string quoted_if_spaced(const std::string& word) {
  return has_space(word) ? "'" + word + "'" : word;
}

std::optional<PreloadConflict> conflict_in_env(const std::string& word, const std::string& next) {
  if (word == "-i" || word == "-" || word == "--ignore-environment")
    return PreloadConflict{fmt::format("env {} starts the program without LD_PRELOAD", word),
                           fmt::format("leave {} out", word)};
  if ((word == "-u" && next == kName) || word == "-uLD_PRELOAD" || word == "--unset=LD_PRELOAD")
    return PreloadConflict{"env unsets LD_PRELOAD", "leave that out"};
  return std::nullopt;
}

bool lists(const std::string& names, std::string_view name) {
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    if (std::string_view(names).substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

// Options of MPICH's launcher that say which variables it sends to the processes that it starts.
// Those on its own node inherit all of them nevertheless.
std::optional<PreloadConflict> conflict_in_launcher(const std::string& word,
                                                    const std::string& next) {
  const std::string_view option = std::string_view(word).substr(word.starts_with("--") ? 1 : 0);
  if (option == "-genvnone" || option == "-envnone")
    return PreloadConflict{word + " does not pass LD_PRELOAD to other nodes",
                           fmt::format("leave {} out", word)};
  if ((option == "-genvlist" || option == "-envlist") &&
      !(lists(next, kName) && lists(next, "REPRISE_OUTPUT"))) {
    return PreloadConflict{
        fmt::format("{} {} does not pass LD_PRELOAD and REPRISE_OUTPUT to other nodes", word, next),
        "add the variables that `reprise record --print-env` prints"};
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> with_preloaded(std::vector<std::string> command,
                                        const std::string& library,
                                        const std::function<bool(const std::string&)>& is_program) {
  bool is_argument = false;  // of a program
  for (std::size_t i = 0; i < command.size(); ++i) {
    std::string& word = command[i];
    if (is_argument) {
      is_argument = word != ":";
      continue;
    }
    const std::size_t at = has_space(word) ? std::string::npos : assignment_in(word);
    if (at != std::string::npos) {
      word = with_assigned(word, at, library);
    } else if (takes_variable(word) && i + 2 < command.size() && command[i + 1] == kName) {
      command[i + 2] = joined(command[i + 2], library);
      i += 2;
    } else {
      is_argument = is_program(word);
    }
  }
  return command;
}

std::optional<PreloadConflict> preload_conflict(
    const std::vector<std::string>& command,
    const std::function<bool(const std::string&)>& is_program) {
  bool is_env = false, is_argument = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string next = i + 1 < command.size() ? command[i + 1] : "";
    if (is_argument) {
      is_argument = word != ":";
      continue;
    }
    if (is_env) {
      if (auto conflict = conflict_in_env(word, next)) return conflict;
    }
    if (auto conflict = conflict_in_launcher(word, next)) return conflict;
    if ((has_space(word) && replaces(word)) || is_script_that_replaces(word))
      return PreloadConflict{quoted_if_spaced(word) + " sets LD_PRELOAD", kAdd};
    is_argument = is_program(word);
    if (fs::path(word).filename() == "env")
      is_env = true;
    else if (!word.starts_with("-") && word.find('=') == std::string::npos)
      is_env = false;
  }
  return std::nullopt;
}

}  // namespace reprise::cli
