// Fuzzes what reads files: traces, the bodies behind their checksums, laws, and parts; and what
// works on whatever can be read: the cursor, the analyses, the merge.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analyze/compare/compare.hpp"
#include "analyze/compare/project.hpp"
#include "analyze/shape.hpp"
#include "analyze/times/time_rows.hpp"
#include "analyze/times/timing_tree.hpp"
#include "analyze/totals/executions.hpp"
#include "analyze/totals/statistics.hpp"
#include "analyze/totals/totals.hpp"
#include "compress/process.hpp"
#include "laws_fuzz.hpp"
#include "program/build.hpp"
#include "simulate_fuzz.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"
#include "write/text/layout.hpp"
#include "write/text/listing.hpp"

namespace {

using reprise::trace::Trace;

constexpr int kMaxCalls = 2000;
constexpr std::uint64_t kMaxStreams = 64;
constexpr std::size_t kColumns = 120;          // as show has them
constexpr std::size_t kMaxElements = 1 << 16;  // of all lists of a stream

// A trace may well say that it holds 2^60 calls; going through them is not what is tested. False:
// the stream has more calls or elements of lists than that.
bool walk(const Trace& trace, std::uint64_t stream) {
  reprise::trace::Cursor cursor(trace, stream);
  std::size_t elements = 0;
  for (int n = 0; cursor.next(); ++n) {
    for (const auto& list : cursor.event().lists) elements += list.size();
    if (n == kMaxCalls || elements > kMaxElements) return false;
  }
  return true;
}

bool is_small(const Trace& trace) {
  if (trace.streams() > kMaxStreams) return false;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    std::uint64_t left = kMaxCalls;
    for (const std::uint64_t n : reprise::analyze::executions(trace, s)) {
      if (n > left) return false;
      left -= n;
    }
    if (!walk(trace, s)) return false;
  }
  return true;
}

void show(const Trace& trace) {
  using namespace reprise;
  const program::Program program = program::explain(trace);
  for (const bool full : {false, true}) {
    (void)write::lay_out(write::list_program(program, {.full = full}).lines);
  }
}

void analyze(const Trace& trace) {
  using namespace reprise::analyze;
  if (!is_small(trace)) return;
  const Totals totals = totals_of(trace);
  (void)statistics_of(trace, totals, Grouping::callpath);
  (void)shape_of(trace);
  show(trace);
  (void)time_rows_of(trace);
  for (const std::uint64_t stream : {std::uint64_t{0}, trace.streams() - 1}) {
    const Trace own = Projector(trace).of(stream);
    show(own);
    if (trace.times.empty()) continue;
    const TimingTree tree(trace, stream);
    (void)tree.at(tree.total() / 2);
  }
  static Trace before = trace;
  (void)compare(before, trace, {});
  before = trace;
}

void look(const Trace& trace) {
  for (const std::uint64_t stream : {std::uint64_t{0}, trace.streams() - 1}) walk(trace, stream);
  if (!trace.sections.empty()) reprise::look_at_laws(trace);
  // What can be read can be written and read again.
  if (!reprise::trace::decode_body(reprise::trace::encode_body(trace), "again")) __builtin_trap();
  if (trace.streams() <= kMaxStreams) reprise::simulate_all(trace);
  analyze(trace);
}

void merge(reprise::compress::Process process) {
  if (process.ranks * process.own.threads > kMaxStreams) return;
  for (const auto& stream : process.streams) {
    if (stream.calls > kMaxCalls) return;
  }
  std::vector<reprise::compress::Process> all;
  all.push_back(std::move(process));
  const Trace merged = reprise::compress::merge_processes(
      std::move(all), [](const auto&, const auto&) { return reprise::trace::Code{}; });
  if (!reprise::trace::decode_body(reprise::trace::encode_body(merged), "merged")) __builtin_trap();
  analyze(merged);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> bytes(data, size);
  constexpr auto kAll = reprise::trace::Accept::scalable_too;
  if (const auto trace = reprise::trace::decode_trace(bytes, "fuzz", kAll)) look(*trace);
  if (const auto trace = reprise::trace::decode_body(bytes, "fuzz")) look(*trace);
  if (auto part = reprise::compress::Process::decode_body(bytes, "fuzz")) merge(std::move(*part));
  return 0;
}
