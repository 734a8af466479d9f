// reprise record: runs an MPI program under the recorder.
#include <elf.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "analyze/symbolise.hpp"
#include "cli/command.hpp"
#include "cli/parts.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct RecordOptions {
  std::string output = "trace.reprise";
  std::string mpi = "auto";
  std::string callpaths = "full";
  std::string merge = "all";
  std::string flat;
  bool print_env = false;
  bool force = false;
  std::vector<std::string> command;
};

// The folder of the recorders: beside the program in a build tree, or installed.
fs::path recorder_folder() {
  if (const char* given = std::getenv("REPRISE_LIBDIR")) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder : {program.parent_path() / ".." / REPRISE_LIBDIR / "reprise",
                                program.parent_path() / ".." / "lib"}) {
    for (const char* mpi : {"openmpi", "mpich"}) {
      if (fs::exists(folder / fmt::format("libreprise-{}.so", mpi), error)) {
        return fs::weakly_canonical(folder, error);
      }
    }
  }
  return {};
}

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

// What the dynamic linker would load for a program, by name; nothing if it is none.
std::string needed_libraries(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  char magic[SELFMAG];
  if (!file.read(magic, SELFMAG) || std::string_view(magic, SELFMAG) != std::string_view(ELFMAG, SELFMAG)) return {};
  const std::string quoted = "'" + program + "'";
  std::FILE* pipe = ::popen(("LD_TRACE_LOADED_OBJECTS=1 " + quoted + " 2>/dev/null").c_str(), "r");
  if (!pipe) return {};
  std::string out;
  char buffer[4096];
  while (std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
  ::pclose(pipe);
  return out;
}

// Which MPI the command's program uses: by what it is linked with, else by its launcher.
std::string find_mpi(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    const std::string program = find_program(word);
    std::error_code error;
    if (program.empty() || !fs::is_regular_file(program, error)) continue;
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
    if (real.find("hydra") != std::string::npos || real.find("mpich") != std::string::npos) return "mpich";
    if (real.find("orterun") != std::string::npos || real.find("openmpi") != std::string::npos) return "openmpi";
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> environment(const RecordOptions& o) {
  std::string mpi = o.mpi;
  if (mpi == "auto") mpi = find_mpi(o.command);
  if (mpi.empty()) {
    throw CommandError{"cannot tell which MPI the program uses (no program of the command is linked with Open MPI "
                       "or MPICH); say it with --mpi openmpi or --mpi mpich"};
  }
  const fs::path folder = recorder_folder();
  const fs::path library = folder / fmt::format("libreprise-{}.so", mpi);
  std::error_code error;
  if (folder.empty() || !fs::exists(library, error)) {
    throw CommandError{fmt::format("there is no recorder for {} (it was not installed when reprise was built); "
                                   "install it and build again", mpi)};
  }
  // The dynamic linker splits LD_PRELOAD at spaces, but the folders that it searches at colons only.
  const bool splits = library.string().find_first_of(" \t") != std::string::npos;
  std::string preload = splits ? library.filename().string() : library.string();
  if (const char* before = std::getenv("LD_PRELOAD"); before && *before) preload += std::string(":") + before;
  std::vector<std::pair<std::string, std::string>> out{
      {"LD_PRELOAD", preload},
      {"REPRISE_OUTPUT", fs::absolute(o.output).string()},
      {"REPRISE_CALLPATHS", o.callpaths},
      {"REPRISE_MERGE", o.merge}};
  if (splits) {
    std::string folders = folder.string();
    if (const char* before = std::getenv("LD_LIBRARY_PATH"); before && *before) folders += std::string(":") + before;
    out.emplace_back("LD_LIBRARY_PATH", folders);
  }
  if (!o.flat.empty()) out.emplace_back("REPRISE_FLAT", fs::absolute(o.flat).string());
  return out;
}

int run_command(const RecordOptions& o, const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<char*> words;
  for (const std::string& w : o.command) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  // Signals of the terminal reach the program itself; we wait for it to end.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  const pid_t child = ::fork();
  if (child < 0) throw CommandError{"cannot start the command (fork failed)"};
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGQUIT, SIG_DFL);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(words[0], words.data());
    fmt::print(stderr, "reprise: {} cannot be started ({})\n", words[0], std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void finish_trace(const RecordOptions& o, trace::Trace trace) {
  trace.program = fmt::format("{}", fmt::join(o.command, " "));
  analyze::symbolise(trace);
  const Status written = trace::write_trace(trace, o.output);
  if (!written) throw CommandError{written.error().message};
}

void run(const RecordOptions& o) {
  if (o.print_env) {
    for (const auto& [name, value] : environment(o)) fmt::print("export {}='{}'\n", name, value);
    return;
  }
  if (o.command.empty()) throw CommandError{"there is no command to record; give it after --, as in: reprise record -- mpirun -n 4 ./app", 2};
  std::error_code error;
  if (fs::exists(o.output, error) && !o.force) {
    throw CommandError{fmt::format("{} exists (nothing is overwritten unasked); add --force, or choose another -o", o.output)};
  }
  const auto variables = environment(o);
  if (!find_parts(o.output).empty() && !o.force) {
    throw CommandError{fmt::format("{}.part-* exist (an earlier run ended early); merge them with `reprise merge`, "
                                   "or add --force", o.output)};
  }
  fs::remove(o.output, error);
  for (const std::string& part : find_parts(o.output)) fs::remove(part, error);
  if (!o.flat.empty()) fs::create_directories(o.flat, error);
  const int status = run_command(o, variables);
  const std::vector<std::string> parts = find_parts(o.output);
  if (fs::exists(o.output, error)) {
    finish_trace(o, take(trace::read_trace(o.output)));
  } else if (!parts.empty()) {
    fmt::print(stderr, "reprise: the program ended before MPI_Finalize; {} has what happened until then\n", o.output);
    finish_trace(o, take(merge_parts(parts)));
    for (const std::string& part : parts) fs::remove(part, error);
  } else if (o.merge == "all") {
    throw CommandError{"no MPI call was recorded (the program did not reach MPI_Init, is statically linked, "
                       "or its launcher dropped LD_PRELOAD); see `reprise record -h`", status ? status : 1};
  }
  if (status != 0) throw CommandError{"", status};
}

}  // namespace

void add_record(CLI::App& app) {
  auto o = std::make_shared<RecordOptions>();
  CLI::App* sub = app.add_subcommand("record", "Run an MPI program and record what it says to the network");
  sub->add_option("-o,--output", o->output, "The trace to write")->capture_default_str();
  sub->add_option("--mpi", o->mpi, "The MPI that the program uses")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))->capture_default_str();
  sub->add_option("--callpaths", o->callpaths, "How much of the way to each call is kept")
      ->check(CLI::IsMember({"full", "site", "none"}))->capture_default_str();
  sub->add_option("--merge", o->merge, "One trace for all ranks, or one for each")
      ->check(CLI::IsMember({"all", "none"}))->capture_default_str();
  sub->add_option("--flat", o->flat, "Also write a plain log of every call of every rank into this folder");
  sub->add_flag("--print-env", o->print_env, "Print the environment that records, for batch scripts");
  sub->add_flag("--force", o->force, "Overwrite the output");
  sub->add_option("command", o->command, "The program and its launcher, after --");
  sub->footer("Example: reprise record -o app.reprise -- mpirun -n 16 ./app");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
