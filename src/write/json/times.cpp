#include "write/json/times.hpp"

#include "write/json/numbers.hpp"

namespace reprise::write {

using nlohmann::ordered_json;
using trace::Trace;

namespace {

ordered_json delta_json(const Trace& t, const trace::DeltaTimes& d) {
  const trace::Bin all = d.total();
  ordered_json out{{"executions", all.count}};
  if (all.count == 0) return out;
  out["total_ns"] = all.sum;
  out["min_ns"] = all.min;
  out["min_rank"] = d.min_stream / t.threads;
  out["max_ns"] = all.max;
  out["max_rank"] = d.max_stream / t.threads;
  out["concordance"] = d.concordance;
  for (const trace::Histogram& h : d.classes) out["histograms"].push_back(bins_json(h.bins()));
  if (d.classes.size() > 1)
    out["histogram_of"] = series_json(kPlainNumber, d.class_of, t.streams());
  out["counts"] = series_json(kPlainNumber, d.counts, t.streams());
  if (!d.sums.empty()) {
    if (d.sum_step != 0) out["sum_step_ns"] = d.sum_step;
    out["sums"] = series_json(kPlainNumber, d.sums, t.streams());
  }
  return out;
}

// Whence a path leads to a call.
ordered_json origin_json(std::uint32_t from) {
  if (from == trace::Path::kAny) return nullptr;
  if (from == trace::Path::kStart) return "start";
  return from;
}

}  // namespace

ordered_json bins_json(const std::vector<trace::Bin>& bins) {
  ordered_json out = ordered_json::array();
  for (const trace::Bin& b : bins) {
    out.push_back({{"count", b.count},
                   {"sum_ns", b.sum},
                   {"min_ns", b.min},
                   {"max_ns", b.max},
                   {"deviation_ns", b.deviation()}});
  }
  return out;
}

ordered_json times_json(const Trace& t) {
  ordered_json out = ordered_json::array();
  for (const trace::CallTimes& times : t.times) {
    ordered_json compute = ordered_json::array();
    for (const trace::Path& p : times.paths) {
      ordered_json path{{"after", origin_json(p.from)}};
      path.update(delta_json(t, p.compute));
      compute.push_back(std::move(path));
    }
    out.push_back(
        {{"communicate", delta_json(t, times.communicate)}, {"compute", std::move(compute)}});
  }
  return out;
}

}  // namespace reprise::write
