// Runs a command as a shell would: signals reach it, and its exit status comes back.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reprise::cli {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Runs the command with these environment variables besides those that are. SIGTERM, SIGHUP,
// SIGUSR1 and SIGUSR2 are passed on to it; SIGINT and SIGQUIT of a terminal reach it anyway.
// Returns its exit status, 128 + the signal that ended it, or 127 if it could not be started.
int run_command(const std::vector<std::string>& command, const Variables& variables);

}  // namespace reprise::cli
