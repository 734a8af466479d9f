// Where the recorders are, and which of them a command needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace reprise::cli {

// The folder of the recorders: beside the program in a build tree, or installed. Empty: none.
std::filesystem::path recorder_folder();

// Which MPI the command's program uses: by what it is linked with, else by its launcher. Empty: it
// does not say.
std::string find_mpi(const std::vector<std::string>& command);

// A word of a command, and the MPI that the program of that name belongs to; empty: there is none.
struct OneMpi {
  std::string program, mpi;
};

// Whether a word is a program that is linked dynamically with an MPI.
bool is_mpi_program(const std::string& word);
// The first such word of a command.
OneMpi program_of(const std::vector<std::string>& command);
// The first word that is the launcher of an MPI, whatever it is called.
OneMpi launcher_of(const std::vector<std::string>& command);

// "Open MPI" for openmpi.
std::string name_of_mpi(const std::string& mpi);

// A program of the command that is linked dynamically with an MPI that is not the one named, and
// with which; empty if there is none, or one that is.
OneMpi other_mpi(const std::vector<std::string>& command, const std::string& mpi);

// A program of the command that has MPI linked in, so that nothing can stand before it; empty if
// there is none, or another one that is linked dynamically.
std::string static_program(const std::vector<std::string>& command);

// A program of the command that runs under SMPI and will not be recorded, since the recorder is not
// linked into it; empty if there is none.
std::string smpi_program_without_recorder(const std::vector<std::string>& command);

}  // namespace reprise::cli
