// reprise generate: the source of a benchmark from a trace.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/output_file.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate/scalable.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/record/outputs.hpp"
#include "cli/record/symbolize.hpp"
#include "cli/say.hpp"
#include "generate/c_language.hpp"
#include "generate/language.hpp"
#include "scalable/conceptual.hpp"
#include "scalable/explain.hpp"
#include "write/python/write.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 20;

struct GenerateOptions {
  std::string file;
  std::string language;
  std::string output;
  std::string substitutes = "own";
  std::string detail = "exact";
  std::string times = "full";
  bool exact = false;
  bool single_file = false;
  bool force = false;
};

std::vector<std::string> language_names() {
  std::vector<std::string> out;
  for (const generate::Language* l : generate::languages()) out.emplace_back(l->name());
  return out;
}

std::vector<std::string> times_names() {
  return {write::times::kDetailNames.begin(), write::times::kDetailNames.end()};
}

// The language of a file's suffix; null if there is none.
const generate::Language* language_of_suffix(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  const auto all = generate::languages();
  const auto found = std::ranges::find(all, suffix, &generate::Language::suffix);
  return found == all.end() ? nullptr : *found;
}

// "c has .c, conceptual .ncptl, python .py".
std::string suffixes_text() {
  std::string out;
  for (const generate::Language* l : generate::languages()) {
    out += out.empty() ? fmt::format("{} has {}", l->name(), l->suffix())
                       : fmt::format(", {} {}", l->name(), l->suffix());
  }
  return out;
}

// The language of the output's suffix; C without a suffix.
std::string language_of(const std::string& output) {
  if (const generate::Language* l = language_of_suffix(output)) return std::string(l->name());
  const std::string suffix = fs::path(output).extension().string();
  if (suffix.empty()) return "c";
  throw CommandError{fmt::format("no language has the suffix {} of {} ({}); choose another -o, or "
                                 "add --language",
                                 suffix, output, suffixes_text()),
                     2};
}

// Refuses an output whose suffix is that of a language other than the chosen one.
void check_suffix(const GenerateOptions& o) {
  const generate::Language* other = language_of_suffix(o.output);
  if (other == nullptr || other->name() == o.language) return;
  throw CommandError{
      fmt::format("--language {} and -o {} contradict each other ({}); change one, or leave out "
                  "--language",
                  o.language, o.output, suffixes_text()),
      2};
}

// Beside the trace, in the working folder: app.reprise becomes app.c.
std::string output_of(const GenerateOptions& o, const generate::Language& language) {
  if (!o.output.empty()) return o.output;
  return fs::path(o.file).stem().string() + std::string(language.suffix());
}

void write_text(const std::string& text, const std::string& path) {
  OutputFile file(path);
  file.write(text);
  take(file.close());
}

// A program on the terminal is whole.
bool is_single_file(const GenerateOptions& o) { return o.single_file || o.output == "-"; }

// What the program needs stands beside it. Programs may share it: the same text is left alone.
std::string path_of(const generate::Companion& companion, const std::string& output) {
  return (fs::path(output).parent_path() / companion.name).string();
}

bool is_written(const generate::Companion& companion, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return in && std::string{std::istreambuf_iterator<char>(in), {}} == companion.text;
}

void check_companion(const generate::Companion& companion, const GenerateOptions& o,
                     const std::string& output) {
  const std::string path = path_of(companion, output);
  std::error_code error;
  if (path == output) {
    throw CommandError{fmt::format(
        "the program needs a file of that name beside it, {}; choose another -o, or add "
        "--single-file",
        path)};
  }
  if (!fs::exists(path, error) || is_written(companion, path)) return;
  if (!o.force) {
    throw CommandError{fmt::format(
        "{} exists and is another one (existing files are not overwritten); add --force, "
        "or --single-file",
        path)};
  }
}

void write_companion(const generate::Companion& companion, const std::string& output) {
  const std::string path = path_of(companion, output);
  if (!is_written(companion, path)) write_text(companion.text, path);
}

generate::Substitutes substitutes_of(const GenerateOptions& o) {
  if (o.exact) return generate::Substitutes::none;
  return o.substitutes == "paper" ? generate::Substitutes::paper : generate::Substitutes::own;
}

write::times::Detail times_of(const GenerateOptions& o) {
  const auto found = std::ranges::find(write::times::kDetailNames, o.times);
  return static_cast<write::times::Detail>(found - write::times::kDetailNames.begin());
}

// Of a trace, or of the laws of a scalable one.
generate::Benchmark benchmark_of(const trace::Trace& trace, const generate::Language& language,
                                 const GenerateOptions& o, const std::string& output) {
  const std::string& file = o.file;
  const std::string name = fs::path(file).filename().string();
  if (scalable::is_scalable(trace) && o.detail != "exact") {
    throw CommandError{fmt::format(
        "{} is a scalable trace (its laws draw what differs from run to run); leave out "
        "--detail {}",
        file, o.detail)};
  }
  const generate::Options options{.trace = name,
                                  .substitutes = substitutes_of(o),
                                  .detail = *generate::find_detail(o.detail),
                                  .times = times_of(o),
                                  .is_single_file = is_single_file(o),
                                  .program = fs::path(output).stem().string()};
  if (!scalable::is_scalable(trace)) return take(language.write(trace, options));
  if (options.times == write::times::Detail::ranks) {
    throw CommandError{
        fmt::format("--times ranks has no effect on {} (the laws of a scalable trace have one "
                    "mean for each computation); leave it out",
                    file),
        2};
  }
  const scalable::ScalableTrace laws = laws_of(trace, file);
  if (language.name() == "c") return take(generate::c_benchmark(scalable::explain(laws), options));
  if (language.name() == "python")
    return {take(write::python::write(scalable::explain(laws), name))};
  return {take(scalable::write_conceptual(laws, options))};
}

void check(const GenerateOptions& o, bool substitutes_said) {
  if (o.detail != "exact" && o.language != "c") {
    throw CommandError{
        fmt::format("--detail {} is of benchmarks in C (others make the calls of the trace); leave "
                    "out one of --detail and --language",
                    o.detail),
        2};
  }
  if (!o.exact) return;
  if (o.language != "conceptual") {
    throw CommandError{
        fmt::format(
            "--exact has no effect on {} (benchmarks in it make every recorded call); leave "
            "it out, or add --language conceptual",
            o.language == "c" ? "C" : "Python"),
        2};
  }
  if (substitutes_said) {
    throw CommandError{
        "--exact and --substitute contradict each other (with --exact nothing is substituted for "
        "collectives); leave one out",
        2};
  }
}

void run(const GenerateOptions& o) {
  const generate::Language& language = *generate::find_language(o.language);
  const std::string output = output_of(o, language);
  if (output != "-") check_new(output, o.force);
  // Who does what is looked at rank by rank; the operations of tasks are found call by call.
  const analyze::Use use =
      language.name() == "conceptual" ? analyze::Use::calls : analyze::Use::structure;
  trace::Trace trace = open_trace(o.file, use, trace::Accept::scalable_too);
  if (trace.ranks > kMostRanks) {
    throw CommandError{fmt::format(
        "{} has {} ranks (a benchmark is written for {} at most); take the trace of fewer", o.file,
        trace.ranks, kMostRanks)};
  }
  warn_of_unfinished(trace, o.file);
  name_frames(trace);
  Elapsed elapsed("writing the benchmark");
  const generate::Benchmark benchmark = benchmark_of(trace, language, o, output);
  elapsed.end();
  if (output == "-") {
    say("{}", benchmark.text);
    return;
  }
  for (const generate::Companion& c : benchmark.companions) check_companion(c, o, output);
  for (const generate::Companion& c : benchmark.companions) write_companion(c, output);
  write_text(benchmark.text, output);
  say_written(output);
}

}  // namespace

void add_generate(CLI::App& app) {
  auto o = std::make_shared<GenerateOptions>();
  o->language = std::string(generate::languages().front()->name());
  CLI::App* sub = app.add_subcommand(
      "generate", "Write a benchmark: a program that makes the calls of a trace");
  sub->add_option("file", o->file, "The trace, or a scalable trace")->required();
  const CLI::Option* language =
      sub->add_option("--language", o->language,
                      "The language: C, coNCePTuaL, or Python with mpi4py; by default that of the "
                      "output's suffix, .c, .ncptl or .py, or C without a suffix")
          ->transform(CLI::IsMember(language_names(), CLI::ignore_case));
  sub->add_option("-o,--output", o->output,
                  "The file to write, or - for standard output; by default the trace's name with "
                  "the language's suffix, in the working folder");
  const CLI::Option* substitute =
      sub->add_option("--substitute", o->substitutes,
                      "How to replace collectives that coNCePTuaL lacks: own, with the same sizes, "
                      "or paper, by table 1 of Wu, Mueller and Pakin (2011), with mean sizes")
          ->check(CLI::IsMember({"own", "paper"}))
          ->capture_default_str();
  sub->add_flag("--exact", o->exact,
                "Call collectives that coNCePTuaL lacks directly, by BACKEND EXECUTES: for its own "
                "compiler with the C+MPI back end, not for `reprise run`");
  sub->add_option(
         "--times", o->times,
         "Detail of compute times: full, distributions and totals of ranks; ranks, one mean for "
         "each computation and class of ranks; mean, one mean for each computation")
      ->check(CLI::IsMember(times_names()))
      ->capture_default_str();
  sub->add_option("--detail", o->detail,
                  "Irregular messages in C: exact, as recorded, from tables; mean, the same number "
                  "each time, of the mean size; statistical, sampled from their distributions, "
                  "which gives short programs")
      ->check(CLI::IsMember({"exact", "mean", "statistical"}))
      ->capture_default_str();
  sub->add_flag("--single-file", o->single_file,
                "Include in a C program what is otherwise in separate files: reprise_benchmark.h "
                "and long tables");
  sub->add_flag("--force", o->force, "Overwrite existing outputs");
  sub->footer(
      "The generated program lists its options with --help (see also docs/generate.md).\n\n"
      "Examples: reprise generate app.reprise -o benchmark.c\n"
      "          mpicc -O2 -o benchmark benchmark.c\n"
      "          mpirun -n 16 ./benchmark --compute-scale 0.5 --report\n"
      "          reprise generate --detail statistical app.reprise -o benchmark.c\n"
      "          reprise generate --language python app.reprise -o benchmark.py\n"
      "          mpirun -n 16 python3 benchmark.py --compute-scale 0.5\n"
      "          reprise generate --language conceptual app.reprise -o app.ncptl\n"
      "          reprise generate --language conceptual --exact app.reprise -o app.ncptl");
  sub->callback([o, language, substitute] {
    if (language->count() == 0) o->language = language_of(o->output);
    check_suffix(*o);
    check(*o, substitute->count() > 0);
    run(*o);
  });
}

}  // namespace reprise::cli
