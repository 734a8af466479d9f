// Man pages of the command and its subcommands.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace reprise::cli {

// reprise.1.
std::string man_page_of_program(const CLI::App& app);
// reprise-NAME.1, with the subcommands of the subcommand.
std::string man_page_of(const CLI::App& sub);

}  // namespace reprise::cli
