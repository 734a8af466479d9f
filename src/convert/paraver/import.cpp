#include "convert/paraver/import.hpp"

#include <filesystem>
#include <utility>

#include "convert/paraver/configuration.hpp"
#include "convert/paraver/thread_calls.hpp"

namespace reprise::convert::paraver {
namespace {

constexpr const char* kLacksOfParaver =
    "imported from Paraver, which has no datatypes (sizes are bytes of MPI_BYTE), no reduction "
    "operations (MPI_BOR), no wildcards (sources and tags are those received), no communicators of "
    "messages (MPI_COMM_WORLD), no calls that made communicators (they are made after MPI_Init), "
    "no "
    "buffers in place, and of requests only when a receive was completed";

constexpr std::uint64_t kRecordsAtOnce = std::uint64_t{1} << 16;  // between reports of progress

class TraceImport {
 public:
  TraceImport(Records& records, const Names& names, const ImportSettings& settings)
      : records_(records),
        settings_(settings),
        comms_(records.header.comms, records.header.threads.size()),
        source_{records, comms_, names},
        regions_(names) {}

  std::vector<compress::Process> read() {
    std::vector<compress::Process> out;
    next();
    for (std::uint32_t task = 0; task < comms_.ranks(); ++task) out.push_back(read_rank(task));
    return out;
  }

  const std::vector<SourceRegion>& regions() const { return regions_.regions(); }

 private:
  void next() {
    record_ = records_.sorter.next();
    if (settings_.progress && ++done_ % kRecordsAtOnce == 0)
      settings_.progress("records folded", done_, records_.size);
  }

  compress::Process read_rank(std::uint32_t task) {
    RankImport import(comms_, task, Creation::at_init, settings_.times);
    CollectiveCounts collectives;
    do read_thread(task, import, collectives);
    while (record_ && record_->task == task);
    return import.finish();
  }

  // Of a task without records, a stream without calls.
  void read_thread(std::uint32_t task, RankImport& import, CollectiveCounts& collectives) {
    CallStream stream = import.begin_stream();
    ThreadCalls calls(source_, regions_, {import.paths(), import.losses(), collectives}, stream,
                      task);
    if (record_ && record_->task == task) {
      const std::uint32_t thread = record_->thread;
      for (; record_ && record_->task == task && record_->thread == thread; next())
        calls.take(*record_);
    }
    calls.finish();
    import.end_stream(stream);
  }

  Records& records_;
  const ImportSettings& settings_;
  SourceComms comms_;
  ThreadCalls::Source source_;
  CallerRegions regions_;
  const Record* record_ = nullptr;  // the next one; null: behind the last
  std::uint64_t done_ = 0;
};

}  // namespace

Result<trace::Trace> import_trace(const std::string& path, const ImportSettings& settings) {
  Records records(settings.scratch);
  if (const Status ok = read_records(path, settings.progress, records); !ok) return ok.error();
  const Names names = Names::read(beside(path, ".pcf"));
  TraceImport import(records, names, settings);
  std::vector<compress::Process> ranks = import.read();
  if (const int error = records.sorter.error(); error != 0) return cannot_sort(path, error);
  SourceNote note;
  note.program = std::filesystem::path(path).stem().string();
  note.origin = "not known; Paraver trace";
  note.lacks = kLacksOfParaver;
  note.date = records.header.date;
  return finish_import(std::move(ranks), import.regions(), note);
}

}  // namespace reprise::convert::paraver
