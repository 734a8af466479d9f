// reprise doctor: whether a command can be recorded, found out before it runs.
#include <fmt/core.h>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/record/doctor_checks.hpp"
#include "cli/record/doctor_probe.hpp"
#include "cli/say.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;

struct DoctorOptions {
  std::vector<std::string> command;
  std::string probe;  // recorder
  bool json = false;
};

const char* word_for(Check::State state) {
  switch (state) {
    case Check::State::ok: return "ok";
    case Check::State::warning: return "warning";
    case Check::State::problem: break;
  }
  return "problem";
}

ordered_json json_of(const Examination& e) {
  ordered_json checks = ordered_json::array();
  for (const Check& c : e.checks)
    checks.push_back({{"name", c.name}, {"state", word_for(c.state)}, {"text", c.text}});
  return {{"ready", e.is_ready()},
          {"mpi", e.mpi.empty() ? ordered_json() : ordered_json(e.mpi)},
          {"nodes", e.nodes},
          {"checks", std::move(checks)}};
}

void run(const DoctorOptions& o) {
  if (!o.probe.empty()) return print_probe(o.probe);
  if (o.command.empty()) {
    throw CommandError{
        "there is no command to examine (nothing follows --); give one, as in: reprise doctor "
        "-- mpirun -n 4 ./app",
        2};
  }
  const Examination found = examine(o.command);
  if (o.json) {
    say_json(json_of(found));
  } else {
    for (const Check& c : found.checks)
      say("{:<8} {:<11} {}\n", word_for(c.state), c.name, printable(c.text));
    say("{}\n", found.is_ready() ? "The command can be recorded."
                                 : "The command cannot be recorded as it is.");
  }
  if (!found.is_ready()) throw CommandError{"", 1};
}

}  // namespace

void add_doctor(CLI::App& app) {
  auto o = std::make_shared<DoctorOptions>();
  CLI::App* sub = app.add_subcommand("doctor", "Check whether a command can be recorded");
  // Of the ranks: what doctor runs in place of the program. It comes before all other options,
  // since help has an empty line after the last one that is shown if a hidden one follows.
  sub->set_help_flag();
  sub->add_option("--probe", o->probe)->group("");
  sub->set_help_flag("-h,--help", "Print this help message and exit");
  sub->add_flag("--json", o->json, "Print each check and its state in JSON");
  sub->add_option("command", o->command,
                  "The launcher and the program with their options, best after --");
  sub->positionals_at_end();  // options behind the launcher are its own
  sub->footer(
      "Starts the ranks as the command does, with a probe instead of the program, which does not "
      "run.\nThe exit status is 1 if a problem keeps the command from being recorded.\n\nExample: "
      "reprise doctor -- mpirun -n 16 ./app");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
