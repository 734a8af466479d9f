#include "replay/report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/escape.hpp"

namespace reprise::replay {
namespace {

template <class... Args>
std::string print(const char* format, Args... args) {
  char line[512];
  std::snprintf(line, sizeof line, format, args...);
  return line;
}

struct Spread {
  double sum = 0, least = 0, mean = 0, most = 0;
};

Spread spread(const std::vector<Totals>& ranks, double Totals::*field) {
  Spread s;
  for (const Totals& t : ranks) {
    const double v = t.*field;
    s.least = &t == ranks.data() ? v : std::min(s.least, v);
    s.most = std::max(s.most, v);
    s.sum += v;
  }
  s.mean = s.sum / static_cast<double>(std::max<std::size_t>(1, ranks.size()));
  return s;
}

struct Line {
  const char* name;
  double Totals::*field;
};
constexpr Line kTimes[] = {
    {"mpi", &Totals::mpi}, {"compute", &Totals::compute}, {"total", &Totals::total}};

// "Open" of "Open MPI v4.1.4", "MPICH" of "MPICH Version 4.0.2".
std::string implementation(const std::string& mpi) { return mpi.substr(0, mpi.find(' ')); }

// One minus the relative error, 0 at least.
double accuracy_of(double error) { return std::max(0.0, 1 - std::abs(error)); }

}  // namespace

std::vector<Totals> recorded_totals(const trace::Trace& trace) {
  if (trace.times.empty()) return {};
  std::vector<Totals> out(trace.ranks);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    double mpi = 0, compute = 0;
    for (const trace::CallTimes& times : trace.times) {
      mpi += 1e-9 * times.communicate.sum_of(s);
      for (const trace::Path& p : times.paths) compute += 1e-9 * p.compute.sum_of(s);
    }
    Totals& rank = out[s / trace.threads];
    rank.mpi += mpi;
    rank.compute += compute;
    rank.total = std::max(rank.total, mpi + compute);
  }
  return out;
}

std::vector<std::string> differences_of(const trace::Trace& trace, const Options& options,
                                        const std::string& mpi) {
  std::vector<std::string> out;
  if (!options.compute) out.emplace_back("--compute none");
  if (trace.times.empty()) out.emplace_back("the recording has no times");
  if (options.compute_scale != 1 || !options.compute_scale_at.empty())
    out.emplace_back("--compute-scale");
  if (options.message_scale != 1) out.emplace_back("--message-scale");
  if (!trace.mpi.empty() && implementation(trace.mpi) != implementation(mpi))
    out.push_back("recorded with " + trace.mpi);
  return out;
}

std::string Report::text() const {
  std::string out = print("%s: %zu %s, %s\n", file.c_str(), ranks.size(),
                          ranks.size() == 1 ? "rank" : "ranks", mpi.c_str());
  out += print("%.0f calls, %.0f bytes sent\n", spread(ranks, &Totals::calls).sum,
               spread(ranks, &Totals::bytes).sum);
  out += print("%-8s %12s %12s %12s\n", "[s]", "least", "mean", "most");
  for (const Line& line : kTimes) {
    const Spread s = spread(ranks, line.field);
    out += print("%-8s %12.6f %12.6f %12.6f\n", line.name, s.least, s.mean, s.most);
    if (then.empty()) continue;
    const Spread was = spread(then, line.field);
    out += print("%8s %12.6f %12.6f %12.6f\n", "recorded", was.least, was.mean, was.most);
  }
  const double took = spread(ranks, &Totals::total).most;
  out += print("all %.0f calls of the recording were replayed in %.6f s",
               spread(ranks, &Totals::calls).sum, took);
  if (recorded > 0) {
    const double error = (took - recorded) / recorded;
    out += print("; the recording took %.6f s", recorded);
    if (differences.empty())
      out += print(": %+.2f %%, accuracy %.2f %%", 100 * error, 100 * accuracy_of(error));
  }
  out += "\n";
  if (recorded > 0 && !differences.empty()) {
    out += "these times are not comparable (";
    for (const std::string& d : differences) out += (&d == differences.data() ? "" : "; ") + d;
    out += ")\n";
  }
  if (!no_compute.empty()) out += "computation was left out (" + no_compute + ")\n";
  for (const trace::Loss& l : losses)
    out += "not in the recording: " + l.what +
           print(": %llu\n", static_cast<unsigned long long>(l.count));
  return out;
}

std::string Report::json() const {
  std::string out =
      "{\n  \"file\": " + json_string(file) + ",\n  \"mpi\": " + json_string(mpi) + ",\n";
  out += print("  \"ranks\": %zu,\n  \"calls\": %.0f,\n  \"bytes\": %.0f,\n", ranks.size(),
               spread(ranks, &Totals::calls).sum, spread(ranks, &Totals::bytes).sum);
  for (const Line& line : kTimes) {
    const Spread s = spread(ranks, line.field);
    out += print("  \"%s\": {\"least\": %.9g, \"mean\": %.9g, \"most\": %.9g},\n", line.name,
                 s.least, s.mean, s.most);
    if (then.empty()) continue;
    const Spread was = spread(then, line.field);
    out += print("  \"recorded_%s\": {\"least\": %.9g, \"mean\": %.9g, \"most\": %.9g},\n",
                 line.name, was.least, was.mean, was.most);
  }
  const double took = spread(ranks, &Totals::total).most;
  out += print("  \"recorded\": %.9g,\n  \"replayed\": %.9g", recorded, took);
  if (recorded > 0 && differences.empty()) {
    const double error = std::abs(took - recorded) / recorded;
    out += print(",\n  \"error\": %.9g,\n  \"accuracy\": %.9g", error, accuracy_of(error));
  }
  out += ",\n  \"differences\": [";
  for (const std::string& d : differences)
    out += (&d == differences.data() ? "" : ", ") + json_string(d);
  out += "]";
  out += std::string(",\n  \"computes\": ") + (no_compute.empty() ? "true" : "false");
  out += ",\n  \"lost\": {";
  for (const trace::Loss& l : losses) {
    out += &l == losses.data() ? "" : ", ";
    out += json_string(l.what) + print(": %llu", static_cast<unsigned long long>(l.count));
  }
  out += "}";
  return out + "\n}\n";
}

}  // namespace reprise::replay
