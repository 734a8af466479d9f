#include "record/merge/gather.hpp"

#include <stdexcept>
#include <utility>

#include "record/merge/attempt.hpp"
#include "record/merge/channel.hpp"
#include "record/merge/code_reader.hpp"
#include "record/merge/exchange.hpp"

namespace reprise::record {

using compress::Agreement;
using compress::LoopTree;
using compress::MergedStreams;
using compress::Process;

namespace {

constexpr const char* kOtherLoops = "ranks have found different loops";

// One rank's part in the merge.
class Gathering {
 public:
  Gathering(Result<Process>&& process, MPI_Comm comm) noexcept
      : process_(std::move(process)), comm_(comm) {
    if (!process_) own_ = error_of(process_.error());
    PMPI_Comm_rank(comm_, &rank_);
  }

  // The steps, in this order.
  void agree() noexcept;
  void find_loops() noexcept;
  void merge_streams() noexcept;
  Result<std::optional<trace::Trace>> finish() noexcept;

 private:
  // Work of this rank alone, unless earlier work has failed. Results of other ranks that it needs
  // may be missing though this one has not failed.
  template <class Work>
  void work(Work&& work) noexcept {
    if (own_) own_ = attempt(work);
  }

  Result<Process> process_;
  MPI_Comm comm_;
  int rank_ = 0;
  Status own_;  // what failed on this rank
  std::optional<Agreement> all_;
  std::optional<LoopTree> tree_;
  std::optional<MergedStreams> merged_;  // of all ranks, on rank 0
};

void Gathering::agree() noexcept {
  work([&] { all_ = process_->own; });
  Status reduced = reduce(all_, comm_, [](Agreement& a, const Agreement& b) { a.merge(b); });
  if (own_) own_ = std::move(reduced);
  Bytes bytes;
  if (rank_ == 0 && all_) {
    work([&] {
      all_->set_code(read_code(all_->callpaths, all_->function_of_path()));
      bytes = encode(*all_);
    });
  }
  bytes = broadcast(std::move(bytes), comm_);
  all_.reset();
  if (bytes) work([&] { all_ = decode<Agreement>(*bytes); });
}

void Gathering::find_loops() noexcept {
  Maxima maxima(comm_);
  if (!all_) return;
  work([&] {
    const compress::SiteCode code(all_->code.functions, all_->code_paths());
    tree_ = compress::find_loops(all_->graph, code,
                                 [&](const LoopTree& first, compress::LoopEvidence& evidence) {
                                   process_->show_loops(*all_, first, evidence);
                                   if (!maxima.combine(evidence.numbers))
                                     throw std::runtime_error(kOtherLoops);
                                 });
  });
}

void Gathering::merge_streams() noexcept {
  if (tree_) work([&] { merged_ = process_->lay_out(*all_, *tree_); });
  Status reduced = reduce(merged_, comm_, [](MergedStreams& a, MergedStreams&& b) {
    if (!a.is_like(b)) throw std::runtime_error(kOtherLoops);
    a.append(std::move(b));
  });
  if (own_) own_ = std::move(reduced);
}

Result<std::optional<trace::Trace>> Gathering::finish() noexcept {
  std::optional<trace::Trace> trace;
  if (rank_ == 0 && merged_) {
    work([&] { trace = compress::finish_trace(*process_, *all_, *tree_, std::move(*merged_)); });
  }
  std::optional<Failure> failure = first_failure(own_, comm_);
  if (!failure) {
    const Status last =
        rank_ != 0 || trace ? Status() : error_of("a message between ranks was lost");
    failure = first_failure(last, comm_);
  }
  if (failure) return failure->error();
  return trace;
}

}  // namespace

Result<std::optional<trace::Trace>> gather(Result<Process> process, MPI_Comm comm) noexcept {
  Gathering gathering(std::move(process), comm);
  gathering.agree();
  gathering.find_loops();
  gathering.merge_streams();
  return gathering.finish();
}

}  // namespace reprise::record
