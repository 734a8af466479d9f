#include "convert/mpip/export.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <utility>

#include "base/printable.hpp"
#include "convert/mpip/profile.hpp"
#include "convert/text_file.hpp"
#include "trace/calls/posix.hpp"

namespace reprise::convert::mpip {
namespace {

constexpr std::size_t kTop = 20;  // rows of the aggregate sections, as their titles say
constexpr double kPerSecond = 1e9, kPerMillisecond = 1e6;  // [ns]

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// As mpiP writes it, but in UTC. `seconds` since 1970; 0: unknown.
std::string date_text(std::int64_t seconds) {
  std::tm utc{};
  const auto date = static_cast<std::time_t>(seconds);
  if (seconds <= 0 || gmtime_r(&date, &utc) == nullptr) return "[unknown]";
  return fmt::format("{:%Y %m %d %H:%M:%S}", utc);
}

class Report {
 public:
  Report(const trace::Trace& trace, const Profile& profile, const ReportOptions& options,
         const std::string& path)
      : trace_(trace),
        profile_(profile),
        options_(options),
        to_(path),
        app_time_(sum(profile.app_time())),
        mpi_time_(sum(profile.mpi_time())) {
    for (const CallSite& site : profile.sites()) all_.push_back(profile.totals(site));
  }

  Status write() {
    write_header();
    write_notes();
    for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank)
      write_fact("MPI Task Assignment", fmt::format("{} [unknown]", rank));
    to_.line("");
    write_tasks();
    write_sites();
    write_longest();
    const bool has_sent =
        std::ranges::any_of(all_, [](const SiteTotals& s) { return s.bytes > 0; });
    if (has_sent) write_largest();
    write_times();
    if (has_sent) write_sent();
    write_title("End of Report");
    return to_.close();
  }

 private:
  void write_fact(std::string_view name, std::string_view value) {
    to_.line("@ {:<25}: {}", name, value);
  }

  void write_title(const std::string& title) {
    constexpr std::size_t kWidth = 75;
    const std::string rule(kWidth, '-');
    to_.line("{}", rule);
    to_.line("{:-<{}}", "@--- " + title + " ", kWidth);
    to_.line("{}", rule);
  }

  // mpiP strips what all names have.
  std::string_view name_of(std::size_t site) const {
    return trace::name_in_file(profile_.sites()[site].function);
  }

  void write_header() {
    to_.line("@ mpiP");
    to_.line("@ Command : {} ", printable(trace_.program));
    write_fact("Version", "3.5.0");
    constexpr std::uint64_t kMicrosecondsPerSecond = 1'000'000;
    const auto duration = static_cast<std::int64_t>(trace_.duration / kMicrosecondsPerSecond);
    write_fact("Start time", date_text(trace_.date));
    write_fact("Stop time",
               date_text(trace_.date > 0 ? trace::wrapping_add(trace_.date, duration) : 0));
    write_fact("Timer Used", printable(trace_.timing.clock));
    // Readers take the number of frames of call sites from here.
    write_fact("MPIP env var", fmt::format("-e -k {}", options_.depth));
    write_fact("Report generation", options_.writer);
  }

  // What the trace lacks, or keeps otherwise than mpiP does.
  void write_notes() {
    if (trace_.timing.precision > 0) {
      write_fact("Precision of times",
                 fmt::format("{:g} %", static_cast<double>(trace_.timing.precision) / 1e4));
    }
    if (profile_.has_shared_ranges())
      write_fact("Max and Min of times", "of a rank: over the ranks with similar times");
    if (profile_.has_estimated_sums())
      write_fact("Times of ranks", "estimated: the mean over the ranks with similar times");
    if (profile_.unknown_sizes() > 0) {
      write_fact("Unknown sizes", fmt::format("{} calls, whose sent bytes are counted as 0",
                                              profile_.unknown_sizes()));
    }
    for (const trace::Loss& loss : trace_.losses)
      write_fact("Not recorded", fmt::format("{} {}", loss.count, printable(loss.what)));
  }

  void write_tasks() {
    write_title("MPI Time (seconds)");
    to_.line("{:<4} {:>10} {:>10}    {:>5}", "Task", "AppTime", "MPITime", "MPI%");
    const auto row = [&](const auto& task, double app, double mpi) {
      to_.line("{:>4} {:10.6f} {:10.6f}    {:5.2f}", task, app / kPerSecond, mpi / kPerSecond,
               percent(mpi, app));
    };
    for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank)
      row(rank, profile_.app_time()[rank], profile_.mpi_time()[rank]);
    row("*", app_time_, mpi_time_);
  }

  void write_sites() {
    const std::vector<CallSite>& sites = profile_.sites();
    std::size_t file_width = 18, function_width = 24;  // at least, as in mpiP
    for (const CallSite& site : sites) {
      for (const CallSite::Frame& frame : site.frames) {
        file_width = std::max(file_width, frame.file.size());
        function_width = std::max(function_width, frame.function.size());
      }
    }
    write_title(fmt::format("Callsites: {}", sites.size()));
    to_.line("{:>3} {:>3} {:<{}} {:>5} {:<{}} {}", "ID", "Lev", "File/Address", file_width, "Line",
             "Parent_Funct", function_width, "MPI_Call");
    for (std::size_t s = 0; s < sites.size(); ++s) {
      for (std::size_t level = 0; level < sites[s].frames.size(); ++level) {
        const CallSite::Frame& frame = sites[s].frames[level];
        const std::string_view call = level == 0 ? name_of(s) : "";
        if (frame.function.empty()) {
          // Without a line, which readers tell by the number of words.
          to_.line("{:>3} {:>3} {:<{}} {:<{}} {}", s + 1, level, frame.file, file_width + 6,
                   "[unknown]", function_width, call);
        } else {
          to_.line("{:>3} {:>3} {:<{}} {:>5} {:<{}} {}", s + 1, level, frame.file, file_width,
                   frame.line, frame.function, function_width, call);
        }
      }
    }
  }

  // The sites by what `amount` says of them, the most first; those without any are left out.
  template <class Amount>
  std::vector<std::size_t> top(const Amount& amount) const {
    std::vector<std::size_t> out;
    for (std::size_t s = 0; s < all_.size(); ++s)
      if (amount(all_[s]) > 0) out.push_back(s);
    std::ranges::stable_sort(out, std::ranges::greater(),
                             [&](std::size_t s) { return amount(all_[s]); });
    out.resize(std::min(out.size(), kTop));
    return out;
  }

  void write_longest() {
    write_title("Aggregate Time (top twenty, descending, milliseconds)");
    to_.line("{:<20} {:>4} {:>12}{:>6}  {:>6}     {:>6}", "Call", "Site", "Time  ", "App%", "MPI%",
             "Count");
    for (const std::size_t s : top([](const SiteTotals& t) { return t.time; })) {
      to_.line("{:<20} {:>4} {:10.6f}  {:6.2f}  {:6.2f} {:10}", name_of(s), s + 1,
               all_[s].time / kPerMillisecond, percent(all_[s].time, app_time_),
               percent(all_[s].time, mpi_time_), all_[s].calls);
    }
  }

  void write_largest() {
    double whole = 0;
    for (const SiteTotals& t : all_) whole += static_cast<double>(t.bytes);
    write_title("Aggregate Sent Message Size (top twenty, descending, bytes)");
    to_.line("{:<20} {:>4} {:>10} {:>10} {:>10} {:>6}", "Call", "Site", "Count", "Total", "Avrg",
             "Sent%");
    for (const std::size_t s : top([](const SiteTotals& t) { return t.bytes; })) {
      const auto bytes = static_cast<double>(all_[s].bytes);
      to_.line("{:<20} {:>4} {:>10} {:>10} {:10.3f} {:6.2f}", name_of(s), s + 1, all_[s].calls,
               all_[s].bytes, bytes / static_cast<double>(all_[s].calls), percent(bytes, whole));
    }
  }

  void write_times() {
    const std::vector<CallSite>& sites = profile_.sites();
    std::uint64_t rows = 0;
    for (const CallSite& site : sites) {
      for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank)
        rows += profile_.totals(site, rank).calls > 0;
    }
    write_title(fmt::format("Callsite Time statistics (all, milliseconds): {}", rows));
    to_.line("{:<17} {:>4} {:>4} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6}", "Name", "Site", "Rank",
             "Count", "Max", "Mean", "Min", "App%", "MPI%");
    const auto row = [&](std::size_t s, const auto& rank, const SiteTotals& t, double app,
                         double mpi) {
      to_.line("{:<17} {:>4} {:>4} {:>6} {:8.6f} {:8.6f} {:8.6f} {:6.2f} {:6.2f}", name_of(s),
               s + 1, rank, t.calls, static_cast<double>(t.most) / kPerMillisecond,
               t.time / static_cast<double>(t.calls) / kPerMillisecond,
               static_cast<double>(t.least) / kPerMillisecond, percent(t.time, app),
               percent(t.time, mpi));
    };
    write_by_rank(row);
  }

  void write_sent() {
    write_title("Callsite Message Sent statistics (all, sent bytes)");
    to_.line("{:<17} {:>4} {:>4} {:>7} {:>9} {:>9} {:>9} {:>9}", "Name", "Site", "Rank", "Count",
             "Max", "Mean", "Min", "Sum");
    const auto row = [&](std::size_t s, const auto& rank, const SiteTotals& t, double, double) {
      to_.line("{:<17} {:>4} {:>4} {:>7} {:>9} {:9.3f} {:>9} {:>9}", name_of(s), s + 1, rank,
               t.calls, t.sent.most, static_cast<double>(t.bytes) / static_cast<double>(t.calls),
               t.sent.least, t.bytes);
    };
    write_by_rank(row, [](const SiteTotals& t) { return t.bytes > 0; });
  }

  // A row for each rank that comes to a site, then one for all of them; sites have an empty line in
  // between. Ranks of which `has_row` does not hold are left out.
  template <class Row, class HasRow>
  void write_by_rank(const Row& row, const HasRow& has_row) {
    bool is_first = true;
    for (std::size_t s = 0; s < all_.size(); ++s) {
      if (!has_row(all_[s])) continue;
      if (!std::exchange(is_first, false)) to_.line("");
      SiteTotals written;
      for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank) {
        const SiteTotals t = profile_.totals(profile_.sites()[s], rank);
        if (t.calls == 0 || !has_row(t)) continue;
        written.add(t);
        row(s, rank, t, profile_.app_time()[rank], profile_.mpi_time()[rank]);
      }
      row(s, "*", written, app_time_, mpi_time_);
    }
  }
  template <class Row>
  void write_by_rank(const Row& row) {
    write_by_rank(row, [](const SiteTotals& t) { return t.calls > 0; });
  }

  const trace::Trace& trace_;
  const Profile& profile_;
  const ReportOptions& options_;
  TextFile to_;
  double app_time_, mpi_time_;   // over all ranks [ns]
  std::vector<SiteTotals> all_;  // by site, over all ranks
};

}  // namespace

Status export_report(const trace::Trace& trace, const std::string& path,
                     const ReportOptions& options) {
  const Profile profile(trace, options.depth);
  if (profile.is_damaged()) return Error{"it is damaged: a value in it makes no sense"};
  // Readers refuse a report without call sites.
  if (profile.sites().empty()) return Error{"it has no call between MPI_Init and MPI_Finalize"};
  Report report(trace, profile, options, path);
  return report.write();
}

}  // namespace reprise::convert::mpip
