// reprise export --format mpip: a report in the form of mpiP.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace reprise::cli {

struct MpipExportOptions {
  std::size_t depth = 1;  // frames that tell call sites apart
  std::string wrappers;
};

// Adds --depth and --wrappers.
void add_mpip_options(CLI::App& app, MpipExportOptions& options);

// Throws CommandError.
void export_mpip(const std::string& file, const std::string& output,
                 const MpipExportOptions& options, bool force);

}  // namespace reprise::cli
