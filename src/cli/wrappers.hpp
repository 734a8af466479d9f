// The option --wrappers: which functions are not where a call stands, but how it gets to MPI.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

// Adds the option; what the user says is then in `wrappers`.
void add_wrappers_option(CLI::App& sub, std::string& wrappers);

// Makes those the wrappers of the trace: "auto" leaves what was found when it was written, "none"
// takes all away, and names with commas stand for themselves, beside what was found if "auto" is
// among them. Throws CommandError for a name that no function on a call path has.
void set_wrappers(trace::Trace& trace, const std::string& wrappers, const std::string& file);

}  // namespace reprise::cli
