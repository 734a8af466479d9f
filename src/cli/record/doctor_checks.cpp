#include "cli/record/doctor_checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "cli/command.hpp"
#include "cli/make/started_mpi.hpp"
#include "cli/record/doctor_probe.hpp"
#include "cli/record/preload.hpp"
#include "cli/record/preloaded_recorder.hpp"
#include "cli/record/programs.hpp"
#include "cli/record/recorders.hpp"
#include "cli/text.hpp"

namespace reprise::cli {
namespace {

using State = Check::State;

// What an MPI takes of /dev/shm for a rank: Open MPI's btl_vader_segment_size, by default [bytes].
constexpr std::uint64_t kSegment = std::uint64_t{4} << 20;

// A node, and the ranks on it.
struct Node {
  std::uint64_t ranks = 0;
  std::set<int> cores;
  std::optional<std::uint64_t> shared_memory;  // [bytes]
};

class Examiner {
 public:
  explicit Examiner(const std::vector<std::string>& command) : command_(command) {}

  Examination run() {
    if (look_at_words()) look_at_ranks();
    return std::move(out_);
  }

 private:
  void add(const char* name, State state, std::string text) {
    out_.checks.push_back({name, state, std::move(text)});
  }

  // False: there is nothing to run.
  bool look_at_words() {
    if (find_program(command_.front()).empty()) {
      add("command", State::problem,
          command_.front() + " cannot be started (there is no such program); check its name");
      return false;
    }
    if (const std::string program = static_program(command_); !program.empty()) {
      add("program", State::problem,
          program +
              " is linked statically, so that no library can be preloaded into it; link it "
              "dynamically");
      return false;
    }
    const OneMpi program = program_of(command_), launcher = launcher_of(command_);
    const std::string found = find_mpi(command_);
    out_.mpi = found.empty() ? started_mpi(command_) : found;
    if (program.program.empty()) {
      add("program", launcher.program.empty() ? State::warning : State::problem,
          "no word of the command is a program that is linked with an MPI; name it, if a script "
          "starts it");
    } else {
      add("program", State::ok,
          fmt::format("{}, linked dynamically with {}", program.program, name_of_mpi(program.mpi)));
    }
    look_at_launcher(program, launcher);
    return look_at_recorder(!program.program.empty());
  }

  void look_at_launcher(const OneMpi& program, const OneMpi& launcher) {
    if (launcher.program.empty()) {
      add("launcher", program.program.empty() ? State::warning : State::ok,
          "none that is known: the command says how ranks are started");
    } else if (!program.mpi.empty() && program.mpi != launcher.mpi) {
      add("launcher", State::problem,
          fmt::format(
              "{} is of {}: every rank runs as a job of its own; start the program with the "
              "launcher of {}",
              launcher.program, name_of_mpi(launcher.mpi), name_of_mpi(program.mpi)));
    } else {
      add("launcher", State::ok,
          fmt::format("{}, of {}", launcher.program, name_of_mpi(launcher.mpi)));
    }
  }

  // False: there is nothing to preload into.
  bool look_at_recorder(bool has_program) {
    if (out_.mpi.empty()) {
      add("recorder", State::problem,
          "which MPI the program uses is not known; pass --mpi to `reprise record`");
      return false;
    }
    if (out_.mpi == "smpi") {
      const std::string without = smpi_program_without_recorder(command_);
      add("recorder", without.empty() ? State::ok : State::problem,
          without.empty()
              ? "is linked into the program; under SMPI nothing is preloaded, and times "
                "are simulated"
              : without +
                    " does not have the recorder linked in; link it with $(reprise "
                    "link-flags --mpi smpi)");
      return false;
    }
    try {
      add("recorder", State::ok, preloaded_for(out_.mpi, false).library);
    } catch (const CommandError& e) {
      add("recorder", State::problem, e.message);
      return false;
    }
    if (const auto conflict = preload_conflict(command_, is_mpi_program))
      add("variables", State::warning, conflict->what + "; " + conflict->advice);
    return has_program;
  }

  void look_at_ranks() {
    probes_ = probe(command_, out_.mpi);
    if (probes_.empty()) {
      add("ranks", State::problem,
          "no rank was started with a probe in place of the program; see what the launcher "
          "printed");
      return;
    }
    for (const Probe& p : probes_) {
      Node& node = nodes_[p.host];
      ++node.ranks;
      node.cores.insert(p.cores.begin(), p.cores.end());
      node.shared_memory = p.shared_memory;
    }
    add("ranks", State::ok,
        fmt::format("{} on {}", count_text(probes_.size()), counted(nodes_.size(), "node")));
    look_at_preloading();
    look_at_cores();
    look_at_clock();
    look_at_shared_memory();
    for (const auto& [name, n] : nodes_) {
      out_.nodes.push_back({{"name", name}, {"ranks", n.ranks}, {"cores", n.cores.size()}});
      out_.nodes.back()["shared_memory_bytes"] =
          n.shared_memory ? nlohmann::ordered_json(*n.shared_memory) : nlohmann::ordered_json();
    }
  }

  void look_at_preloading() {
    const auto reached = static_cast<std::uint64_t>(
        std::ranges::count_if(probes_, [](const Probe& p) { return p.has_recorder; }));
    if (reached == probes_.size()) return add("preloading", State::ok, "reaches all ranks");
    add("preloading", State::problem,
        fmt::format("reaches {} of {}: the launcher drops LD_PRELOAD, or the nodes do not have the "
                    "recorder's folder; export what `reprise record --print-env` prints where the "
                    "ranks start",
                    count_text(reached), counted(probes_.size(), "rank")));
  }

  void look_at_cores() {
    const auto fewest = std::ranges::min_element(nodes_, {}, [](const auto& n) {
      return static_cast<double>(n.second.cores.size()) / static_cast<double>(n.second.ranks);
    });
    const auto& [name, node] = *fewest;
    const std::string text = fmt::format("{} for {} on {}", counted(node.cores.size(), "core"),
                                         counted(node.ranks, "rank"), name);
    if (node.cores.size() >= node.ranks) return add("cores", State::ok, text);
    add("cores", State::warning,
        text +
            ": ranks wait for each other, and computation seems to take longer; use fewer ranks, "
            "or record with --time none");
  }

  void look_at_clock() {
    const bool everywhere =
        std::ranges::all_of(probes_, [](const Probe& p) { return p.has_counter; });
    add("clock", State::ok,
        everywhere
            ? "tsc, the processor's counter"
            : "monotonic, the system's clock, which takes twice as long to read; the counters "
              "of these processors are not constant");
  }

  void look_at_shared_memory() {
    for (const auto& [name, node] : nodes_) {
      if (!node.shared_memory) {
        return add("/dev/shm", State::warning,
                   name +
                       " has no writable one: MPI may fail, or be slow within a node; "
                       "mount it (in Docker: --shm-size=1g)");
      }
      if (*node.shared_memory < node.ranks * kSegment) {
        return add("/dev/shm", State::warning,
                   fmt::format("{} has {} free for {}, and MPI may take 4 MiB for each; enlarge it "
                               "(in Docker: --shm-size=1g)",
                               name, bytes_text(*node.shared_memory), counted(node.ranks, "rank")));
      }
    }
    const auto least =
        std::ranges::min_element(nodes_, {}, [](const auto& n) { return *n.second.shared_memory; });
    add("/dev/shm", State::ok, bytes_text(*least->second.shared_memory) + " free");
  }

  const std::vector<std::string>& command_;
  Examination out_;
  std::vector<Probe> probes_;
  std::map<std::string, Node> nodes_;
};

}  // namespace

bool Examination::is_ready() const {
  return std::ranges::none_of(checks, [](const Check& c) { return c.state == State::problem; });
}

Examination examine(const std::vector<std::string>& command) { return Examiner(command).run(); }

}  // namespace reprise::cli
