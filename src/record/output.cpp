#include "record/output.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "base/files.hpp"
#include "compress/rank_trace.hpp"
#include "record/channel.hpp"
#include "record/code_reader.hpp"
#include "record/gather.hpp"
#include "record/smpi.hpp"
#include "trace/file.hpp"

namespace reprise::record {
namespace {

constexpr int kMaxNames = 100'000;  // tried for a trace whose name was taken during the run

}  // namespace

Output::Output(const Options& options, PartFile& part, MPI_Comm channel)
    : options_(options),
      part_(part),
      channel_(channel),
      claim_(claim_output(options, part, channel)) {
  PMPI_Comm_rank(channel_, &rank_);
  PMPI_Comm_size(channel_, &size_);
}

bool Output::write(std::optional<compress::Process> process) {
  if (options_.merge) return write_merged(std::move(process));
  if (!process) throw std::runtime_error("no memory");
  return write_own(std::move(*process));
}

bool Output::write_merged(std::optional<compress::Process> process) {
  const auto trace = gather(std::move(process), channel_);
  bool failed = false;
  if (trace) {
    const NoFileSizeSignal no_signal;
    std::string written_to = path();
    const auto written = write_unclaimed(*trace, written_to);
    failed = !written;
    if (failed) {
      error_ = written.error().message;
    } else if (!*written) {
      std::fprintf(stderr,
                   "reprise: %s is not replaced (another program wrote it during the run); the "
                   "trace is %s\n",
                   path().c_str(), written_to.c_str());
      note_claim(claim_.file, written_to);
    }
  }
  return first_failed(failed, channel_) < 0;
}

// Writes the trace to the output or, if another file has taken that name and is not to be
// replaced, to the first free OUTPUT.job-n: then the result is false and `path` that name.
Result<bool> Output::write_unclaimed(const trace::Trace& trace, std::string& path) const {
  if (options_.replace) {
    const Status written = trace::write_trace(trace, path);
    if (!written) return written.error();
    return true;
  }
  for (int n = 1; n < kMaxNames; ++n) {
    path = n == 1 ? claim_.output : claim_.output + ".job-" + std::to_string(n);
    const auto written = trace::write_new_trace(trace, path);
    if (!written) return written.error();
    if (*written) return n == 1;
  }
  return Error{"the trace " + claim_.output + " cannot be written (all names from it to .job-" +
               std::to_string(kMaxNames - 1) + " are taken)"};
}

bool Output::write_own(compress::Process process) {
  const NoFileSizeSignal no_signal;
  const trace::Trace trace = compress::trace_of(std::move(process), read_code);
  const std::string own = path() + "." + std::to_string(rank_);
  std::string why;
  if (options_.replace) {
    const Status written = trace::write_trace(trace, own);
    if (!written) why = written.error().message;
  } else {
    const auto written = trace::write_new_trace(trace, own);
    if (!written) {
      why = written.error().message;
    } else if (!*written) {
      why = own + " is not replaced (another program wrote it during the run)";
    }
  }
  const int first = first_failed(!why.empty(), channel_);
  if (first == rank_) error_ = why;
  return first < 0;
}

void Output::keep_part(bool is_written, std::span<const std::uint8_t> process) {
  const std::string moved =
      kIsOneProcess ? "" : move_part(!is_written || !part_.remains(part()), process);
  if (!error_.empty()) report_unwritten(moved);
}

// Writes a part that is lost, as on a full disk or in a deleted folder, to the folder for temporary
// files. Returns what the names of such parts begin with, on all ranks; empty if there are none.
// Collective.
std::string Output::move_part(bool is_lost, std::span<const std::uint8_t> process) {
  const char* folder = std::getenv("TMPDIR");
  const std::string name(base_name(path()));
  const std::string moved = part_path((folder && *folder ? folder : "/tmp") + ("/" + name),
                                      static_cast<std::uint64_t>(rank_));
  const NoFileSizeSignal no_signal;
  const bool is_kept = is_lost && write_file(moved, process, {.is_synced = false});
  if (is_kept) part_.remove(part());
  if (first_failed(is_kept, channel_) < 0) return {};
  return moved.substr(0, moved.rfind('-') + 1);
}

// Reports why there is no trace and how to merge the parts that remain. `moved`: what the names of
// parts in the folder for temporary files begin with; empty if there are none.
void Output::report_unwritten(const std::string& moved) const {
  std::uint64_t parts = 0;
  for (int r = 0; r < size_; ++r) {
    parts += ::access(part_path(path(), static_cast<std::uint64_t>(r)).c_str(), F_OK) == 0;
  }
  std::string where, words;
  if (parts > 0) {
    where = std::to_string(parts) + " of " + std::to_string(size_) + " parts remain";
    words = " " + path() + ".part-*";
  }
  if (!moved.empty()) {
    where += (where.empty() ? "parts" : ", others") + std::string(" are ") + moved +
             "RANK, each on its node";
    words += " " + moved + "*";
  }
  const std::string remains = words.empty() ? "no part of it remains"
                                            : where +
                                                  "; make a trace of them with\n"
                                                  "  reprise merge -o " +
                                                  path() + words;
  std::fprintf(stderr, "reprise: %s; %s\n", error_.c_str(), remains.c_str());
  note_failure(claim_.file);
}

}  // namespace reprise::record
