#include "cli/record/recorders.hpp"

#include <unistd.h>

#include <cstdlib>

#include "cli/record/programs.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {

// The MPI that a program is linked with; empty: none that we know.
std::string linked_mpi(const std::string& program) {
  if (is_static(program)) return {};
  const std::string libraries = needed_libraries(program);
  if (libraries.find("libsimgrid.so") != std::string::npos) return "smpi";
  if (libraries.find("libmpi.so") != std::string::npos ||
      libraries.find("libmpi_") != std::string::npos) {
    return "openmpi";
  }
  return libraries.find("libmpich") != std::string::npos ? "mpich" : "";
}

// The binaries among the words of a command.
std::vector<std::string> binaries(const std::vector<std::string>& command) {
  std::vector<std::string> out;
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    if (!program.empty() && is_binary(program)) out.push_back(program);
  }
  return out;
}

}  // namespace

fs::path recorder_folder() {
  if (const char* given = std::getenv("REPRISE_LIBDIR")) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder : {program.parent_path() / ".." / REPRISE_LIBDIR / "reprise",
                                 program.parent_path() / ".." / "lib"}) {
    for (const char* recorder :
         {"libreprise-openmpi.so", "libreprise-mpich.so", "reprise-smpi.o"}) {
      if (fs::exists(folder / recorder, error)) return fs::weakly_canonical(folder, error);
    }
  }
  return {};
}

std::string find_mpi(const std::vector<std::string>& command) {
  const std::string linked = program_of(command).mpi;
  return linked.empty() ? launcher_of(command).mpi : linked;
}

bool is_mpi_program(const std::string& word) {
  const std::string program = find_program(word);
  return !program.empty() && is_binary(program) && !linked_mpi(program).empty();
}

OneMpi program_of(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    if (program.empty() || !is_binary(program)) continue;
    if (std::string mpi = linked_mpi(program); !mpi.empty()) return {word, std::move(mpi)};
  }
  return {};
}

OneMpi launcher_of(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    if (program.empty()) continue;
    std::error_code error;
    const std::string real = fs::canonical(program, error).filename().string();
    const auto is = [&](const char* name) { return real.find(name) != std::string::npos; };
    if (is("smpirun")) return {word, "smpi"};
    if (is("hydra") || is("mpich")) return {word, "mpich"};
    if (is("orterun") || is("openmpi") || is("prterun")) return {word, "openmpi"};
  }
  return {};
}

std::string name_of_mpi(const std::string& mpi) {
  return mpi == "openmpi" ? "Open MPI" : mpi == "mpich" ? "MPICH" : "SimGrid's SMPI";
}

OneMpi other_mpi(const std::vector<std::string>& command, const std::string& mpi) {
  OneMpi found;
  for (const std::string& program : binaries(command)) {
    const std::string linked = linked_mpi(program);
    if (linked == mpi) return {};
    if (!linked.empty()) found = {program, linked};
  }
  return found;
}

std::string static_program(const std::vector<std::string>& command) {
  std::string found;
  for (const std::string& program : binaries(command)) {
    if (!linked_mpi(program).empty()) return {};
    // Launchers may be static too; a program with MPI in it has its names in messages of errors.
    if (is_static(program) && contains(program, "MPI_Init")) found = program;
  }
  return found;
}

std::string smpi_program_without_recorder(const std::vector<std::string>& command) {
  std::string found;
  for (const std::string& program : binaries(command)) {
    if (linked_mpi(program) != "smpi") continue;
    if (contains(program, "reprise recorder for SMPI")) return {};
    found = program;
  }
  return found;
}

}  // namespace reprise::cli
