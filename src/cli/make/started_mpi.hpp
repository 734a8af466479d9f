// Which MPI a command brings up that is `reprise replay` or `reprise run` itself: neither it nor a
// launcher among its words is linked with one.
#pragma once

#include <string>
#include <vector>

namespace reprise::cli {

// Empty: the command is something else, or does not say.
std::string started_mpi(const std::vector<std::string>& command);

// Of the words behind the name of the subcommand; empty: they are not what it takes.
std::string replay_mpi(std::vector<std::string> words);
std::string run_mpi(std::vector<std::string> words);

}  // namespace reprise::cli
