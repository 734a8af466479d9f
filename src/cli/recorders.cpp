#include "cli/recorders.hpp"

#include <elf.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace reprise::cli {

namespace fs = std::filesystem;

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

namespace {

bool is_elf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char magic[SELFMAG];
  return file.read(magic, SELFMAG) &&
         std::string_view(magic, SELFMAG) == std::string_view(ELFMAG, SELFMAG);
}

bool contains(const std::string& path, std::string_view text) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return bytes.find(text) != std::string::npos;
}

// What the dynamic linker would load for a program, by name.
std::string needed_libraries(const std::string& program) {
  const std::string quoted = "'" + program + "'";
  std::FILE* pipe = ::popen(("LD_TRACE_LOADED_OBJECTS=1 " + quoted + " 2>/dev/null").c_str(), "r");
  if (!pipe) return {};
  std::string out;
  char buffer[4096];
  while (std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  ::pclose(pipe);
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
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    std::error_code error;
    if (program.empty() || !fs::is_regular_file(program, error) || !is_elf(program)) continue;
    if (contains(program, "libsimgrid.so")) return "smpi";
    const std::string libraries = needed_libraries(program);
    if (libraries.find("libmpi.so") != std::string::npos ||
        libraries.find("libmpi_") != std::string::npos) {
      return "openmpi";
    }
    if (libraries.find("libmpich") != std::string::npos) return "mpich";
  }
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    if (program.empty()) continue;
    std::error_code error;
    const std::string real = fs::canonical(program, error).filename().string();
    if (real.find("smpirun") != std::string::npos) return "smpi";
    if (real.find("hydra") != std::string::npos || real.find("mpich") != std::string::npos)
      return "mpich";
    if (real.find("orterun") != std::string::npos || real.find("openmpi") != std::string::npos)
      return "openmpi";
  }
  return {};
}

std::string smpi_program_without_recorder(const std::vector<std::string>& command) {
  std::string found;
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    std::error_code error;
    if (program.empty() || !fs::is_regular_file(program, error) || !is_elf(program)) continue;
    if (!contains(program, "libsimgrid.so")) continue;
    if (contains(program, "reprise recorder for SMPI")) return {};
    found = program;
  }
  return found;
}

}  // namespace reprise::cli
