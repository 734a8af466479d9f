// reprise report: a trace as one page for a browser.
#pragma once

#include <CLI/CLI.hpp>

namespace reprise::cli {

void add_report(CLI::App& app);

}  // namespace reprise::cli
