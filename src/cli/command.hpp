// What a subcommand is: a name, its options, and what it does.
#pragma once

#include <CLI/CLI.hpp>

#include "base/result.hpp"

namespace reprise::cli {

// Each adds itself to the program. Its `run` reports problems by throwing CommandError.
void add_analyze(CLI::App& app);
void add_diff(CLI::App& app);
void add_doctor(CLI::App& app);
void add_export(CLI::App& app);
void add_extrapolate(CLI::App& app);
void add_fit(CLI::App& app);
void add_generate(CLI::App& app);
void add_import(CLI::App& app);
void add_info(CLI::App& app);
void add_model(CLI::App& app);
void add_record(CLI::App& app);
void add_replay(CLI::App& app);
void add_run(CLI::App& app);
void add_merge(CLI::App& app);
void add_link_flags(CLI::App& app);
void add_run(CLI::App& app);
void add_seek(CLI::App& app);
void add_show(CLI::App& app);
void add_simulate(CLI::App& app);
void add_stats(CLI::App& app);
void add_symbolize(CLI::App& app);
void add_transform(CLI::App& app);

// All subcommands, with descriptions and options. REQUIRES: the app outlives what is parsed.
void add_subcommands(CLI::App& app);
// What the program is, in the words of its help.
extern const char* const kDescription;

// The whole program but for `main`: the exit status of a command line.
int run_reprise(int argc, const char* const* argv);

// Ends a command: the message goes to stderr, the status to the shell.
struct CommandError {
  std::string message;
  int status = 1;
};

// A trace that can be read but makes no sense when it is walked.
inline std::string damaged_message(const std::string& file) {
  return file + " is damaged (a value in it makes no sense); record it again";
}

// The value of a result, or the end of the command.
template <class T>
T take(Result<T> result) {
  if (!result)
    throw CommandError{result.error().message, result.error().kind == Error::Kind::usage ? 2 : 1};
  return std::move(*result);
}

inline void take(const Status& status) {
  if (!status)
    throw CommandError{status.error().message, status.error().kind == Error::Kind::usage ? 2 : 1};
}

}  // namespace reprise::cli
