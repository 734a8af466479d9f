#include "cli/usage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace reprise::cli {
namespace {

std::string without_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  // A range that only asks for a positive number has an end of 309 digits.
  const std::size_t range = text.find(" not in range ");
  if (range != std::string::npos && text.size() > range + 100)
    text.replace(range, text.size(), " is too small");
  return text;
}

std::string no_subcommand(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  const std::string all = fmt::format("{}", fmt::join(names, ", "));
  if (words.empty())
    return fmt::format("there is nothing to do (no subcommand is given); say one of {}", all);
  return fmt::format("{} is not understood (it is no subcommand); say one of {}", words.front(),
                     all);
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) return no_subcommand(app, words);
  const std::string name = chosen.front()->get_name();
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (is_extra && name == "record" && std::ranges::find(words, "--") == words.end()) {
    return fmt::format(
        "record takes options of the command for its own ({}); put -- before the command, "
        "as in: reprise record -o app.reprise -- mpirun -n 4 ./app",
        without_end(error.what()));
  }
  return fmt::format(
      "the options of {} are not understood ({}); `reprise {} -h` has them, and an example", name,
      without_end(error.what()), name);
}

}  // namespace reprise::cli
