#include "replay/options.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

namespace reprise::replay {
namespace {

const std::map<std::string, Matching> kMatchings{{"recorded", Matching::recorded},
                                                 {"arrival", Matching::free}};
const std::map<std::string, Waiting> kWaitings{{"sleep", Waiting::sleep}, {"spin", Waiting::spin}};

std::string number_text(double x) {
  std::ostringstream out;
  out.precision(17);
  out << x;
  return out.str();
}

// A word among those that a map knows.
template <class T>
void add_choice(CLI::App& app, const std::string& name, T& value,
                const std::map<std::string, T>& choices, const std::string& help) {
  std::vector<std::string> words;
  for (const auto& [word, choice] : choices) words.push_back(word);
  app.add_option_function<std::string>(
         name, [&value, &choices](const std::string& word) { value = choices.at(word); }, help)
      ->check(CLI::IsMember(words).description(""))
      ->type_name("WORD");
}

void add_compute_scale(const std::string& word, Options& o) {
  const std::size_t equals = word.rfind('=');
  const std::string number = word.substr(equals == std::string::npos ? 0 : equals + 1);
  char* end = nullptr;
  const double scale = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !std::isfinite(scale) || scale < 0) {
    throw CLI::ValidationError("--compute-scale",
                               number + " is not a scale (it takes a number, 0 or more)");
  }
  if (equals == std::string::npos) {
    o.compute_scale = scale;
  } else {
    o.compute_scale_at.emplace_back(word.substr(0, equals), scale);
  }
}

}  // namespace

void add_options(CLI::App& app, Options& o) {
  app.add_option("file", o.file,
                 "The trace; or FILE of the traces FILE.RANK of `record --merge none`; or the "
                 "folder of `record --flat`")
      ->required();
  add_choice(app, "--wildcards", o.matching, kMatchings,
             "How wildcard receives, MPI_Waitany and similar calls are matched: recorded "
             "(default), as in the recorded run, or arrival, with what arrives first");
  app.add_option_function<std::string>(
         "--compute",
         [&o](const std::string& word) {
           o.compute = word != "none";
           if (o.compute) o.waiting = kWaitings.at(word);
         },
         "How compute time is reproduced: sleep (default); spin, which keeps the core busy; or "
         "none, calls follow each other directly")
      ->check(CLI::IsMember({"sleep", "spin", "none"}).description(""))
      ->type_name("WORD");
  app.add_option_function<std::vector<std::string>>(
         "--compute-scale",
         [&o](const std::vector<std::string>& words) {
           for (const std::string& word : words) add_compute_scale(word, o);
         },
         "Multiply all compute times by X, or those before the calls at one place: a function of "
         "the program or of MPI, or a line: --compute-scale solve=0.1 "
         "--compute-scale stencil.c:57=0")
      ->type_name("X|PLACE=X")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--message-scale", o.message_scale,
                 "Multiply the element counts of messages and collectives")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--seed", o.seed, "Seed for payload and sampled compute times")
      ->capture_default_str();
  app.add_option("--scratch", o.scratch,
                 "Folder for the files that the program writes, shared by all ranks; the files are "
                 "removed at the end (default: TMPDIR, else /tmp)");
  app.add_option("--json", o.json_file, "Print the summary in JSON, or write it to a file")
      ->expected(0, 1)
      ->type_name("[FILE]");
  app.parse_complete_callback([&app, &o] {
    if (app.get_option("--json")->count() > 0) o.json = true;
  });
}

std::vector<std::string> words_of(const Options& o) {
  const Options standard;
  std::vector<std::string> out{o.file};
  if (o.matching == Matching::free) out.insert(out.end(), {"--wildcards", "arrival"});
  if (o.waiting == Waiting::spin) out.insert(out.end(), {"--compute", "spin"});
  if (!o.compute) out.insert(out.end(), {"--compute", "none"});
  const auto number = [&](const char* name, double value, double usual) {
    if (value != usual) out.insert(out.end(), {name, number_text(value)});
  };
  number("--compute-scale", o.compute_scale, standard.compute_scale);
  for (const auto& [place, scale] : o.compute_scale_at) {
    out.insert(out.end(), {"--compute-scale", place + "=" + number_text(scale)});
  }
  number("--message-scale", o.message_scale, standard.message_scale);
  if (o.seed != standard.seed) out.insert(out.end(), {"--seed", std::to_string(o.seed)});
  if (!o.scratch.empty()) out.insert(out.end(), {"--scratch", o.scratch});
  if (o.json) out.emplace_back("--json");
  if (!o.json_file.empty()) out.push_back(o.json_file);
  return out;
}

}  // namespace reprise::replay
