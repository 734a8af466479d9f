// The command line: hands over to a subcommand and turns problems into exit statuses.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "cli/say.hpp"
#include "cli/simulate/report.hpp"
#include "cli/usage.hpp"

namespace reprise::cli {
namespace {

// What was printed may not have reached its file: a full disk, for one.
int finish_output(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  say(stderr, "reprise: the output cannot be written ({}); make room, or choose another place\n",
      std::strerror(errno));
  return 1;
}

// The subcommand that words name, as in `transform resolve`, below `app`.
const CLI::App& subcommand_of(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  for (const std::string& word : words) {
    const auto inner = at->get_subcommands([](const CLI::App*) { return true; });
    const auto found = std::ranges::find(inner, word, &CLI::App::get_name);
    if (found == inner.end()) throw CommandError{no_subcommand(*at, word), 2};
    at = *found;
  }
  return *at;
}

void add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* sub = app.add_subcommand("help", "Print this list, or the help of a subcommand");
  sub->add_option("subcommand", *words, "A subcommand, such as record or transform resolve");
  sub->footer("Examples: reprise help record\n          reprise help transform resolve");
  sub->callback([&app, words] {
    // App::help would be that of the subcommand which was given.
    if (words->empty())
      return say("{}",
                 app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    std::string before = app.get_name();
    for (std::size_t i = 0; i + 1 < words->size(); ++i) before += " " + (*words)[i];
    say("{}", subcommand_of(app, *words).help(before));
  });
}

int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    say(stderr, "reprise: {}\n", usage_message(app, e, words));
    return 2;
  } catch (const CommandError& e) {
    if (!e.message.empty()) say(stderr, "reprise: {}\n", e.message);
    return e.status;
  } catch (const std::bad_alloc&) {
    say(stderr,
        "reprise: there is not enough memory (the command needs more than this machine "
        "has); use a larger machine\n");
    return 1;
  } catch (const std::system_error& e) {  // of {fmt}, when it cannot write
    errno = e.code().value();
    say(stderr, "reprise: the output cannot be written ({}); make room, or choose another place\n",
        std::strerror(errno));
    std::clearerr(stdout);
    return 1;
  } catch (const std::exception& e) {
    say(stderr, "reprise: an unexpected error ({}); please report it\n", e.what());
    return 1;
  }
  return 0;
}

// An option that should have had a value: `--timeline --force`.
void refuse_options_as_values(CLI::App& app) {
  const CLI::Validator is_value(
      [](const std::string& word) {
        return word.starts_with("--") ? word + " is an option, and a value has to come first"
                                      : std::string();
      },
      "", "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() > 0 && !option->get_positional()) option->check(is_value);
  }
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    refuse_options_as_values(*sub);
}

}  // namespace

const char* const kDescription =
    "Reprise records the MPI calls of a program and folds them into one small file that still\n"
    "reads like the program.\n\n"
    "  reprise record -o app.reprise -- mpirun -n 16 ./app\n"
    "  reprise show app.reprise";

void add_subcommands(CLI::App& app) {
  app.set_version_flag("--version", "reprise " REPRISE_VERSION);
  add_record(app);
  add_doctor(app);
  add_merge(app);
  add_replay(app);
  add_symbolize(app);
  add_link_flags(app);
  add_info(app);
  add_show(app);
  add_stats(app);
  add_seek(app);
  add_report(app);
  add_diff(app);
  add_extrapolate(app);
  add_fit(app);
  add_transform(app);
  add_generate(app);
  add_run(app);
  add_analyze(app);
  add_simulate(app);
  add_model(app);
  add_import(app);
  add_export(app);
  add_help(app);
  app.require_subcommand(1);
  refuse_options_as_values(app);
}

int run_reprise(int argc, const char* const* argv) {
  CLI::App app{kDescription, "reprise"};
  add_subcommands(app);
  if (argc == 1) {
    say("{}", app.help());
    return finish_output(0);
  }
  return finish_output(parse_and_run(app, argc, argv));
}

}  // namespace reprise::cli
