// Options that `reprise extrapolate` and `reprise fit` have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "extrapolate/scalable.hpp"

namespace reprise::cli {

// From what laws are found, and how.
struct LawOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> parameters, patterns;
  std::string time_model = "curves";
  bool approximate = false;
};

// REQUIRES: the options outlive the subcommand.
void add_law_options(CLI::App& sub, LawOptions& options);

// "4x3" as programs write it, the dimension that varies fastest last; d0 comes first in what is
// returned. Nothing of an empty text. There must be a place for each rank. These throw
// CommandError.
std::vector<std::int64_t> parse_grid(const std::string& text, std::int64_t ranks);

// What --at says: names and values, in order.
std::vector<std::pair<std::string, std::int64_t>> parse_wanted(
    const std::vector<std::string>& wanted);

// What --param declares, with a value for each of so many inputs, and what --at wants it to be; 0
// where it says nothing.
std::vector<extrapolate::ProblemParameter> declared_parameters(
    const std::vector<std::string>& parameters, const std::vector<std::string>& wanted,
    std::size_t inputs);

// The laws of pattern files, in order. Throws CommandError.
std::vector<extrapolate::Pattern> read_patterns(const std::vector<std::string>& files);

extrapolate::TimeModel time_model_of(const std::string& name);

// Throws CommandError if the file is there and must not be overwritten, or cannot be written.
void check_output(const std::string& path, bool force);

}  // namespace reprise::cli
