// Starts the program of ours that runs as the ranks of an MPI job: a replay, a coNCePTuaL program.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace reprise::cli {

struct Ranks {
  std::string command;   // of ours that starts it: "replay"
  std::string program;   // "reprise-replay", without the name of an MPI
  std::string what;      // what messages call it: "replay"
  std::string mpi;       // openmpi or mpich
  std::string launcher;  // with its options; empty: the usual one of that MPI
  std::uint64_t ranks = 1;
  std::vector<std::string> words;  // of the program's command line
};

// What the user says of how ranks are started.
struct StartOptions {
  std::string mpi = "auto";
  std::string launcher;
};

// Adds --mpi, with that help, and --launcher.
void add_start_options(CLI::App& sub, StartOptions& options, const std::string& mpi_help);

// The MPI that was asked for; where none was, `likely`, or another one if the program was not built
// for that.
std::string choose_mpi(const StartOptions& asked, const std::string& program,
                       const std::string& likely);

// Reads words as a subcommand with the options of `app` does. False: it does not take them.
bool reads(CLI::App& app, std::vector<std::string> words);

// Becomes the launcher. Returns only by throwing CommandError.
[[noreturn]] void start(const Ranks& ranks);

}  // namespace reprise::cli
