// Completions of subcommands, options and their values for shells.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace reprise::cli {

// Each completes files where nothing else is known.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace reprise::cli
