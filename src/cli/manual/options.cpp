#include "cli/manual/options.hpp"

namespace reprise::cli {
namespace {

// CLI11 tells the words that CLI::IsMember admits only as text behind the type: "TEXT:{a,b}".
std::string members(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":{");
  if (begin == std::string::npos || !type.ends_with('}')) return {};
  return type.substr(begin + 2, type.size() - begin - 3);
}

}  // namespace

std::vector<const CLI::Option*> named_options(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* o) { return o->nonpositional() && !o->get_group().empty(); });
}

std::vector<const CLI::Option*> positionals(const CLI::App& app) {
  return app.get_options([](const CLI::Option* o) { return o->get_positional(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> out;
  const std::string text = members(option);
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (!members(option).empty()) return "WORD";
  const std::string name = type.substr(0, type.find_first_of(": ["));
  if (name == "INT" || name == "UINT" || name == "FLOAT" || name == "POSITIVE") return "NUMBER";
  return name.empty() ? "VALUE" : name;
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
}

}  // namespace reprise::cli
