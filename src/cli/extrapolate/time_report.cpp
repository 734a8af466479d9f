#include "cli/extrapolate/time_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/text.hpp"
#include "trace/calls/places.hpp"

namespace reprise::cli {

using extrapolate::FieldReport;
using extrapolate::TimeReport;
using nlohmann::ordered_json;

namespace {

constexpr double kLeast = 1;            // [ns]
constexpr double kWorthSaying = 0.001;  // of all time: what a check lists, in text

double relative(double predicted, double recorded) {
  return recorded > 0 ? predicted / recorded - 1 : 0;
}

std::string change_text(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string interval_text(const fit::Estimate& e) {
  if (e.low == e.high) return duration_text(e.value);
  return fmt::format("{} ({} to {})", duration_text(e.value), duration_text(e.low),
                     duration_text(e.high));
}

ordered_json json_of(const FieldReport& f) {
  return {{"field", f.name},
          {"law_ns", f.law},
          {"value_ns", f.at.value},
          {"low_ns", f.at.low},
          {"high_ns", f.at.high}};
}

ordered_json json_of(const TimeReport& t) {
  ordered_json fields = ordered_json::array(), measured = ordered_json::array();
  for (const FieldReport& f : t.fields) fields.push_back(json_of(f));
  for (std::size_t i = 0; i < t.points.size(); ++i) {
    measured.push_back({{"at", t.points[i]}, {"mean_ns", t.measured[i]}});
  }
  ordered_json out{{"function", t.function}, {"place", t.place}, {"what", t.what},
                   {"measured", measured},   {"fields", fields}, {"shares", t.shares},
                   {"error", t.error},       {"ranks", t.ranks}, {"spread", t.spread},
                   {"modes", t.modes}};
  if (!t.runner_up.empty()) out["runner_up_ns"] = t.runner_up;
  return out;
}

// By function and place, computing and communicating, in order of appearance.
void add_site_times(const trace::Trace& trace, double SiteTimes::*which,
                    std::map<std::pair<std::string, std::string>, SiteTimes>& out) {
  const trace::Places places(trace);
  for (std::size_t c = 0; c < trace.times.size(); ++c) {
    const trace::Call& call = trace.calls[c];
    const std::string function(trace::function(call.function).name);
    SiteTimes& site = out[{function, trace::full_path(trace, call.callpath)}];
    site.function = function;
    site.place = places.text(call.callpath);
    site.*which += static_cast<double>(trace.times[c].communicate.total().sum);
    for (const trace::Path& p : trace.times[c].paths) {
      site.*which += static_cast<double>(p.compute.total().sum);
    }
  }
}

}  // namespace

std::string times_text(const std::vector<TimeReport>& times, std::int64_t ranks,
                       const std::string& why_none) {
  if (!why_none.empty()) return fmt::format("no times: {}\n", why_none);
  if (times.empty()) return "no times\n";
  Table table(
      {"time", "at " + counted(static_cast<std::uint64_t>(ranks), "rank"), "ranks", "law [ns]"}, 4);
  std::size_t nothing = 0;
  for (const TimeReport& t : times) {
    const FieldReport& mean = t.fields.front();
    if (mean.at.high < kLeast) {
      ++nothing;
      continue;
    }
    std::string law = mean.law;
    if (!t.runner_up.empty()) law += "; or " + t.runner_up;
    if (t.points.size() == 1) law += " (of one trace)";
    table.add({fmt::format("{}: {}", trace::call_in_place(t.function, t.place), t.what),
               interval_text(mean.at), t.ranks, law});
  }
  const std::string rest =
      nothing == 0 ? "" : counted(nothing, "more time") + " of less than a nanosecond\n";
  return table.text() + rest;
}

ordered_json times_json(const std::vector<TimeReport>& times, std::int64_t ranks,
                        const std::string& why_none) {
  ordered_json list = ordered_json::array();
  for (const TimeReport& t : times) list.push_back(json_of(t));
  ordered_json out{{"ranks", ranks}, {"laws", list}};
  if (!why_none.empty()) out["why_none"] = why_none;
  return out;
}

TimeCheck check_times(const trace::Trace& predicted, const trace::Trace& recorded) {
  std::map<std::pair<std::string, std::string>, SiteTimes> sites;
  add_site_times(predicted, &SiteTimes::predicted, sites);
  add_site_times(recorded, &SiteTimes::recorded, sites);
  TimeCheck out;
  for (auto& [name, site] : sites) {
    out.predicted += site.predicted;
    out.recorded += site.recorded;
    out.sites.push_back(std::move(site));
  }
  std::ranges::stable_sort(out.sites, std::ranges::greater(), &SiteTimes::recorded);
  out.predicted_duration = 1e3 * static_cast<double>(predicted.duration);
  out.recorded_duration = 1e3 * static_cast<double>(recorded.duration);
  return out;
}

std::string check_text(const TimeCheck& check) {
  Table table({"time at", "place", "predicted", "recorded", "error"}, 2);
  std::size_t left_out = 0;
  for (const SiteTimes& s : check.sites) {
    if (std::max(s.predicted, s.recorded) < kWorthSaying * check.recorded) {
      ++left_out;
      continue;
    }
    table.add({s.function, s.place, duration_text(s.predicted), duration_text(s.recorded),
               change_text(relative(s.predicted, s.recorded))});
  }
  std::string out = table.text();
  if (left_out > 0) {
    out += fmt::format("{} of less than {:.1f} % of all time\n",
                       counted(left_out, "more call site"), 100 * kWorthSaying);
  }
  return out + fmt::format(
                   "all ranks together {} predicted, {} recorded: {}\n"
                   "the run {} predicted, {} recorded: {}\n",
                   duration_text(check.predicted), duration_text(check.recorded),
                   change_text(relative(check.predicted, check.recorded)),
                   duration_text(check.predicted_duration), duration_text(check.recorded_duration),
                   change_text(relative(check.predicted_duration, check.recorded_duration)));
}

ordered_json check_json(const TimeCheck& check) {
  ordered_json sites = ordered_json::array();
  for (const SiteTimes& s : check.sites) {
    sites.push_back({{"function", s.function},
                     {"place", s.place},
                     {"predicted_ns", s.predicted},
                     {"recorded_ns", s.recorded},
                     {"error", relative(s.predicted, s.recorded)}});
  }
  return {{"predicted_ns", check.predicted},
          {"recorded_ns", check.recorded},
          {"error", relative(check.predicted, check.recorded)},
          {"predicted_duration_ns", check.predicted_duration},
          {"recorded_duration_ns", check.recorded_duration},
          {"duration_error", relative(check.predicted_duration, check.recorded_duration)},
          {"sites", sites}};
}

}  // namespace reprise::cli
