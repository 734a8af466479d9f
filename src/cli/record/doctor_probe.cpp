#include "cli/record/doctor_probe.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/constant_counter.hpp"
#include "cli/command.hpp"
#include "cli/record/preload.hpp"
#include "cli/record/preloaded_recorder.hpp"
#include "cli/record/programs.hpp"
#include "cli/record/recorders.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

// Begins a line of a probe, before which launchers may put the number of the rank.
constexpr const char* kMark = "reprise-probe: ";
// Launching takes seconds; a launcher that waits for a job to be scheduled takes longer [s].
constexpr const char* kPatience = "120";

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

std::set<int> own_cores() {
  std::set<int> out;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return out;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) out.insert(core);
  }
  return out;
}

std::optional<std::uint64_t> free_shared_memory() {
  struct statvfs fs {};
  if (::access("/dev/shm", W_OK) != 0 || ::statvfs("/dev/shm", &fs) != 0) return std::nullopt;
  return std::uint64_t{fs.f_bavail} * fs.f_frsize;
}

// Whether a library of this name is part of the process.
bool is_loaded(const std::string& library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with("/" + library)) return true;
  }
  return false;
}

// A temporary file that takes what the command prints.
class Capture {
 public:
  Capture() {
    std::string name = (fs::temp_directory_path() / "reprise-doctor-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0) throw CommandError{name + " cannot be made; set TMPDIR to another folder"};
    path_ = name;
    std::fflush(stdout);
    stdout_ = ::dup(STDOUT_FILENO);
    ::dup2(file, STDOUT_FILENO);
    ::close(file);
  }
  ~Capture() {
    ::dup2(stdout_, STDOUT_FILENO);
    ::close(stdout_);
    std::error_code error;
    fs::remove(path_, error);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::string text() const {
    std::ostringstream out;
    out << std::ifstream(path_).rdbuf();
    return out.str();
  }

 private:
  fs::path path_;
  int stdout_ = -1;
};

// The command with the probe for each of its programs, up to the next part of the command.
std::vector<std::string> with_probe(const std::vector<std::string>& command,
                                    const std::string& recorder) {
  std::error_code error;
  const std::string own = fs::read_symlink("/proc/self/exe", error).string();
  std::vector<std::string> out;
  bool is_argument = false;
  for (const std::string& word : command) {
    is_argument = is_argument && word != ":";
    if (is_argument) continue;
    is_argument = is_mpi_program(word);
    if (is_argument) {
      out.insert(out.end(), {own, "doctor", "--probe", recorder});
    } else {
      out.push_back(word);
    }
  }
  if (!find_program("timeout").empty())
    out.insert(out.begin(), {"timeout", "--foreground", kPatience});
  return out;
}

std::optional<Probe> read_probe(const std::string& line) {
  const std::size_t mark = line.find(kMark);
  if (mark == std::string::npos) return std::nullopt;
  const auto json =
      ordered_json::parse(line.substr(mark + std::string(kMark).size()), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Probe out;
  out.host = json.value("host", "?");
  out.has_recorder = json.value("recorder", false);
  out.cores = json.value("cores", std::set<int>());
  out.has_counter = json.value("counter", false);
  if (json.contains("shared_memory"))
    out.shared_memory = json.value("shared_memory", std::uint64_t{0});
  return out;
}

}  // namespace

void print_probe(const std::string& recorder) {
  ordered_json out{{"host", host_name()},
                   {"recorder", is_loaded(recorder)},
                   {"cores", own_cores()},
                   {"counter", has_constant_counter()}};
  if (const auto free = free_shared_memory()) out["shared_memory"] = *free;
  // At once, so that lines of ranks do not mix.
  const std::string line =
      kMark + out.dump(-1, ' ', true, ordered_json::error_handler_t::replace) + "\n";
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) throw CommandError{"", 1};
}

std::vector<Probe> probe(const std::vector<std::string>& command, const std::string& mpi) {
  const Preloaded preloaded = preloaded_for(mpi, false);
  const std::string recorder = fs::path(preloaded.library).filename().string();
  Variables variables;
  preload(mpi, false, variables);
  std::string text;
  {
    const Capture capture;
    run_command(with_probe(with_preloaded(command, preloaded.library, is_mpi_program), recorder),
                variables);
    text = capture.text();
  }
  std::vector<Probe> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (auto one = read_probe(line)) out.push_back(std::move(*one));
  }
  return out;
}

}  // namespace reprise::cli
