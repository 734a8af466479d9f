#include "report/page_data.hpp"

#include "analyze/times/time_rows.hpp"
#include "analyze/totals/totals.hpp"
#include "base/printable.hpp"
#include "program/build.hpp"
#include "report/engine/kinds.hpp"
#include "trace/calls/places.hpp"
#include "write/text/listing.hpp"

namespace reprise::report {

using nlohmann::ordered_json;

namespace {

ordered_json program_json(const trace::Trace& trace) {
  const program::Program program = program::explain(trace);
  const write::Listing listing = write::list_program(program, {});
  ordered_json lines = ordered_json::array();
  for (const write::Line& line : listing.lines) {
    ordered_json words = ordered_json::array();
    for (const write::Word& w : line.words.list()) {
      // The name of a call is told from its arguments.
      const std::size_t end = w.strong ? std::min(w.text.find('('), w.text.size()) : 0;
      words.push_back({w.text.substr(0, end), w.text.substr(end)});
    }
    lines.push_back(
        {{"depth", line.depth}, {"words", words}, {"place", line.place}, {"calls", line.calls}});
  }
  return {{"ranks", listing.ranks}, {"lines", lines}};
}

// Function, location, file and line of each frame, the last two as far as they are known.
ordered_json frames_json(const trace::Trace& trace) {
  const trace::Places places(trace);
  ordered_json out = ordered_json::array();
  for (std::uint32_t f = 0; f < trace.frames.size(); ++f) {
    const trace::Frame& frame = trace.frames[f];
    const bool is_known = frame.line != 0 && frame.file != 0;
    out.push_back({places.function(f), places.location(f),
                   is_known ? printable(trace.texts[frame.file]) : "", frame.line});
  }
  return out;
}

ordered_json calls_json(const trace::Trace& trace, const analyze::Totals& totals) {
  const trace::Places places(trace);
  std::vector<std::uint64_t> streams(totals.classes.size(), 0);
  for (const std::uint32_t c : totals.class_of) ++streams[c];
  ordered_json out = ordered_json::array();
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Call& call = trace.calls[c];
    std::uint64_t calls = 0, ranks = 0;
    analyze::Volume volume;
    for (std::size_t k = 0; k < streams.size(); ++k) {
      const analyze::CallTotals& of_class = totals.classes[k][c];
      calls += of_class.calls * streams[k];
      ranks += of_class.calls > 0 ? streams[k] : 0;
      volume += of_class.volume * streams[k];
    }
    const trace::Function& function = trace::function(call.function);
    const std::vector<std::uint32_t>& path = trace.callpaths[call.callpath];
    out.push_back({{"function", function.name},
                   {"place", places.text(call.callpath)},
                   {"path", places.path_text(call.callpath)},
                   {"frames", std::vector(path.rbegin(), path.rend())},
                   {"kind", static_cast<int>(kind_of(function))},
                   {"calls", calls},
                   {"streams", ranks},
                   {"bytes_sent", volume[trace::Direction::sent]},
                   {"bytes_received", volume[trace::Direction::received]},
                   {"bytes_written", volume[trace::Direction::written]},
                   {"bytes_read", volume[trace::Direction::read]}});
  }
  return out;
}

ordered_json bins_json(const std::vector<trace::Bin>& bins) {
  ordered_json out = ordered_json::array();
  for (const trace::Bin& b : bins) out.push_back({b.min, b.max, b.count, b.sum});
  return out;
}

// Adds the times of each call [ns], over all streams.
void add_times(ordered_json& calls, const trace::Trace& trace) {
  if (trace.times.empty()) return;
  for (ordered_json& call : calls) call["compute_ns"] = call["mpi_ns"] = 0.0;
  for (const analyze::TimeRow& row : analyze::time_rows_of(trace)) {
    ordered_json& call = calls[row.call];
    const bool is_compute = row.what == analyze::TimeRow::What::compute;
    const char* sum = is_compute ? "compute_ns" : "mpi_ns";
    call[sum] = call[sum].get<double>() + row.total();
    ordered_json one{{"count", row.all.count},     {"mean_ns", row.all.mean()},
                     {"min_ns", row.all.min},      {"max_ns", row.all.max},
                     {"min_rank", row.min_rank},   {"max_rank", row.max_rank},
                     {"bins", bins_json(row.bins)}};
    if (row.from < trace.calls.size()) one["from"] = row.from;
    if (row.balance) {
      one["balance"] = {{"mean_ns", row.balance->mean},
                        {"most_ns", row.balance->most},
                        {"slowest", row.balance->slowest}};
    }
    call[is_compute ? "compute" : "mpi"].push_back(std::move(one));
  }
}

}  // namespace

Result<ordered_json> page_data(const trace::Trace& trace) {
  const analyze::Totals totals = analyze::totals_of(trace);
  if (totals.damaged)
    return Error{"the trace is damaged (a value in it makes no sense); record it again"};
  ordered_json kinds = ordered_json::array();
  for (std::size_t k = 0; k < kKinds; ++k) kinds.push_back(name_of(static_cast<Kind>(k)));
  ordered_json calls = calls_json(trace, totals);
  add_times(calls, trace);
  return ordered_json{{"kinds", kinds},
                      {"frames", frames_json(trace)},
                      {"calls", calls},
                      {"program", program_json(trace)}};
}

}  // namespace reprise::report
