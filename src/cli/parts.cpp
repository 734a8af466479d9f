#include "cli/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/files.hpp"
#include "cli/programs.hpp"
#include "code/read_code.hpp"
#include "compress/log_process.hpp"
#include "compress/part_layout.hpp"
#include "compress/part_names.hpp"
#include "compress/rank_trace.hpp"
#include "trace/file.hpp"
#include "trace/unfinished.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {
constexpr std::uint64_t kMaxPart = std::uint64_t{1} << 34;  // [bytes]
constexpr const char* kMark = ".part-";
}  // namespace

Parts parts_of(const std::string& output) {
  return {find_numbered(output, kMark), find_numbered(compress::moved_output(output), kMark)};
}

std::vector<std::string> Parts::all() const {
  std::vector<std::string> out = beside;
  out.insert(out.end(), moved.begin(), moved.end());
  return out;
}

std::string pattern_of(const std::string& output) { return quoted_if_needed(output + kMark) + "*"; }

std::string merge_command(const Parts& parts, const std::string& output) {
  std::error_code error;
  const bool has_folder = fs::is_directory(fs::absolute(output).parent_path(), error);
  std::string name = has_folder ? output : fs::path(output).filename().string();
  if (fs::exists(name, error)) name += ".new";
  std::string out = "reprise merge -o " + quoted_if_needed(name);
  if (!parts.beside.empty()) out += " " + pattern_of(output);
  if (!parts.moved.empty()) out += " " + pattern_of(compress::moved_output(output));
  return out;
}

std::vector<std::string> find_partial_parts(const std::string& output) {
  const fs::path base(output);
  const std::string prefix = base.filename().string() + ".part-";
  const fs::path folder = base.has_parent_path() ? base.parent_path() : fs::path(".");
  std::vector<std::string> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string_view rest;
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) rest = std::string_view(name).substr(prefix.size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || !rest.substr(digits).starts_with(".partial-")) continue;
    out.push_back(entry.path().string());
  }
  return out;
}

namespace {

// A part, or a rank trace.
struct RankInput {
  compress::Process process;
  bool is_part = false;
  std::string program;  // of a trace
};

// Whether a process came to the end of MPI, or to MPI_Abort.
bool has_ended_mpi(const compress::Process& process) {
  return std::ranges::any_of(process.names, [](const std::vector<compress::SiteName>& names) {
    return std::ranges::any_of(names, [](const compress::SiteName& site) {
      const auto function = trace::find_function(site.function);
      return site.function == "MPI_Abort" ||
             (function && trace::ends_mpi(trace::function(*function)));
    });
  });
}

// Notes in a part that says nothing of the end of its process what else is known of it.
void note_end(bool is_running, compress::Process& process) {
  const bool has_signal = std::ranges::any_of(
      process.tails, [](const compress::Tail& tail) { return tail.signal != 0; });
  // Ranks of SMPI are one process: it ends for the reason that one of them gives.
  const bool tells_for_all = process.mpi.starts_with("SMPI");
  if (has_signal || has_ended_mpi(process) || (tells_for_all && !is_running)) return;
  if (process.tails.empty()) process.tails.resize(process.own.threads);
  process.tails.front().signal =
      static_cast<std::uint64_t>(is_running ? trace::kRunning : trace::kVanished);
}

Result<RankInput> read_rank_input(const std::string& name) {
  // Before it is read: the process may end meanwhile. The recorder holds a lock as long as it runs.
  const bool is_running = is_locked(name);
  const auto part = read_file(name, trace::kPartMagic, kMaxPart);
  if (!part) {
    return Error{part.error().message + "; give files that you may read, FILE.part-* or FILE.RANK"};
  }
  if (trace::is_part(*part)) {
    Result<compress::Process> process = compress::PartLayout::read(*part, name);
    if (!process) return process.error();
    note_end(is_running, *process);
    return RankInput{std::move(*process), true, {}};
  }
  if (trace::is_flat_log(name)) {
    return Error{name +
                 " is no part or trace of a rank (logs are merged apart from those); give parts, "
                 "traces of single ranks, or flat logs"};
  }
  const Result<trace::Trace> trace = trace::read_trace(name);
  if (!trace) return trace.error();
  Result<compress::Process> process = compress::process_of(*trace, name);
  if (!process) return process.error();
  return RankInput{std::move(*process), false, trace->program};
}

}  // namespace

Result<trace::Trace> merge_ranks(const std::vector<std::string>& files) {
  std::vector<compress::Process> processes;
  std::set<std::uint64_t> ranks;
  std::string program;
  bool has_parts = false;
  for (const std::string& name : files) {
    Result<RankInput> input = read_rank_input(name);
    if (!input) return input.error();
    const compress::Process& process = input->process;
    const compress::Process& first = processes.empty() ? process : processes.front();
    if (process.run != first.run || process.ranks != first.ranks) {
      return Error{
          fmt::format("{} is not of the run that {} is of (every run marks its parts); merge the "
                      "parts of one run",
                      name, files.front())};
    }
    if (!ranks.insert(process.rank).second) {
      return Error{fmt::format("rank {} comes twice (the second time in {}); name each file once",
                               process.rank, name)};
    }
    has_parts = has_parts || input->is_part;
    if (program.empty()) program = input->program;
    processes.push_back(std::move(input->process));
  }
  if (processes.empty())
    return Error{"there is nothing to merge (no file was given); give FILE.part-*",
                 Error::Kind::usage};
  if (!has_parts && ranks.size() < processes.front().ranks) {
    std::uint64_t missing = 0;
    while (ranks.contains(missing)) ++missing;
    return Error{
        fmt::format("the trace of rank {} is missing (the run had {} ranks); give the "
                    "traces of all of them, FILE.*",
                    missing, processes.front().ranks)};
  }
  trace::Trace out = compress::merge_processes(std::move(processes), code::read_code);
  out.program = program;
  return out;
}

Result<trace::Trace> merge_logs(const trace::FlatLogs& logs) {
  std::vector<compress::Process> processes;
  for (std::uint64_t rank = 0; rank < logs.size(); ++rank) {
    Result<compress::Process> process = compress::process_of_logs(rank, logs.size(), logs[rank]);
    if (!process) return process.error();
    processes.push_back(std::move(*process));
  }
  return compress::merge_processes(std::move(processes), code::read_code);
}

}  // namespace reprise::cli
