#include "cli/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/nearest.hpp"

namespace reprise::cli {
namespace {

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return text;
}

// What an option takes, as CLI11 names it.
std::string_view values_of(const CLI::App& sub, const std::string& name) {
  const CLI::Option* option = sub.get_option_no_throw(name);
  const std::string type = option ? option->get_type_name() : "";
  if (type.starts_with("INT") || type.starts_with("UINT")) return "whole numbers";
  if (type.starts_with("FLOAT")) return "numbers";
  return "other values";
}

// A range that has no end but that of its type, which CLI11 writes with 309 digits.
std::string without_range(const CLI::App& sub, std::string text) {
  const std::size_t range = text.find(" not in range ");
  if (range == std::string::npos || text.size() < range + 100) return text;
  const CLI::Option* option = sub.get_option_no_throw(text.substr(0, text.find(':')));
  const bool from_0 = option && option->get_type_name().find(
                                    CLI::NonNegativeNumber.get_description()) != std::string::npos;
  return text.replace(range, text.size(),
                      from_0 ? " is not a number from 0 on" : " is not a number above 0");
}

// CLI11's words for a value that an option does not take, in plain ones.
std::string plain(const CLI::App& sub, std::string text) {
  text = without_range(sub, std::move(text));
  static constexpr std::string_view kConvert = "Could not convert: ", kMember = " not in {",
                                    kRequired = " is required";
  if (text.starts_with(kConvert)) {
    const std::size_t equals = text.find(" = ");
    const std::string name = text.substr(kConvert.size(), equals - kConvert.size());
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 3);
    return fmt::format("{} cannot be {}: it takes {}", name, value, values_of(sub, name));
  }
  if (text.ends_with(kRequired) && text.find(' ') == text.size() - kRequired.size()) {
    const std::string name = text.substr(0, text.size() - kRequired.size());
    return name.starts_with('-') ? name + " is missing" : "no " + name + " given";
  }
  const std::size_t member = text.find(kMember);
  if (member == std::string::npos || !text.ends_with('}')) return text;
  std::string choices;
  for (const char c : text.substr(member + kMember.size())) {
    if (c != '}') choices += c == ',' ? std::string(", ") : std::string(1, c);
  }
  return fmt::format("{} is none of {}", text.substr(0, member), choices);
}

// The first word that looks like an option of the subcommand and is none; empty if there is none.
std::string unknown_option(const CLI::App& sub, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (name.size() > 1 && name[0] == '-' && !std::isdigit(name[1]) && name[1] != '.' &&
        sub.get_option_no_throw(name) == nullptr)
      return name;
  }
  return {};
}

std::vector<std::string> options_of(const CLI::App& sub) {
  std::vector<std::string> out;
  for (const CLI::Option* option : sub.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

// `command` is how the options are asked for: "reprise show".
std::string no_option(const CLI::App& sub, const std::string& command, const std::string& word) {
  const std::string near = nearest(options_of(sub), word);
  return fmt::format("{} has no option {} ({}); `{} -h` lists its options", sub.get_name(), word,
                     near.empty() ? "nor one with a similar name" : "there is " + near, command);
}

}  // namespace

std::string no_subcommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  if (names.empty()) {
    return fmt::format("{0} has no subcommands ('{1}' was given); `reprise help {0}` describes it",
                       app.get_name(), word);
  }
  const std::string near = nearest(names, word);
  if (!near.empty())
    return fmt::format("there is no subcommand '{}'; did you mean {}?", word, near);
  const std::string command = app.get_parent() ? "reprise help " + app.get_name() : "reprise help";
  return fmt::format("there is no subcommand '{}'; `{}` lists them", word, command);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    const std::string& word = words.front();
    return word.starts_with('-') ? no_option(app, app.get_name(), word) : no_subcommand(app, word);
  }
  const std::string name = chosen.front()->get_name();
  const CLI::App& sub = *chosen.front();
  const auto after = std::ranges::find(words, name);
  if (sub.get_require_subcommand_min() > 0 && sub.get_subcommands().empty() &&
      after != words.end() && after + 1 != words.end() && !(after + 1)->starts_with('-'))
    return no_subcommand(sub, *(after + 1));
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool takes_command = name == "record" || name == "doctor";
  if (is_extra && takes_command && std::ranges::find(words, "--") == words.end()) {
    return fmt::format(
        "options of the command were taken for options of {0} ({1}); put -- before the command, "
        "as in: reprise {0} {2}-- mpirun -n 4 ./app",
        name, without_end(error.what()), name == "record" ? "-o app.reprise " : "");
  }
  const std::string unknown = is_extra ? unknown_option(*chosen.front(), words) : std::string();
  if (!unknown.empty() && sub.get_prefix_command()) {
    return fmt::format(
        "{0} has no option {1} (options of the program come after its name); `reprise {0} -h` "
        "lists those of {0}",
        name, unknown);
  }
  if (!unknown.empty()) return no_option(*chosen.front(), "reprise " + name, unknown);
  return fmt::format("invalid arguments for {} ({}); see `reprise {} -h`", name,
                     plain(*chosen.front(), without_end(error.what())), name);
}

}  // namespace reprise::cli
