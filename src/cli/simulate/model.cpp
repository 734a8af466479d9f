// reprise model: the time of a program as a formula in ranks, latency and bandwidth.
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <set>

#include "base/output_file.hpp"
#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/say.hpp"
#include "cli/simulate/machine_options.hpp"
#include "cli/simulate/model_report.hpp"
#include "cli/simulate/simulate_report.hpp"
#include "model/model_json.hpp"
#include "model/plot.hpp"
#include "simulate/machine/units.hpp"
#include "trace/calls/one_program.hpp"

namespace reprise::cli {
namespace {

struct ModelOptions {
  std::vector<std::string> files;
  MachineOptions machine;
  std::size_t samples = 200;
  std::uint64_t seed = 1;
  std::string latency = "1us:1ms";
  std::string bandwidth = "10MB/s:100GB/s";
  std::string cpu_ratio = "1";
  std::string sampling = "latin-hypercube";
  std::string output;
  bool force = false;
  bool json = false;
};

struct AtOptions {
  std::string file;
  double ranks = 0;
  std::string latency, bandwidth, cpu_ratio = "1";
  std::string output = "model.svg";
  bool force = false;
  bool json = false;
};

double seconds_of(const std::string& text) {
  const auto ps = simulate::parse_duration(text);
  if (!ps || *ps < 0) {
    throw CommandError{
        fmt::format("'{}' is not a latency (a duration with a unit, 0 or more); write it as 2us",
                    text),
        2};
  }
  return static_cast<double>(*ps) * 1e-12;
}

double bandwidth_of(const std::string& text) {
  const auto ps = simulate::parse_bandwidth(text);
  if (!ps || !(*ps > 0) || *ps > 1e18) {
    throw CommandError{
        fmt::format("'{}' is not a bandwidth (more than 0, with a unit); write it as 10GB/s", text),
        2};
  }
  return 1e12 / *ps;
}

double ratio_of(const std::string& text) {
  const auto v = simulate::parse_ratio(text);
  if (!v) {
    throw CommandError{
        fmt::format("'{}' is not a CPU ratio (it is more than 0); 2 is a processor twice as fast",
                    text),
        2};
  }
  return *v;
}

model::Range range_of(const std::string& text, double (*value)(const std::string&),
                      const char* example) {
  const std::size_t colon = text.find(':');
  const double low = value(text.substr(0, colon));
  const double high = colon == std::string::npos ? low : value(text.substr(colon + 1));
  if (!(low > 0) || high < low) {
    throw CommandError{
        fmt::format("'{}' is not a range (it must ascend, from more than 0); write it as {}", text,
                    example),
        2};
  }
  return {low, high};
}

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  take(file.close());
  say_written(path);
}

model::Model read_model(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file)
    throw CommandError{path + " cannot be opened (is it there?); make it with `reprise model -o`"};
  std::string text;
  char part[65536];
  while (const std::size_t n = std::fread(part, 1, sizeof part, file)) text.append(part, n);
  std::fclose(file);
  return take(model::from_json(text, path));
}

// Where computation has to be told from the rest of alpha, which a simulation does not do.
void warn_of_rest(const model::Model& m) {
  if (model::is_alpha_computation(m)) return;
  say(stderr,
      "reprise: warning: alpha has more than computation (messages within nodes, overheads "
      "and gaps, or files take time of their own): CPU ratios are not exact\n");
}

void fit(const ModelOptions& o) {
  if (o.files.empty())
    throw CommandError{
        "no traces given (a model is fitted to one for each number of ranks); name them", 2};
  check_suffix(o.output, "a model", {".json"});
  if (!o.output.empty()) check_new(o.output, o.force);
  model::SamplingOptions sampling;
  sampling.samples = o.samples;
  sampling.seed = o.seed;
  sampling.latency = range_of(o.latency, seconds_of, "1us:1ms");
  sampling.bandwidth = range_of(o.bandwidth, bandwidth_of, "10MB/s:100GB/s");
  sampling.cpu_ratio = range_of(o.cpu_ratio, ratio_of, "0.5:4");
  sampling.latin_hypercube = o.sampling == "latin-hypercube";
  std::deque<trace::Trace> traces;
  std::vector<std::pair<std::string, const trace::Trace*>> named;
  std::set<std::uint64_t> ranks;
  const simulate::Machine machine = machine_of(o.machine);
  trace::OneProgram program;
  SharedCores cores;
  for (const std::string& file : o.files) {
    traces.push_back(open_trace(file, analyze::Use::states));
    take(program.add(traces.back(), file));
    warn_of_unfinished(traces.back(), file);
    named.emplace_back(file, &traces.back());
    warn_of_losses(traces.back(), file);
    cores.add(traces.back(), file);
    if (!ranks.insert(traces.back().ranks).second)
      throw CommandError{
          fmt::format("{} has the same number of ranks as another trace (a model is fitted to one "
                      "for each number of ranks); leave one out",
                      file)};
    if (Status ok = machine.check(traces.back().ranks); !ok) throw CommandError{ok.error().message};
  }
  cores.warn();
  Progress progress("samples of a trace", o.samples);
  sampling.progress = [&](std::size_t n) { progress.tell(n); };
  const model::Model m = take(model::make_model(named, machine, sampling));
  progress.end();
  warn_of_rest(m);
  if (!o.output.empty()) write_text(o.output, model::to_json(m));
  if (o.json) {
    say("{}", model::to_json(m));
  } else {
    print_model(m);
  }
}

void run_predict(const AtOptions& o) {
  const model::Model m = read_model(o.file);
  if (!(o.ranks >= 1)) throw CommandError{"--ranks is less than 1; give the number of ranks", 2};
  const model::Point point{seconds_of(o.latency), 1 / bandwidth_of(o.bandwidth),
                           ratio_of(o.cpu_ratio)};
  print_prediction(m, model::predict(m, o.ranks, point), o.ranks, point, o.json);
}

void run_plot(const AtOptions& o) {
  check_suffix(o.output, "a picture", {".svg"});
  const model::Model m = read_model(o.file);
  check_new(o.output, o.force);
  const double latency =
      o.latency.empty() ? std::sqrt(m.latency.low * m.latency.high) : seconds_of(o.latency);
  const double bandwidth = o.bandwidth.empty() ? std::sqrt(m.bandwidth.low * m.bandwidth.high)
                                               : bandwidth_of(o.bandwidth);
  write_text(o.output, model::plot_svg(m, latency, bandwidth));
}

void add_predict(CLI::App& model) {
  auto o = std::make_shared<AtOptions>();
  CLI::App* sub =
      model.add_subcommand("predict", "Predict the time from a model, with an interval");
  sub->add_option("file", o->file, "The model")->required();
  sub->add_option("-n,--ranks", o->ranks, "The number of ranks")->required();
  sub->add_option("--latency", o->latency, "The network latency, such as 2us")->required();
  sub->add_option("--bandwidth", o->bandwidth, "The network bandwidth, such as 10GB/s")->required();
  sub->add_option("--cpu-ratio", o->cpu_ratio,
                  "The speed of processors; 2: twice as fast as in the traces")
      ->capture_default_str();
  sub->add_flag("--json", o->json, "Print a JSON document, times in seconds");
  sub->footer(
      "Example: reprise model predict app.json --ranks 64 --latency 2us --bandwidth 10GB/s");
  sub->callback([o] { run_predict(*o); });
}

void add_plot(CLI::App& model) {
  auto o = std::make_shared<AtOptions>();
  CLI::App* sub = model.add_subcommand("plot", "Plot a model as an SVG picture");
  sub->add_option("file", o->file, "The model")->required();
  sub->add_option("-o,--output", o->output, "The picture to write")->capture_default_str();
  sub->add_option("--latency", o->latency,
                  "The latency where it does not vary (default: the middle of the samples)");
  sub->add_option("--bandwidth", o->bandwidth,
                  "The bandwidth where it does not vary (default: likewise)");
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->footer("Example: reprise model plot app.json -o app.svg");
  sub->callback([o] { run_plot(*o); });
}

}  // namespace

void add_model(CLI::App& app) {
  auto o = std::make_shared<ModelOptions>();
  CLI::App* sub = app.add_subcommand(
      "model", "Model the time of a program as a formula in ranks, latency and bandwidth");
  sub->add_option("files", o->files, "Traces of the program, each on a different number of ranks");
  add_machine_file_options(*sub, o->machine);
  sub->add_option("--samples", o->samples, "The number of machines to sample for each trace")
      ->check(CLI::Range(8, 100000))
      ->capture_default_str();
  sub->add_option("--latency", o->latency, "The range of latencies to sample")
      ->capture_default_str();
  sub->add_option("--bandwidth", o->bandwidth, "The range of bandwidths to sample")
      ->capture_default_str();
  sub->add_option("--cpu-ratio", o->cpu_ratio,
                  "The CPU ratio, or a range of them to sample, such as 0.5:4")
      ->capture_default_str();
  sub->add_option("--sampling", o->sampling, "The sampling method")
      ->check(CLI::IsMember({"latin-hypercube", "random"}))
      ->capture_default_str();
  sub->add_option("--seed", o->seed, "Seed for sampling; a different seed gives different samples")
      ->capture_default_str();
  sub->add_option("-o,--output", o->output,
                  "The file to write the model to, for `predict` and `plot`");
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->add_flag("--json", o->json, "Print the model in JSON");
  sub->footer(
      "docs/model.md describes the method and the columns printed.\n\nExamples: reprise model "
      "t4.reprise t9.reprise t16.reprise -o app.json\n"
      "          reprise model predict app.json --ranks 64 --latency 2us --bandwidth 10GB/s");
  sub->require_subcommand(0, 1);
  add_predict(*sub);
  add_plot(*sub);
  sub->callback([o, sub] {
    if (sub->get_subcommands().empty()) fit(*o);
  });
}

}  // namespace reprise::cli
