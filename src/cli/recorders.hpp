// Where the recorders are, and which of them a command needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace reprise::cli {

// The folder of the recorders: beside the program in a build tree, or installed. Empty: none.
std::filesystem::path recorder_folder();

// Where a command of that name is, as a shell finds it; empty: nowhere.
std::string find_program(const std::string& name);

// Which MPI the command's program uses: by what it is linked with, else by its launcher. Empty: it
// does not say.
std::string find_mpi(const std::vector<std::string>& command);

// A program of the command that runs under SMPI and will not be recorded, since the recorder is not
// linked into it; empty if there is none.
std::string smpi_program_without_recorder(const std::vector<std::string>& command);

}  // namespace reprise::cli
