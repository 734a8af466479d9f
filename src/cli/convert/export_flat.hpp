// reprise export of formats that other people's viewers read: the calls as they were, with times.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace reprise::cli {

struct FlatExportOptions {
  std::string ranks;        // "4-7"; empty: all
  std::string from, until;  // "2.5s"; empty: the whole run
};

// Adds --ranks, --from and --until.
void add_flat_options(CLI::App& sub, FlatExportOptions& options);

// Whether any of these options was given: other formats are of the whole run.
bool has_range(const FlatExportOptions& options);

bool is_flat_format(const std::string& format);

// Throws CommandError.
void export_flat(const std::string& file, const std::string& format, const std::string& output,
                 const FlatExportOptions& options, bool force);

}  // namespace reprise::cli
