#include "cli/record/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/files.hpp"
#include "cli/record/programs.hpp"
#include "code/read_code.hpp"
#include "compress/parts/log_process.hpp"
#include "compress/parts/part_layout.hpp"
#include "compress/parts/part_names.hpp"
#include "compress/parts/rank_trace.hpp"
#include "trace/file/file.hpp"
#include "trace/file/unfinished.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {
constexpr std::uint64_t kMaxPart = std::uint64_t{1} << 34;  // [bytes]
constexpr const char* kPartMark = ".part-";
}  // namespace

Parts parts_of(const std::string& output) {
  return {find_numbered(output + kPartMark),
          find_numbered(compress::moved_output(output) + kPartMark)};
}

std::vector<std::string> Parts::all() const {
  std::vector<std::string> out = beside;
  out.insert(out.end(), moved.begin(), moved.end());
  return out;
}

std::vector<std::uint64_t> running_ranks(const Parts& parts) {
  std::set<std::uint64_t> out;
  for (const std::string& name : parts.all()) {
    if (!is_locked(name)) continue;
    std::uint64_t rank = 0;
    std::from_chars(name.data() + name.rfind('-') + 1, name.data() + name.size(), rank);
    out.insert(rank);
  }
  return {out.begin(), out.end()};
}

std::string pattern_of(const std::string& output) {
  return quoted_if_needed(output + kPartMark) + "*";
}

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
};

// Whether a process has closed MPI as often as it had opened it, or called MPI_Abort.
bool has_ended_mpi(const compress::Process& process) {
  std::uint64_t begins = 0, ends = 0;
  for (const compress::FoldedStream& stream : process.streams) {
    for (const compress::FoldedSite& site : stream.sites) {
      const trace::Function& f = trace::function(site.key.function);
      if (f.traits & trace::traits::kAbort) return true;
      if (trace::begins_mpi(f)) begins += site.executions;
      if (trace::ends_mpi(f)) ends += site.executions;
    }
  }
  return ends > 0 && ends >= begins;
}

// What the lock on a part says of its process, in place of a signal.
std::int64_t end_by_lock(bool is_locked, const std::string& name,
                         const compress::Process& process) {
  if (is_locked) return trace::kRunning;
  // That of a copy, or of a process on another node, cannot be seen.
  const bool can_be_seen = process.lock != 0 && process.lock == lock_identity(name);
  return can_be_seen ? trace::kVanished : trace::kUnseen;
}

// Notes in a part that says nothing of the end of its process what its lock does.
void note_end(std::int64_t end, compress::Process& process) {
  if (process.tails.empty()) process.tails.resize(process.own.threads);
  const bool has_signal = std::ranges::any_of(
      process.tails, [](const compress::Tail& tail) { return tail.signal != 0; });
  // Ranks of SMPI are one process: it ends for the reason that one of them gives.
  const bool tells_for_all = process.mpi.starts_with("SMPI");
  if (has_signal || has_ended_mpi(process) || (tells_for_all && end != trace::kRunning)) return;
  process.tails.front().signal = static_cast<std::uint64_t>(end);
}

Result<RankInput> read_rank_input(const std::string& name) {
  // Before it is read: the process may end meanwhile. The recorder holds a lock as long as it runs.
  const bool is_running = is_locked(name);
  const auto part = read_file(name, trace::kPartMagic, kMaxPart);
  if (!part) {
    return Error{part.error().message +
                 "; check its name, FILE.part-* or FILE.RANK, and permissions"};
  }
  if (trace::is_part(*part)) {
    Result<compress::Process> process = compress::PartLayout::read(*part, name);
    if (!process) return process.error();
    note_end(end_by_lock(is_running, name, *process), *process);
    return RankInput{std::move(*process), true};
  }
  if (trace::is_flat_log(name)) {
    return Error{
        name +
        " is not a part or trace of a rank (logs are merged apart from those); give parts, "
        "traces of single ranks, or flat logs"};
  }
  const Result<trace::Trace> trace = trace::read_trace(name);
  if (!trace) return trace.error();
  Result<compress::Process> process = compress::process_of(*trace, name);
  if (!process) return process.error();
  return RankInput{std::move(*process), false};
}

}  // namespace

Result<trace::Trace> merge_ranks(const std::vector<std::string>& files) {
  std::vector<compress::Process> processes;
  std::set<std::uint64_t> ranks;
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
  return compress::merge_processes(std::move(processes), code::read_code);
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
