#include "record/merge/output.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "compress/parts/part_names.hpp"
#include "compress/parts/rank_trace.hpp"
#include "record/merge/attempt.hpp"
#include "record/merge/channel.hpp"
#include "record/merge/code_reader.hpp"
#include "record/merge/gather.hpp"
#include "record/smpi/smpi.hpp"
#include "trace/file/file.hpp"

namespace reprise::record {
namespace {

constexpr int kMaxNames = 100'000;  // tried for a trace whose name was taken during the run

// A reason in a whole sentence.
Error unwritten(const std::string& path, const Error& why) noexcept {
  try {
    return Error{"the trace " + path + " cannot be written (" + why.message + ")"};
  } catch (const std::exception&) {
    return error_of(why);
  }
}

}  // namespace

Output::Output(const Options& options, PartFile& part, MPI_Comm channel)
    : options_(options), part_(part), channel_(channel) {
  PMPI_Comm_rank(channel_, &rank_);
  PMPI_Comm_size(channel_, &size_);
}

Status Output::claim() noexcept {
  Result<Claim> claimed = claim_output(options_, part_, channel_);
  if (!claimed) return error_of(claimed.error());
  claim_ = std::move(*claimed);
  return {};
}

void Output::withdraw() noexcept {
  if (part_.is_open()) part_.remove();
  if (rank_ == 0) note_failure(claim_.file);
}

bool Output::write(Result<compress::Process> process) noexcept {
  const Status mine =
      options_.merge ? write_merged(std::move(process)) : write_own(std::move(process));
  std::optional<Failure> failure = first_failure(mine, channel_);
  if (failure && (rank_ == 0 || kIsOneProcess)) error_ = std::move(failure->why);
  return !failure;
}

Status Output::write_merged(Result<compress::Process> process) noexcept {
  const Result<std::optional<trace::Trace>> trace = gather(std::move(process), channel_);
  if (!trace) return unwritten(path(), trace.error());
  Status written;
  const Status made = attempt([&] {
    if (*trace) written = put_merged(**trace);
  });
  if (!made) return unwritten(path(), made.error());
  return written;
}

Status Output::put_merged(const trace::Trace& trace) const {
  const NoFileSizeSignal no_signal;
  std::string written_to = path();
  const Result<bool> written = write_unclaimed(trace, written_to);
  if (!written) return written.error();
  if (!*written) {
    std::fprintf(stderr,
                 "reprise: %s is not replaced (another program wrote it during the run); the "
                 "trace is %s\n",
                 path().c_str(), written_to.c_str());
    note_claim(claim_.file, written_to);
  }
  return {};
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

Status Output::write_own(Result<compress::Process> process) const noexcept {
  if (!process) return unwritten(claim_.own, process.error());
  Status written;
  const Status made = attempt([&] { written = put_own(std::move(*process)); });
  if (!made) return unwritten(claim_.own, made.error());
  return written;
}

Status Output::put_own(compress::Process process) const {
  const NoFileSizeSignal no_signal;
  const trace::Trace trace = compress::trace_of(std::move(process), read_code);
  if (options_.replace) return trace::write_trace(trace, claim_.own);
  const Result<bool> written = trace::write_new_trace(trace, claim_.own);
  if (!written) return written.error();
  if (!*written)
    return Error{claim_.own + " is not replaced (another program wrote it during the run)"};
  return {};
}

void Output::keep_part(bool is_written, std::span<const std::uint8_t> process) noexcept {
  const bool is_lost = !kIsOneProcess && !(is_written && part_.remains());
  if (is_lost && !process.empty()) {
    (void)attempt([&] { return part_.write(process); });
  }
  const bool are_moved = first_failed(part_.is_moved(), channel_) >= 0;
  if (error_.empty()) return;
  note_failure(claim_.file);
  const Status reported = attempt([&] { report_unwritten(are_moved); });
  if (reported) return;
  // The same for which no memory is needed.
  std::fprintf(stderr,
               "reprise: the trace %s cannot be written (%s); make a trace of the parts with\n"
               "  reprise merge -o %s %s.part-*\n",
               path().c_str(), error_.c_str(), path().c_str(), path().c_str());
}

// Reports why there is no trace and how to merge the parts that remain. `are_moved`: some are in
// the folder for temporary files.
void Output::report_unwritten(bool are_moved) const {
  std::uint64_t parts = 0;
  for (int r = 0; r < size_; ++r) {
    parts +=
        ::access(compress::part_path(path(), static_cast<std::uint64_t>(r)).c_str(), F_OK) == 0;
  }
  std::string where, words;
  if (parts > 0) {
    where = std::to_string(parts) + " of " + std::to_string(size_) + " parts remain";
    words = " " + path() + ".part-*";
  }
  if (are_moved) {
    const std::string& own = part_.moved_path();
    const std::string moved = own.substr(0, own.rfind('-') + 1);
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
}

}  // namespace reprise::record
