#include "replay/recording.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "trace/calls/predefined.hpp"
#include "trace/file/file.hpp"
#include "trace/file/rank_section.hpp"

namespace reprise::replay {

namespace fs = std::filesystem;
namespace traits = trace::traits;

namespace {

std::string path_of_rank(const std::string& file, std::uint64_t rank) {
  return file + "." + std::to_string(rank);
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The calls of a log that can be replayed.
class LogCalls : public trace::CallSource {
 public:
  LogCalls(const std::string& path, trace::CommNumbering number_of, const Obstacle& obstacle)
      : log_(path, std::move(number_of)), obstacle_(obstacle) {}

  const trace::Event* next() override {
    const trace::Event* event = log_.next();
    if (!event) return nullptr;
    const Status playable = check_event(*event, log_.position(), obstacle_);
    if (playable) return event;
    problem_ = playable.error().message;
    return nullptr;
  }
  std::string problem() const override { return problem_.empty() ? log_.problem() : problem_; }

 private:
  trace::FlatLogSource log_;
  const Obstacle& obstacle_;
  std::string problem_;
};

}  // namespace

// Numbers the communicators of a process, which all its threads share.
class Recording::Numbers {
 public:
  std::int64_t operator()(std::string_view name) {
    const std::lock_guard lock(mutex_);
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    return numbers_.emplace(name, trace::kFirstMadeComm + std::ssize(numbers_)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
};

Form form_of(const std::string& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) return Form::flat_logs;
  return !exists(file) && exists(path_of_rank(file, 0)) ? Form::rank_traces : Form::trace;
}

Result<Layout> layout_of(Form form, const std::string& file) {
  if (form == Form::flat_logs) {
    const Result<trace::FlatLogs> logs = trace::find_flat_logs(file);
    if (!logs) return logs.error();
    return Layout{logs->size(), {}};
  }
  const std::string first = form == Form::trace ? file : path_of_rank(file, 0);
  const Result<trace::Trace> trace = trace::read_trace(first);
  if (!trace) return trace.error();
  for (std::uint64_t r = 0; form == Form::rank_traces && r < trace->ranks; ++r) {
    if (exists(path_of_rank(file, r))) continue;
    return Error{path_of_rank(file, r) + " is missing (the run had " +
                 std::to_string(trace->ranks) + " ranks); replay the traces of all of them"};
  }
  return Layout{trace->ranks, trace->mpi};
}

Result<std::unique_ptr<Recording>> Recording::open(const std::string& file, std::uint64_t rank,
                                                   const Obstacle& obstacle) {
  auto out = std::make_unique<Recording>(form_of(file));
  out->rank_ = rank;
  if (out->form_ == Form::rank_traces && !exists(path_of_rank(file, rank))) {
    const Result<Layout> layout = layout_of(out->form_, file);
    if (!layout) return layout.error();
    out->rank_ = 0;  // more ranks were started, which is reported once MPI runs
  }
  const Status read = out->form_ == Form::flat_logs ? out->read_logs(file, obstacle)
                      : out->form_ == Form::trace
                          ? out->read_trace(file, obstacle)
                          : out->read_trace(path_of_rank(file, out->rank_), obstacle);
  if (!read) return read.error();
  return out;
}

Status Recording::read_trace(const std::string& file, const Obstacle& obstacle) {
  Result<trace::Trace> trace = trace::read_trace(file);
  if (!trace) return trace.error();
  trace_ = std::move(*trace);
  const auto of_run = trace::rank_of(trace_);
  const bool is_own = form_ == Form::rank_traces;
  if (is_own && (!of_run || of_run->rank != rank_)) {
    return Error{file + " is not the trace of rank " + std::to_string(rank_) +
                 " alone (it does not say so); replay traces as `reprise record --merge none` "
                 "names them"};
  }
  if (!is_own && of_run && trace_.ranks > 1) {
    return Error{file + " is the trace of rank " + std::to_string(of_run->rank) +
                 " alone (others would wait for the other ranks); replay the traces of all ranks "
                 "by the name that comes before that number"};
  }
  if (is_own) run_ = of_run->run;
  if (Status playable = is_own ? check(trace_, file, obstacle, rank_, rank_ + 1)
                               : check(trace_, file, obstacle, 0, trace_.ranks);
      !playable) {
    return playable;
  }
  for (const trace::Call& c : trace_.calls) {
    const trace::Function& f = trace::function(c.function);
    has_sessions_ = has_sessions_ || (!(f.traits & traits::kInit) && trace::begins_mpi(f));
    has_files_ = has_files_ || (f.traits & traits::kIo);
  }
  return {};
}

Status Recording::read_logs(const std::string& folder, const Obstacle& obstacle) {
  Result<trace::FlatLogs> logs = trace::find_flat_logs(folder);
  if (!logs) return logs.error();
  if (rank_ >= logs->size()) rank_ = 0;  // more ranks were started, which is said when MPI runs
  logs_ = std::move((*logs)[rank_]);
  trace_.ranks = logs->size();
  trace_.threads = logs_.size();
  obstacle_ = obstacle;
  numbers_ = std::make_shared<Numbers>();
  bool ends = false, ends_world = false;
  for (const std::string& log : logs_) {
    const auto last = trace::last_function(log);
    if (!last) continue;
    ends = ends || trace::ends_mpi(trace::function(*last));
    ends_world = ends_world || (trace::function(*last).traits & traits::kFinalize);
  }
  if (!ends) return no_finalize_error(folder, rank_);
  // Whether files or sessions come is not known, but whether the world lasts from begin to end.
  const auto source = calls(rank_, 0);
  const trace::Event* first = source->next();
  if (!first) return Error{source->problem()};
  has_sessions_ = !ends_world || !(first->function->traits & traits::kInit);
  has_files_ = true;
  return {};
}

std::unique_ptr<trace::CallSource> Recording::calls(std::uint64_t rank,
                                                    std::uint64_t thread) const {
  if (form_ == Form::flat_logs) {
    return std::make_unique<LogCalls>(
        logs_[thread], [numbers = numbers_](std::string_view name) { return (*numbers)(name); },
        obstacle_);
  }
  return std::make_unique<trace::TraceSource>(trace_, rank * trace_.threads + thread);
}

}  // namespace reprise::replay
