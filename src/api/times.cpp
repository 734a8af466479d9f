// Deltas: durations of calls and of the computation before them.
#include "base/contract.hpp"
#include "reprise/trace.hpp"
#include "trace/program.hpp"

namespace reprise {
namespace {

DurationBin public_bin(const trace::Bin& b) {
  return {b.count, b.sum, b.min, b.max, b.deviation()};
}

std::vector<DurationBin> public_bins(const trace::Histogram& histogram) {
  std::vector<DurationBin> out;
  for (const trace::Bin& b : histogram.bins()) out.push_back(public_bin(b));
  return out;
}

std::uint64_t number_of(const trace::Trace& trace, Stream stream) {
  REPRISE_REQUIRE(stream.rank < trace.ranks && stream.thread < trace.threads);
  return stream.rank * trace.threads + stream.thread;
}

}  // namespace

Delta::Origin Delta::origin() const {
  if (from_ == trace::Path::kStart) return Origin::start;
  return from_ == trace::Path::kAny ? Origin::any : Origin::call;
}

std::size_t Delta::call_before() const {
  REPRISE_REQUIRE(origin() == Origin::call);
  return from_;
}

DurationBin Delta::total() const { return public_bin(times_->total()); }

std::uint64_t Delta::min_rank() const { return times_->min_stream / trace_->threads; }

std::uint64_t Delta::max_rank() const { return times_->max_stream / trace_->threads; }

std::vector<DurationBin> Delta::bins() const { return public_bins(times_->together()); }

std::vector<DurationBin> Delta::bins(Stream stream) const {
  const trace::Histogram* own = times_->class_for(number_of(*trace_, stream));
  return own ? public_bins(*own) : std::vector<DurationBin>();
}

std::uint64_t Delta::count(Stream stream) const {
  return times_->count_of(number_of(*trace_, stream));
}

double Delta::sum(Stream stream) const { return times_->sum_of(number_of(*trace_, stream)); }

bool Delta::has_sums() const { return !times_->sums.empty(); }

std::vector<Delta> Call::deltas() const {
  std::vector<Delta> out;
  if (index_ >= trace_->times.size()) return out;
  const trace::CallTimes& times = trace_->times[index_];
  out.push_back(Delta(trace_, &times.communicate, Delta::Kind::communicate, trace::Path::kAny));
  for (const trace::Path& p : times.paths)
    out.push_back(Delta(trace_, &p.compute, Delta::Kind::compute, p.from));
  return out;
}

bool Trace::has_times() const { return !trace_->times.empty(); }

}  // namespace reprise
