// Command lines that are wrong, said as problem (why) suggestion.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace reprise::cli {

// `words` is the command line behind the program's name. REQUIRES: it is not empty.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words);

// The message for a word that is no subcommand.
std::string no_subcommand(const CLI::App& app, const std::string& word);

}  // namespace reprise::cli
