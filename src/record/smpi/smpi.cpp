#include "record/smpi/smpi.hpp"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <unistd.h>
#include <xbt/config.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <string_view>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "record/merge/attempt.hpp"
#include "record/merge/channel.hpp"
#include "record/merge/claim.hpp"
#include "record/merge/code_reader.hpp"
#include "record/merge/gather.hpp"
#include "record/objects/handles.hpp"
#include "record/session.hpp"

namespace reprise::record {
namespace {

// What `reprise record` looks for in a program, to know that it will be recorded.
[[gnu::used]] const char kMark[] = "reprise recorder for SMPI";

// [ns]
std::uint64_t machine_now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// The rank that runs, if its computation is measured and no call of it is under way.
Alive* outermost_caller() {
  Board& b = board();
  if (!b.measures) return nullptr;
  const auto found = b.alive.find(present_caller());
  if (found == b.alive.end() || found->second.session->stream().depth > 0) return nullptr;
  return &found->second;
}

}  // namespace

// The ranks' variables are private, their environment is not.
Board& board() {
  static constexpr char kName[] = "REPRISE_SMPI_BOARD";
  static Board* mine = nullptr;
  if (mine) return *mine;
  // With the process's number, since a program may start another one.
  const std::string process = std::to_string(::getpid()) + ":";
  const char* known = std::getenv(kName);
  if (known && std::string_view(known).starts_with(process)) {
    mine = reinterpret_cast<Board*>(std::strtoull(known + process.size(), nullptr, 10));
  } else {
    mine = new Board;
    const std::int64_t run[] = {std::chrono::system_clock::now().time_since_epoch().count(),
                                ::getpid()};
    mine->run = hash_bytes(run, sizeof run);
    mine->measures = sg_cfg_get_boolean("smpi/simulate-computation") != 0;
    mine->threshold =
        static_cast<std::uint64_t>(1e9 * std::max(0.0, sg_cfg_get_double("smpi/cpu-threshold")));
    const std::string text = process + std::to_string(reinterpret_cast<std::uintptr_t>(mine));
    ::setenv(kName, text.c_str(), 1);
  }
  return *mine;
}

std::int64_t present_caller() { return sg_actor_self_get_pid(); }

Session* session_of_caller() {
  const auto found = board().alive.find(present_caller());
  return found == board().alive.end() ? nullptr : found->second.session;
}

std::uint64_t simulated_now() {
  return static_cast<std::uint64_t>(std::llround(simgrid_get_clock() * 1e9));
}

void discard_measured() {
  if (board().measures) smpi_bench_begin();
}

Unmeasured::Unmeasured() {
  const Alive* rank = outermost_caller();
  if (!rank || machine_now() - rank->left < board().threshold) return;
  smpi_bench_end();  // other ranks may run meanwhile
  smpi_bench_begin();
}

Unmeasured::~Unmeasured() {
  Alive* rank = outermost_caller();
  if (!rank) return;
  discard_measured();
  rank->left = machine_now();
}

void lose_all() {
  Board& b = board();
  if (b.shared_globals) return;
  b.shared_globals = true;
  std::fprintf(stderr,
               "reprise: nothing is recorded (the ranks share their global variables); "
               "leave out the option smpi/privatization:no\n");
}

// No message is sent, so that recording takes no simulated time.
MPI_Comm open_channel(MpiModel) { return MPI_COMM_WORLD; }

void close_channel(MPI_Comm, MpiModel) {}

// One process, one run.
Run name_run(MPI_Comm) noexcept { return {board().run, 0}; }

// One process, one command: there is no other claim to the output.
Result<Claim> claim_output(const Options& options, PartFile& part, MPI_Comm comm) noexcept {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return attempt([&] {
    const std::string& output = options.output;
    part.name(output, static_cast<std::uint64_t>(rank));
    return Claim{output, output + "." + std::to_string(rank), {}};
  });
}
void note_claim(const std::string&, const std::string&) {}
void note_failure(const std::string&) {}

// Each rank answers for itself: no message is sent.
int first_failed(bool failed, MPI_Comm comm) noexcept {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return failed ? rank : -1;
}

std::optional<Failure> first_failure(const Status& mine, MPI_Comm comm) noexcept {
  if (mine) return std::nullopt;
  return Failure{first_failed(true, comm), error_of(mine.error()).message};
}

// The last rank to come has the trace. One that ran out of memory is missing in it.
Result<std::optional<trace::Trace>> gather(Result<compress::Process> process,
                                           MPI_Comm comm) noexcept {
  Board& b = board();
  if (b.shared_globals) return std::optional<trace::Trace>();
  return attempt([&]() -> std::optional<trace::Trace> {
    int size = 1;
    PMPI_Comm_size(comm, &size);
    Job& job = b.jobs[handle_bits(comm)];
    ++job.ranks;
    if (process) job.processes.push_back(std::move(*process));
    if (job.ranks < size) return std::nullopt;
    std::vector<compress::Process> all = std::move(job.processes);
    b.jobs.erase(handle_bits(comm));
    if (all.empty()) throw std::bad_alloc();
    return compress::merge_processes(std::move(all), read_code);
  });
}

std::string original_program(const std::string& copy) {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  std::string best;
  std::error_code error;
  for (std::string word; std::getline(words, word, '\0');) {
    const std::string_view name = base_name(word);
    const bool fits =
        !name.empty() && base_name(copy).starts_with(name) && name.size() >= base_name(best).size();
    if (fits && std::filesystem::is_regular_file(word, error)) best = word;
  }
  return best.empty() ? copy : std::filesystem::absolute(best, error).string();
}

}  // namespace reprise::record
