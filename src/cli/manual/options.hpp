// What options are, as man pages and completions need to know them.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace reprise::cli {

// Those with a name, in the order in which they were added.
std::vector<const CLI::Option*> named_options(const CLI::App& app);
std::vector<const CLI::Option*> positionals(const CLI::App& app);

// "-o", "--output".
std::vector<std::string> names_of(const CLI::Option& option);
bool takes_value(const CLI::Option& option);
// The words that its value is one of; empty if it is something else.
std::vector<std::string> choices_of(const CLI::Option& option);
// What its value is called: "FILE", "KEY=VALUE", "NUMBER".
std::string value_name(const CLI::Option& option);

// Subcommands in the order in which help lists them.
std::vector<const CLI::App*> subcommands(const CLI::App& app);

}  // namespace reprise::cli
